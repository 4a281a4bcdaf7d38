/* SPDX-License-Identifier: MIT */
/* The modes of bench_host: their names, and which are measured per byte. */
#include "bench.h"

static const char *const modes_names[BENCH_MODES] = {
    "ecb", "cbc-encrypt",   "cbc-decrypt", "ctr",      "gcm",   "ccm",
    "xts", "cbc-8-streams", "key-encrypt", "key-both", "block",
};

const char *bench_mode_name(bench_mode mode)
{
    return modes_names[mode];
}

int bench_is_data_mode(bench_mode mode)
{
    return mode < BENCH_KEY_ENCRYPT;
}
