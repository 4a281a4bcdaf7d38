/* SPDX-License-Identifier: MIT */
/* Prints the rows of bench_host: as a table, or as JSON with stable keys. */
#include "bench.h"
#include "cycle.h"
#include <cpuid.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>

#ifdef __clang__
#define REPORT_COMPILER __VERSION__ /* begins with "Clang" */
#else
#define REPORT_COMPILER "gcc " __VERSION__
#endif

/* The processor's name as it reports it (Intel SDM, CPUID 80000002H to 80000004H); 49 bytes. */
static const char *report_processor(char name[49])
{
    unsigned words[12] = {0};
    for (unsigned i = 0; i < 3; i++)
        __get_cpuid(0x80000002u + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2],
                    &words[4 * i + 3]);
    memcpy(name, words, 48);
    name[48] = '\0';
    for (size_t end = strlen(name); end > 0 && name[end - 1] == ' '; end--)
        name[end - 1] = '\0';
    return name + strspn(name, " ");
}

void bench_print_head(const bench_case *what)
{
    const host_cycle cycle = host_cycle_measure();
    char processor[49];
    printf(
        "%s, %s\n"
        "core %s, peer OpenSSL %s; in place, a fresh IV or nonce per message, no associated\n"
        "data, 16-byte tags.  Medians of interleaved rounds; data modes in TSC cycles per byte,\n"
        "the others in core cycles.  ratio: their time / ours, above 1 we are faster.  floors: "
        "the\n"
        "AES rounds alone, AESENC with one block a register (one message after the other in the\n"
        "serial modes, where short ones may overlap) and, where it is used, VAESENC with four;\n"
        "ours over each beside it.  clean: undisturbed rounds.\n",
        report_processor(processor), REPORT_COMPILER, aesfit_core_name(what->core),
        OpenSSL_version(OPENSSL_VERSION_STRING));
    cycle_print(&cycle);
    printf("\n%-14s %3s %7s %8s %8s %6s %7s %7s %7s %7s %6s\n", "mode", "key", "bytes", "aesfit",
           "OpenSSL", "ratio", "AESENC", "ours/", "VAESENC", "ours/", "clean");
}

/* A floor and how far above it we are. */
static void report_floor(double floor, double over, int digits)
{
    if (floor > 0)
        printf("%7.*f %7.3f ", digits, floor, over);
    else
        printf("%7s %7s ", "-", "-");
}

void bench_print_row(const bench_result *row)
{
    int digits = row->in_core_cycles ? 1 : 4;
    printf("%-14s %3u ", bench_mode_name(row->what.mode), row->what.key_bits);
    if (row->in_core_cycles)
        printf("%7s ", "-");
    else
        printf("%7lu ", (unsigned long)row->what.bytes);
    printf("%8.*f %8.*f %6.3f ", digits, row->ours, digits, row->peer, row->ratio);
    report_floor(row->floor, row->over_floor, digits);
    report_floor(row->wide, row->over_wide, digits);
    printf("%3u/%u\n", row->clean, row->rounds);
    fflush(stdout);
}

/* null: there is none. */
static void report_json_figure(const char *name, double value)
{
    if (value > 0)
        printf("\"%s\": %.5g, ", name, value);
    else
        printf("\"%s\": null, ", name);
}

static void report_json_row(const bench_result *row, const char *end)
{
    printf("    {\"mode\": \"%s\", \"key_bits\": %u, ", bench_mode_name(row->what.mode),
           row->what.key_bits);
    if (row->in_core_cycles)
        printf("\"bytes\": null, \"unit\": \"core_cycles\", ");
    else
        printf("\"bytes\": %lu, \"unit\": \"tsc_cycles_per_byte\", ",
               (unsigned long)row->what.bytes);
    report_json_figure("ours", row->ours);
    report_json_figure("peer", row->peer);
    report_json_figure("ratio", row->ratio);
    report_json_figure("floor", row->floor);
    report_json_figure("ours_over_floor", row->over_floor);
    report_json_figure("wide_floor", row->wide);
    report_json_figure("ours_over_wide_floor", row->over_wide);
    printf("\"rounds\": %u, \"clean\": %u}%s\n", row->rounds, row->clean, end);
}

/* What checks tsc_per_core_cycle. */
static void report_json_cycle(void)
{
    const host_cycle cycle = host_cycle_measure();
    const char *doubt = host_cycle_doubt(&cycle), *quote = doubt != NULL ? "\"" : "";
    printf("  \"tsc_per_core_cycle_by_multiplications\": %.5g,\n  ", cycle.multiplications);
    report_json_figure("tsc_per_core_cycle_least_by_cpuid", cycle.least);
    printf("\n  \"core_cycle_doubt\": %s%s%s,\n", quote, doubt != NULL ? doubt : "null", quote);
}

void bench_print_json(const aesfit_core *core, const bench_result *rows, size_t count)
{
    bench_bound bounds[128];
    char processor[49];
    size_t bound_count = bench_bounds(bounds, sizeof bounds / sizeof bounds[0], rows, count);
    printf("{\n  \"version\": \"%s\",\n  \"processor\": \"%s\",\n  \"compiler\": \"%s\",\n"
           "  \"core\": \"%s\",\n  \"peer\": \"OpenSSL %s\",\n"
           "  \"tsc_per_core_cycle\": %.5g,\n",
           AESFIT_VERSION, report_processor(processor), REPORT_COMPILER, aesfit_core_name(core),
           OpenSSL_version(OPENSSL_VERSION_STRING), bench_tsc_per_core_cycle());
    report_json_cycle();
    printf("  \"rows\": [\n");
    for (size_t i = 0; i < count; i++)
        report_json_row(&rows[i], i + 1 < count ? "," : "");
    printf("  ],\n  \"bounds\": [\n");
    for (size_t i = 0; i < bound_count; i++)
        printf("    {\"name\": \"%s\", \"value\": %.5g, \"limit\": %.5g, \"at_least\": %s, "
               "\"met\": %s}%s\n",
               bounds[i].name, bounds[i].value, bounds[i].limit,
               bounds[i].at_least ? "true" : "false",
               bench_bound_met(&bounds[i]) ? "true" : "false", i + 1 < bound_count ? "," : "");
    printf("  ]\n}\n");
}

#undef REPORT_COMPILER
