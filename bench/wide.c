/* SPDX-License-Identifier: MIT */
/* Wide paths over narrow ones: what 512-bit registers cost or save at short lengths.
 *
 * Each length from 16 to 512 bytes that a mode takes, every message on the same buffer, in place
 * and apart.  In place each call loads what the one before has just stored, which shows whether
 * stores forward; apart none waits for another.  A ratio is the median over interleaved rounds
 * (measure.c); one above the limit is the median of three such measurements. */
#include "bench.h"
#include <stdio.h>

enum {
    WIDE_LEAST = 16,
    WIDE_MOST = 512,
    WIDE_STEP = 16,     /* bytes in a row of the table */
    WIDE_APART = 34816, /* half a page off a multiple of 4 KiB, where loads would meet stores */
    WIDE_PLACES = 2,    /* in place, apart */
    WIDE_ROWS = WIDE_MOST / WIDE_STEP,
    WIDE_LIMIT = 105 /* per cent */
};

typedef struct wide_path {
    const char *name;
    bench_mode mode;
    int decrypt, any_length;
} wide_path;

/* What has a wide path (lib/src/bulk/vaes_*.c). */
static const wide_path wide_paths[] = {
    {"ecb-enc", BENCH_ECB, 0, 0},
    {"ecb-dec", BENCH_ECB, 1, 0},
    {"cbc-dec", BENCH_CBC_DECRYPT, 0, 0},
    {"cbc-8", BENCH_CBC_STREAMS, 0, 0},
    {"ctr", BENCH_CTR, 0, 1},
    {"gcm-enc", BENCH_GCM, 0, 1},
    {"gcm-dec", BENCH_GCM, 1, 1},
    {"xts-enc", BENCH_XTS, 0, 1},
    {"xts-dec", BENCH_XTS, 1, 1},
};
enum { WIDE_PATHS = sizeof wide_paths / sizeof wide_paths[0] };

/* The largest ratio within each row, and its length; 0: not measured. */
typedef struct wide_worst {
    double ratio;
    size_t bytes;
} wide_worst;

typedef struct wide_table {
    wide_worst at[WIDE_PLACES][WIDE_PATHS][WIDE_ROWS];
} wide_table;

static double wide_middle(double a, double b, double c)
{
    double least = a < b ? a : b, most = a < b ? b : a;
    return c < least ? least : c > most ? most : c;
}

static double wide_ratio(const bench_wide_options *options, const wide_path *path, size_t bytes,
                         int apart, uint8_t *buffer)
{
    const bench_case what = {.mode = path->mode,
                             .key_bits = options->key_bits,
                             .bytes = bytes,
                             .ring = 1,
                             .buffer = buffer,
                             .core = aesfit_core_by_name("aesni"),
                             .decrypt = path->decrypt,
                             .apart = apart ? WIDE_APART : 0};
    double first = bench_wide_over_narrow(&what, options->quick);
    if (first * 100 <= WIDE_LIMIT)
        return first;
    return wide_middle(first, bench_wide_over_narrow(&what, options->quick),
                       bench_wide_over_narrow(&what, options->quick));
}

static void wide_measure_path(const bench_wide_options *options, wide_table *table, int p,
                              uint8_t *buffer)
{
    const wide_path *path = &wide_paths[p];
    for (int place = 0; place < WIDE_PLACES; place++)
        for (size_t bytes = WIDE_LEAST; bytes <= WIDE_MOST;
             bytes += path->any_length ? 1 : WIDE_STEP) {
            wide_worst *worst = &table->at[place][p][(bytes - 1) / WIDE_STEP];
            double ratio = wide_ratio(options, path, bytes, place, buffer);
            if (ratio > worst->ratio) {
                worst->ratio = ratio;
                worst->bytes = bytes;
            }
        }
}

static const char *const wide_places[WIDE_PLACES] = {"in place", "apart"};

static void wide_print_place(const bench_wide_options *options, const wide_table *table, int place)
{
    printf("\n%-9s", wide_places[place]);
    for (int p = 0; p < WIDE_PATHS; p++)
        if (options->mode == BENCH_MODES || options->mode == wide_paths[p].mode)
            printf("%9s", wide_paths[p].name);
    for (int row = 0; row < WIDE_ROWS; row++) {
        printf("\n%9d", (row + 1) * WIDE_STEP);
        for (int p = 0; p < WIDE_PATHS; p++)
            if (table->at[place][p][row].ratio > 0)
                printf("%9.2f", table->at[place][p][row].ratio);
    }
    printf("\n");
}

static void wide_print(const bench_wide_options *options, const wide_table *table)
{
    size_t above = 0, count = 0;
    printf(
        "wide over narrow: time on 512-bit registers over time on 128-bit ones, AES-%u; medians\n"
        "of interleaved rounds.  A row has its length and, where the mode takes them, the 15\n"
        "lengths below, of which it shows the largest ratio.\n",
        options->key_bits);
    for (int place = 0; place < WIDE_PLACES; place++)
        wide_print_place(options, table, place);
    printf("\n");
    for (int place = 0; place < WIDE_PLACES; place++)
        for (int p = 0; p < WIDE_PATHS; p++)
            for (int row = 0; row < WIDE_ROWS; row++) {
                const wide_worst *worst = &table->at[place][p][row];
                count += worst->ratio > 0;
                if (worst->ratio * 100 <= WIDE_LIMIT)
                    continue;
                above++;
                printf("  MISSED %s, %lu B, %s: %.3f, wanted <= %.2f\n", wide_paths[p].name,
                       (unsigned long)worst->bytes, wide_places[place], worst->ratio,
                       WIDE_LIMIT / 100.0);
            }
    printf("%lu of %lu ratios within %.2f\n", (unsigned long)(count - above), (unsigned long)count,
           WIDE_LIMIT / 100.0);
}

static void wide_print_json(const bench_wide_options *options, const wide_table *table)
{
    const char *separator = "";
    printf("{\n  \"version\": \"%s\",\n  \"key_bits\": %u,\n  \"limit\": %.2f,\n  \"rows\": [",
           AESFIT_VERSION, options->key_bits, WIDE_LIMIT / 100.0);
    for (int place = 0; place < WIDE_PLACES; place++)
        for (int p = 0; p < WIDE_PATHS; p++)
            for (int row = 0; row < WIDE_ROWS; row++) {
                const wide_worst *worst = &table->at[place][p][row];
                if (worst->ratio <= 0)
                    continue;
                printf("%s\n    {\"path\": \"%s\", \"place\": \"%s\", \"bytes_up_to\": %d, "
                       "\"worst_bytes\": %lu, \"wide_over_narrow\": %.3f}",
                       separator, wide_paths[p].name, wide_places[place], (row + 1) * WIDE_STEP,
                       (unsigned long)worst->bytes, worst->ratio);
                separator = ",";
            }
    printf("\n  ]\n}\n");
}

int bench_wide(const bench_wide_options *options, uint8_t *buffer)
{
    static wide_table table;
    const bench_case any = {.narrow = 0};
    if (!bench_has_aes() || !bench_has_vaes(&any)) {
        fprintf(stderr, "bench_host: the library takes no wide paths on this processor or from "
                        "this compiler (VAES with AVX-512; gcc, or clang 19 and later)\n");
        return 1;
    }
    for (int p = 0; p < WIDE_PATHS; p++)
        if (options->mode == BENCH_MODES || options->mode == wide_paths[p].mode)
            wide_measure_path(options, &table, p, buffer);
    (options->json ? wide_print_json : wide_print)(options, &table);
    return 0;
}
