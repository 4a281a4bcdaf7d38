/* SPDX-License-Identifier: MIT */
/* The benches' statement on the length of a core cycle, on which their core cycles depend. */
#ifndef AESFIT_BENCH_CYCLE_H
#define AESFIT_BENCH_CYCLE_H

#include "probe.h"

#include <stdio.h>

static inline void cycle_print(const host_cycle *cycle)
{
    const char *doubt = host_cycle_doubt(cycle);
    printf("1 core cycle = %.4f TSC cycles by rotations, %.4f by multiplications; ",
           cycle->rotations, cycle->multiplications);
    if (cycle->least > 0)
        printf("at least %.4f by CPUID\n", cycle->least);
    else
        printf("CPUID states no clocks\n");
    if (doubt != NULL)
        printf("DOUBT: %s\n", doubt);
}

#endif
