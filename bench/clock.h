/* SPDX-License-Identifier: MIT */
/* Time in TSC cycles, and a probe that tells whether the processor runs at its usual speed.
 *
 * Shared machines have spells of 0.2 to 2 s in which everything runs up to twice as slow.  A chain
 * of dependent additions takes one core cycle each, whatever else the core could do beside, so its
 * time against the shortest ever seen shows a spell; the shortest is also the length of a core
 * cycle in TSC cycles. */
#ifndef AESFIT_BENCH_CLOCK_H
#define AESFIT_BENCH_CLOCK_H

#include <stdint.h>
#include <x86intrin.h>

enum { CLOCK_PROBE_ADDITIONS = 4000 };

static inline uint64_t clock_now(void)
{
    uint64_t now;
    _mm_lfence();
    now = __rdtsc();
    _mm_lfence();
    return now;
}

/* TSC cycles of the chain. */
static inline uint64_t clock_probe(void)
{
    unsigned x = 1;
    uint64_t start = clock_now();
    for (int i = 0; i < CLOCK_PROBE_ADDITIONS / 16; i++)
        __asm__ volatile("add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\t"
                         "add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\t"
                         "add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\t"
                         "add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0"
                         : "+r"(x));
    return clock_now() - start;
}

#endif
