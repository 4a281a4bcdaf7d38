/* SPDX-License-Identifier: MIT */
/* MixColumns, InvMixColumns and the transposition of a block as Bertoni et al., CHES 2002, print or
 * describe them, operation by operation; transposed.h has the library's own, which need fewer. */
#ifndef AESFIT_STEPS_TRANSPOSED_PRINTED_H
#define AESFIT_STEPS_TRANSPOSED_PRINTED_H

#include "columns.h"
#include "printed.h"
#include "transposed.h"

/* ----------------------------------------------- MixColumns, section 3.1 and table 1 */

/* First step: of each row the sum of the other three.  No two of them have a pair of terms in
 * common.  8 XOR. */
AESFIT_INLINE transposed_rows printed_first(transposed_rows x)
{
    transposed_rows y;
    y.r0 = printed_sum(printed_sum(x.r1, x.r2), x.r3);
    y.r1 = printed_sum(printed_sum(x.r2, x.r3), x.r0);
    y.r2 = printed_sum(printed_sum(x.r3, x.r0), x.r1);
    y.r3 = printed_sum(printed_sum(x.r0, x.r1), x.r2);
    return y;
}

/* Second step.  4 doublings. */
AESFIT_INLINE transposed_rows printed_second(transposed_rows x)
{
    x.r0 = printed_twice(x.r0);
    x.r1 = printed_twice(x.r1);
    x.r2 = printed_twice(x.r2);
    x.r3 = printed_twice(x.r3);
    return x;
}

/* Third step: x are the doubled rows.  8 XOR. */
AESFIT_INLINE transposed_rows printed_third(transposed_rows y, transposed_rows x)
{
    y.r0 = printed_sum(printed_sum(y.r0, x.r0), x.r1);
    y.r1 = printed_sum(printed_sum(y.r1, x.r1), x.r2);
    y.r2 = printed_sum(printed_sum(y.r2, x.r2), x.r3);
    y.r3 = printed_sum(printed_sum(y.r3, x.r0), x.r3);
    return y;
}

/* 16 XOR, 4 doublings, no rotation. */
AESFIT_INLINE transposed_rows printed_mix(transposed_rows x)
{
    transposed_rows y = printed_first(x);
    x = printed_second(x);
    return printed_third(y, x);
}

/* The text below table 1: 1, 2, 4 and 8 times a row, the last two of sums of rows.
 * 27 XOR, 7 doublings, no rotation. */
AESFIT_INLINE transposed_rows printed_inv_mix(transposed_rows x)
{
    transposed_rows y = printed_first(x);
    x = printed_second(x);
    y = printed_third(y, x);
    uint32_t even = printed_twice(printed_sum(x.r0, x.r2));
    uint32_t odd = printed_twice(printed_sum(x.r1, x.r3));
    y.r0 = printed_sum(y.r0, even);
    y.r1 = printed_sum(y.r1, odd);
    y.r2 = printed_sum(y.r2, even);
    y.r3 = printed_sum(y.r3, odd);
    even = printed_twice(printed_sum(even, odd));
    y.r0 = printed_sum(y.r0, even);
    y.r1 = printed_sum(y.r1, even);
    y.r2 = printed_sum(y.r2, even);
    y.r3 = printed_sum(y.r3, even);
    return y;
}

/* --------------------------------------------------- transposition of a block, section 4 */

/* The part of b that `mask` covers changes places with that of a, `by` bits higher.
 * 3 XOR, 1 AND, 2 shifts, which are free on ARM. */
AESFIT_INLINE void printed_swap(uint32_t *a, uint32_t *b, unsigned by, uint32_t mask)
{
    uint32_t differ = (*a >> by ^ *b) & mask;
    *b ^= differ;
    *a ^= differ << by;
}

/* Of four by four bytes, first inside blocks of two by two, then these; its own inverse.  The paper
 * gives its cost alone, "about 20 cycles"; these are 16 instructions on ARM, and two masks. */
AESFIT_INLINE transposed_rows printed_transpose(transposed_rows x)
{
    uint32_t bytes = 0x00ff00ffu, halves = 0x0000ffffu;
    printed_swap(&x.r0, &x.r1, 8, bytes);
    printed_swap(&x.r2, &x.r3, 8, bytes);
    printed_swap(&x.r0, &x.r2, 16, halves);
    printed_swap(&x.r1, &x.r3, 16, halves);
    return x;
}

/* Four words, one after the other, as rows. */
AESFIT_INLINE transposed_rows printed_load_words(const uint8_t *in)
{
    columns c = columns_load(in);
    transposed_rows s = {c.c0, c.c1, c.c2, c.c3};
    return s;
}

AESFIT_INLINE void printed_store_words(uint8_t *out, transposed_rows s)
{
    columns c = {s.r0, s.r1, s.r2, s.r3};
    columns_store(out, c);
}

/* A block to rows and back.  With AESFIT_DATA_TRANSPOSED blocks arrive and leave row by row, and
 * "the transposition code could be stripped off" (section 4); the result is not AES. */
AESFIT_INLINE transposed_rows printed_load(const uint8_t *in)
{
    transposed_rows s = printed_load_words(in);
#ifndef AESFIT_DATA_TRANSPOSED
    s = printed_transpose(s);
#endif
    return s;
}

AESFIT_INLINE void printed_store(uint8_t *out, transposed_rows s)
{
#ifndef AESFIT_DATA_TRANSPOSED
    s = printed_transpose(s);
#endif
    printed_store_words(out, s);
}

#endif
