/* SPDX-License-Identifier: MIT */
/* The state, or a round key, as four 32-bit columns, row 0 in the low byte. */
#ifndef AESFIT_STEPS_COLUMNS_H
#define AESFIT_STEPS_COLUMNS_H

#include "../bytes.h"

/* Named, not indexed, so that compilers keep them in registers at every optimisation level. */
typedef struct columns {
    uint32_t c0, c1, c2, c3;
} columns;

/* A block. */
AESFIT_INLINE columns columns_load(const uint8_t *in)
{
    columns s;
    s.c0 = load32_le(in);
    s.c1 = load32_le(in + 4);
    s.c2 = load32_le(in + 8);
    s.c3 = load32_le(in + 12);
    return s;
}

AESFIT_INLINE void columns_store(uint8_t *out, columns s)
{
    store32_le(out, s.c0);
    store32_le(out + 4, s.c1);
    store32_le(out + 8, s.c2);
    store32_le(out + 12, s.c3);
}

/* A round key. */
AESFIT_INLINE columns columns_get(const uint32_t *k)
{
    columns s;
    s.c0 = k[0];
    s.c1 = k[1];
    s.c2 = k[2];
    s.c3 = k[3];
    return s;
}

AESFIT_INLINE void columns_put(uint32_t *k, columns s)
{
    k[0] = s.c0;
    k[1] = s.c1;
    k[2] = s.c2;
    k[3] = s.c3;
}

AESFIT_INLINE columns columns_add(columns s, columns k)
{
    s.c0 ^= k.c0;
    s.c1 ^= k.c1;
    s.c2 ^= k.c2;
    s.c3 ^= k.c3;
    return s;
}

/* A function of a column, and of a column that ShiftRows brings together: its row r is row r of
 * the r-th argument.  Always a constant argument, so it is inlined. */
typedef uint32_t columns_function(uint32_t x);
typedef uint32_t columns_gathering(uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/* All columns first, then one after the other: see compiler.h. */
AESFIT_INLINE columns columns_map(columns s, columns_function *f)
{
    s.c0 = arm_ordered_barrier(s.c0);
    s.c1 = arm_ordered_barrier(s.c1);
    s.c2 = arm_ordered_barrier(s.c2);
    s.c3 = arm_ordered_barrier(s.c3);
    s.c0 = arm_ordered_barrier(f(s.c0));
    s.c1 = arm_ordered_barrier(f(s.c1));
    s.c2 = arm_ordered_barrier(f(s.c2));
    s.c3 = arm_ordered_barrier(f(s.c3));
    return s;
}

/* ShiftRows: row r of a column comes r columns from the right; backwards from the left. */
AESFIT_INLINE columns columns_gather(columns s, columns_gathering *f)
{
    columns t;
    t.c0 = f(s.c0, s.c1, s.c2, s.c3);
    t.c1 = f(s.c1, s.c2, s.c3, s.c0);
    t.c2 = f(s.c2, s.c3, s.c0, s.c1);
    t.c3 = f(s.c3, s.c0, s.c1, s.c2);
    return t;
}

AESFIT_INLINE columns columns_gather_back(columns s, columns_gathering *f)
{
    columns t;
    t.c0 = f(s.c0, s.c3, s.c2, s.c1);
    t.c1 = f(s.c1, s.c0, s.c3, s.c2);
    t.c2 = f(s.c2, s.c1, s.c0, s.c3);
    t.c3 = f(s.c3, s.c2, s.c1, s.c0);
    return t;
}

#endif
