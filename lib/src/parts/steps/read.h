/* SPDX-License-Identifier: MIT */
/* READ(table, index): every table read of every core, so that an instrumented build
 * (AESFIT_COUNT_READS) can count them under the table's name. */
#ifndef AESFIT_STEPS_READ_H
#define AESFIT_STEPS_READ_H

#include "../../core.h"

#ifdef AESFIT_COUNT_READS
#ifdef __cplusplus
extern "C"
#endif
    void
    aesfit_count_read(const char *table); /* given by the test that counts */
#define READ(table, index) (aesfit_count_read(#table), (table)[index])
#else
#define READ(table, index) ((table)[index])
#endif

/* READ() for cores that keep their state in registers.  Compilers for ARM reach constants from a
 * common anchor and add the table's distance to it at every read; this keeps the table's own
 * address in a register. */
#if (AESFIT_ARM_STATE || AESFIT_THUMB2) && !defined(AESFIT_COUNT_READS)
#define READ_HELD(table, index)                                                                    \
    (__extension__({                                                                               \
        const __typeof__((table)[0]) *read_base = (table);                                         \
        AESFIT_BARRIER(read_base);                                                                 \
        read_base;                                                                                 \
    })[index])
#else
#define READ_HELD(table, index) READ(table, index)
#endif

/* Four reads, one after the other: each variable is an index, and becomes what stands there. */
#define READ_FOUR(table, a, b, c, d)                                                               \
    do {                                                                                           \
        AESFIT_BARRIER4(a, b, c, d);                                                               \
        (a) = READ_HELD(table, a);                                                                 \
        (b) = READ_HELD(table, b);                                                                 \
        (c) = READ_HELD(table, c);                                                                 \
        (d) = READ_HELD(table, d);                                                                 \
        AESFIT_BARRIER4(a, b, c, d);                                                               \
    } while (0)

#endif
