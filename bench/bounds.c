/* SPDX-License-Identifier: MIT */
/* What the library promises on a processor with AES instructions, checked on the measured rows: at
 * 16 KiB at least 0.97 of the peer's throughput in every mode and close to the floor in modes that
 * only do AES; faster than the peer at packet sizes; cheap key set-up. */
#include "bench.h"
#include <stdio.h>
#include <string.h>

enum { BULK_BYTES = 16384, PACKET_BYTES = 1504 /* and below */ };

int bench_bound_met(const bench_bound *bound)
{
    return bound->at_least ? bound->value >= bound->limit : bound->value <= bound->limit;
}

typedef struct bounds_list {
    bench_bound *bounds;
    size_t size, count;
} bounds_list;

static void bounds_add(bounds_list *list, const bench_result *row, const char *what, double value,
                       double limit, int at_least)
{
    bench_bound *bound = &list->bounds[list->count];
    if (list->count == list->size)
        return;
    list->count++;
    if (row->in_core_cycles)
        snprintf(bound->name, sizeof bound->name, "%s AES-%u: %s", bench_mode_name(row->what.mode),
                 row->what.key_bits, what);
    else
        snprintf(bound->name, sizeof bound->name, "%s AES-%u %lu B: %s",
                 bench_mode_name(row->what.mode), row->what.key_bits,
                 (unsigned long)row->what.bytes, what);
    bound->value = value;
    bound->limit = limit;
    bound->at_least = at_least;
}

/* Largest allowed ours / floor at 16 KiB; 0: no limit. */
static double bounds_floor(bench_mode mode)
{
    switch (mode) {
    case BENCH_ECB:
    case BENCH_CTR:
    case BENCH_CBC_DECRYPT:
        return 1.03;
    case BENCH_XTS:
        return 1.05;
    case BENCH_CBC_STREAMS:
        return 1.10;
    default:
        return 0;
    }
}

static void bounds_of_row(bounds_list *list, const bench_result *row)
{
    bench_mode mode = row->what.mode;
    if (mode == BENCH_KEY_ENCRYPT && row->what.key_bits == 128)
        bounds_add(list, row, "core cycles", row->ours, 150, 0);
    if (mode == BENCH_KEY_BOTH && row->what.key_bits == 128)
        bounds_add(list, row, "core cycles", row->ours, 200, 0);
    if (!bench_is_data_mode(mode))
        return;
    if (row->peer > 0 && row->what.bytes == BULK_BYTES)
        bounds_add(list, row, "peer / ours", row->ratio, 0.97, 1);
    if (row->peer > 0 && row->what.bytes <= PACKET_BYTES)
        bounds_add(list, row, "peer / ours", row->ratio, 1, 1);
    if (row->floor > 0 && row->what.bytes == BULK_BYTES && bounds_floor(mode) > 0)
        bounds_add(list, row, "ours / AESENC", row->over_floor, bounds_floor(mode), 0);
    if (row->wide > 0 && row->what.bytes == BULK_BYTES && bounds_floor(mode) > 0)
        bounds_add(list, row, "ours / VAESENC", row->over_wide, bounds_floor(mode), 0);
}

size_t bench_bounds(bench_bound *bounds, size_t size, const bench_result *rows, size_t count)
{
    bounds_list list = {bounds, size, 0};
    for (size_t i = 0; i < count; i++)
        if (rows[i].what.core == aesfit_core_by_name("aesni"))
            bounds_of_row(&list, &rows[i]);
    return list.count;
}

void bench_print_bounds(const bench_result *rows, size_t count, int all)
{
    bench_bound bounds[128];
    size_t bound_count = bench_bounds(bounds, sizeof bounds / sizeof bounds[0], rows, count);
    size_t met = 0;
    for (size_t i = 0; i < bound_count; i++)
        met += (size_t)bench_bound_met(&bounds[i]);
    if (bound_count == 0)
        return; /* another core, or lengths without bounds */
    printf("\n%lu of %lu bounds met\n", (unsigned long)met, (unsigned long)bound_count);
    for (size_t i = 0; i < bound_count; i++)
        if (all || !bench_bound_met(&bounds[i]))
            printf("  %-6s %-40s %7.3f, wanted %s %g\n",
                   bench_bound_met(&bounds[i]) ? "met" : "MISSED", bounds[i].name, bounds[i].value,
                   bounds[i].at_least ? ">=" : "<=", bounds[i].limit);
}
