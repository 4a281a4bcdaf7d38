/* SPDX-License-Identifier: MIT */
/* bench_host: this library beside OpenSSL's libcrypto and the floor of the AES instructions. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char main_usage[] =
    "usage: bench_host [options]\n"
    "  --mode NAME    only this mode (ecb cbc-encrypt cbc-decrypt ctr gcm ccm xts cbc-8-streams\n"
    "                 key-encrypt key-both block)\n"
    "  --bytes N      only this message length\n"
    "  --key-bits N   128 (default) or 256\n"
    "  --core NAME    our core; default: the library's default core\n"
    "  --narrow       as on a processor without VAES\n"
    "  --quick        a fifth of the rounds\n"
    "  --wide-over-narrow  instead: wide paths over narrow ones, each length of 16 to 512 bytes\n"
    "  --json         JSON instead of a table\n"
    "  --list         every bound, not only the missed ones (table)\n";

enum { MAX_BYTES = 1 << 20, MAX_ROWS = 128 };

typedef struct main_options {
    bench_mode mode; /* BENCH_MODES: all */
    size_t bytes;    /* 0: all */
    unsigned key_bits;
    const aesfit_core *core;
    int narrow, quick, json, list, wide;
} main_options;

static void main_fail(const char *what, const char *value)
{
    fprintf(stderr, "bench_host: %s%s\n%s", what, value, main_usage);
    exit(2);
}

static bench_mode main_mode(const char *name)
{
    for (int mode = 0; mode < BENCH_MODES; mode++)
        if (strcmp(name, bench_mode_name((bench_mode)mode)) == 0)
            return (bench_mode)mode;
    main_fail("unknown mode ", name);
    return BENCH_MODES;
}

static size_t main_number(const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*end != '\0' || number == 0 || number > MAX_BYTES)
        main_fail("not a number from 1 to 1048576: ", text);
    return number;
}

static void main_value(main_options *options, const char *name, const char *value)
{
    if (strcmp(name, "--mode") == 0)
        options->mode = main_mode(value);
    else if (strcmp(name, "--bytes") == 0)
        options->bytes = main_number(value);
    else if (strcmp(name, "--key-bits") == 0)
        options->key_bits = (unsigned)main_number(value);
    else if (strcmp(name, "--core") == 0)
        options->core = aesfit_core_by_name(value);
    else
        main_fail("unknown option ", name);
}

static main_options main_parse(int argc, char **argv)
{
    main_options options = {BENCH_MODES, 0, 128, aesfit_default_core(), 0, 0, 0, 0, 0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--narrow") == 0)
            options.narrow = 1;
        else if (strcmp(argv[i], "--quick") == 0)
            options.quick = 1;
        else if (strcmp(argv[i], "--json") == 0)
            options.json = 1;
        else if (strcmp(argv[i], "--list") == 0)
            options.list = 1;
        else if (strcmp(argv[i], "--wide-over-narrow") == 0)
            options.wide = 1;
        else if (i + 1 < argc)
            main_value(&options, argv[i], argv[i + 1]), i++;
        else
            main_fail("unknown option, or without its value: ", argv[i]);
    }
    if (options.key_bits != 128 && options.key_bits != 256)
        main_fail("--key-bits must be 128 or 256", "");
    if (!aesfit_core_available(options.core))
        main_fail("no such core, or not on this processor", "");
    if (options.bytes % 16 != 0)
        main_fail("--bytes must be a multiple of 16", "");
    return options;
}

static size_t main_ring(size_t bytes)
{
    size_t ring = BENCH_RING_BYTES / bytes;
    return ring > 8 ? 8 : ring > 1 ? ring : 1;
}

static bench_case main_case(const main_options *options, bench_mode mode, size_t bytes,
                            uint8_t *buffer)
{
    bench_case what = {mode,          options->key_bits, 16, 1, buffer,
                       options->core, options->narrow,   0,  0};
    if (bench_is_data_mode(mode)) {
        what.bytes = options->bytes != 0 ? options->bytes : bytes;
        what.ring = main_ring(what.bytes);
    }
    return what;
}

static size_t main_measure_mode(const main_options *options, bench_mode mode, uint8_t *buffer,
                                bench_result *rows)
{
    static const size_t sizes[] = {16, 64, 256, 1504, 16384, MAX_BYTES};
    size_t count = bench_is_data_mode(mode) && options->bytes == 0 ? 6 : 1;
    for (size_t i = 0; i < count; i++) {
        bench_case what = main_case(options, mode, sizes[i], buffer);
        bench_measure(&rows[i], &what, options->quick);
        if (!options->json)
            bench_print_row(&rows[i]);
    }
    return count;
}

static void main_head(const main_options *options, uint8_t *buffer)
{
    bench_case what = main_case(options, BENCH_ECB, 16, buffer);
    bench_print_head(&what);
}

int main(int argc, char **argv)
{
    static bench_result rows[MAX_ROWS];
    main_options options = main_parse(argc, argv);
    size_t size = (size_t)(MAX_BYTES + 4096) * BENCH_STREAMS;
    uint8_t *buffer = aligned_alloc(4096, size);
    size_t count = 0;
    if (buffer == NULL)
        main_fail("out of memory", "");
    memset(buffer, 0x5a, size);
    if (options.wide) {
        const bench_wide_options wide = {options.mode, options.key_bits, options.quick,
                                         options.json};
        int status = bench_wide(&wide, buffer);
        free(buffer);
        return status;
    }
    if (!options.json)
        main_head(&options, buffer);
    for (int mode = 0; mode < BENCH_MODES; mode++)
        if (options.mode == BENCH_MODES || options.mode == (bench_mode)mode)
            count += main_measure_mode(&options, (bench_mode)mode, buffer, rows + count);
    if (options.json)
        bench_print_json(options.core, rows, count);
    else
        bench_print_bounds(rows, count, options.list);
    free(buffer);
    return 0;
}
