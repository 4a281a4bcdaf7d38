/* SPDX-License-Identifier: MIT */
/* Prints the rows of bench_host: as a table, or as JSON with stable keys. */
#include "bench.h"
#include <openssl/crypto.h>
#include <stdio.h>

static const char *const report_names[BENCH_MODES] = {
    "ecb", "cbc-encrypt",   "cbc-decrypt", "ctr",      "gcm",   "ccm",
    "xts", "cbc-8-streams", "key-encrypt", "key-both", "block",
};

const char *bench_mode_name(bench_mode mode)
{
    return report_names[mode];
}

int bench_is_data_mode(bench_mode mode)
{
    return mode < BENCH_KEY_ENCRYPT;
}

void bench_print_head(const bench_case *what)
{
    printf(
        "core %s, peer OpenSSL %s; in place, a fresh IV or nonce per message, no associated\n"
        "data, 16-byte tags.  Medians of interleaved rounds; data modes in TSC cycles per byte,\n"
        "the others in core cycles (1 core cycle = %.4f TSC cycles).  ratio: their time / ours,\n"
        "above 1 we are faster.  floors: the AES rounds alone, AESENC with one block a register\n"
        "(one message after the other in the serial modes, where short ones may overlap) and, "
        "where\n"
        "it is used, VAESENC with four; ours over each beside it.  clean: undisturbed rounds.\n\n",
        aesfit_core_name(what->core), OpenSSL_version(OPENSSL_VERSION_STRING),
        bench_tsc_per_core_cycle());
    printf("%-14s %3s %7s %8s %8s %6s %7s %7s %7s %7s %6s\n", "mode", "key", "bytes", "aesfit",
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

static void report_json_row(const bench_result *row, const char *end)
{
    printf("    {\"mode\": \"%s\", \"key_bits\": %u, \"bytes\": %lu, \"unit\": \"%s\", "
           "\"ours\": %.5g, \"peer\": %.5g, \"ratio\": %.5g, \"floor\": %.5g, "
           "\"ours_over_floor\": %.5g, \"wide_floor\": %.5g, \"ours_over_wide_floor\": %.5g, "
           "\"rounds\": %u, \"clean\": %u}%s\n",
           bench_mode_name(row->what.mode), row->what.key_bits, (unsigned long)row->what.bytes,
           row->in_core_cycles ? "core_cycles" : "tsc_cycles_per_byte", row->ours, row->peer,
           row->ratio, row->floor, row->over_floor, row->wide, row->over_wide, row->rounds,
           row->clean, end);
}

void bench_print_json(const aesfit_core *core, const bench_result *rows, size_t count)
{
    bench_bound bounds[128];
    size_t bound_count = bench_bounds(bounds, sizeof bounds / sizeof bounds[0], rows, count);
    printf("{\n  \"version\": \"%s\",\n  \"core\": \"%s\",\n  \"peer\": \"OpenSSL %s\",\n"
           "  \"tsc_per_core_cycle\": %.5g,\n  \"rows\": [\n",
           AESFIT_VERSION, aesfit_core_name(core), OpenSSL_version(OPENSSL_VERSION_STRING),
           bench_tsc_per_core_cycle());
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
