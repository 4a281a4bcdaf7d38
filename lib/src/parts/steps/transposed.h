/* SPDX-License-Identifier: MIT */
/* The transposed state of Bertoni et al., CHES 2002, section 3.1: word r is row r of the state,
 * column 0 in the low byte.  So ShiftRows only chooses which byte of its own row goes where, and
 * MixColumns works on four columns at once without a rotation. */
#ifndef AESFIT_STEPS_TRANSPOSED_H
#define AESFIT_STEPS_TRANSPOSED_H

#include "../bytes.h"
#include "field.h"
#include "../tables/inv_sbox.h"
#include "packed_bytes.h"
#include "read.h"
#include "../tables/sbox.h"

/* Row of four bytes that stand four apart: p points at the first. */
AESFIT_INLINE uint32_t transposed_load_row(const uint8_t *p)
{
    return pack_bytes(p[0], p[4], p[8], p[12]);
}

AESFIT_INLINE void transposed_store_row(uint8_t *p, uint32_t row)
{
    p[0] = (uint8_t)row;
    p[4] = (uint8_t)(row >> 8);
    p[8] = (uint8_t)(row >> 16);
    p[12] = (uint8_t)(row >> 24);
}

/* SubBytes of a row and its rotation left by `by` columns: r for ShiftRows of row r, 4 - r for
 * its inverse.  4 reads, 3 OR. */
AESFIT_INLINE uint32_t transposed_sub_row(uint32_t row, unsigned by)
{
    uint32_t a = byte_of(row, by % 4), b = byte_of(row, (by + 1) % 4);
    uint32_t c = byte_of(row, (by + 2) % 4), d = byte_of(row, (by + 3) % 4);
    READ_FOUR(sbox, a, b, c, d);
    return pack_bytes(a, b, c, d);
}

AESFIT_INLINE uint32_t transposed_inv_sub_row(uint32_t row, unsigned by)
{
    uint32_t a = byte_of(row, by % 4), b = byte_of(row, (by + 1) % 4);
    uint32_t c = byte_of(row, (by + 2) % 4), d = byte_of(row, (by + 3) % 4);
    READ_FOUR(inv_sbox, a, b, c, d);
    return pack_bytes(a, b, c, d);
}

/* The four rows of a state; named, not indexed, so that compilers keep them in registers at every
 * optimisation level. */
typedef struct transposed_rows {
    uint32_t r0, r1, r2, r3;
} transposed_rows;

/* A block, or the first four columns of a key. */
AESFIT_INLINE transposed_rows transposed_load(const uint8_t *in)
{
    transposed_rows s;
    s.r0 = transposed_load_row(in);
    s.r1 = transposed_load_row(in + 1);
    s.r2 = transposed_load_row(in + 2);
    s.r3 = transposed_load_row(in + 3);
    return s;
}

AESFIT_INLINE void transposed_store(uint8_t *out, transposed_rows s)
{
    transposed_store_row(out, s.r0);
    transposed_store_row(out + 1, s.r1);
    transposed_store_row(out + 2, s.r2);
    transposed_store_row(out + 3, s.r3);
}

/* Round keys: four rows, one after the other. */
AESFIT_INLINE transposed_rows transposed_get(const uint32_t *k)
{
    transposed_rows s;
    s.r0 = k[0];
    s.r1 = k[1];
    s.r2 = k[2];
    s.r3 = k[3];
    return s;
}

AESFIT_INLINE void transposed_put(uint32_t *k, transposed_rows s)
{
    k[0] = s.r0;
    k[1] = s.r1;
    k[2] = s.r2;
    k[3] = s.r3;
}

AESFIT_INLINE transposed_rows transposed_add(transposed_rows s, transposed_rows k)
{
    s.r0 ^= k.r0;
    s.r1 ^= k.r1;
    s.r2 ^= k.r2;
    s.r3 ^= k.r3;
    return s;
}

/* SubBytes and ShiftRows.  16 reads. */
AESFIT_INLINE transposed_rows transposed_sub_shift(transposed_rows s)
{
    s.r0 = transposed_sub_row(s.r0, 0);
    s.r1 = transposed_sub_row(s.r1, 1);
    s.r2 = transposed_sub_row(s.r2, 2);
    s.r3 = transposed_sub_row(s.r3, 3);
    return s;
}

AESFIT_INLINE transposed_rows transposed_inv_sub_shift(transposed_rows s)
{
    s.r0 = transposed_inv_sub_row(s.r0, 0);
    s.r1 = transposed_inv_sub_row(s.r1, 3);
    s.r2 = transposed_inv_sub_row(s.r2, 2);
    s.r3 = transposed_inv_sub_row(s.r3, 1);
    return s;
}

/* Sums of rows 0 and 2 and of rows 1 and 3, doubled: of them InvMixColumns goes on. */
typedef struct transposed_doubled {
    uint32_t even, odd;
} transposed_doubled;

/* MixColumns in three steps, as table 1 of the paper: sums, doublings, sums.  A row becomes the
 * double of its sum with the next row, and the other three rows.  The four sums to double add up
 * to zero: so the fourth double is the sum of the first three, all but one of which rows 0 and 1
 * have already.  12 XOR, 3 doublings, no rotation (the paper: 16 and 4). */
AESFIT_INLINE transposed_rows transposed_mix_doubled(transposed_rows x, transposed_doubled *twice)
{
    uint32_t a = x.r0 ^ x.r1, b = x.r1 ^ x.r2, c = x.r2 ^ x.r3;
    transposed_rows y;
    y.r0 = arm_ordered_barrier(x.r1 ^ c);
    y.r1 = arm_ordered_barrier(x.r0 ^ c);
    y.r2 = arm_ordered_barrier(x.r3 ^ a);
    a = xtime4(a);
    b = xtime4(b);
    c = xtime4(c);
    twice->even = a ^ b;
    twice->odd = b ^ c;
    y.r0 = arm_ordered_barrier(y.r0 ^ a);
    y.r1 = arm_ordered_barrier(y.r1 ^ b);
    y.r2 = arm_ordered_barrier(y.r2 ^ c);
    y.r3 = arm_ordered_barrier(y.r0 ^ y.r1 ^ x.r2 ^ c);
    return y;
}

AESFIT_INLINE transposed_rows transposed_mix(transposed_rows x)
{
    transposed_doubled twice;
    return transposed_mix_doubled(x, &twice);
}

/* InvMixColumns: MixColumns, then two more steps of doublings and sums.  Of its coefficients 0e 0b
 * 0d 09 only 0e and 0d contain 04, two rows apart, so that these rows are added before they are
 * doubled again; all contain 08, so that all rows are added before the last doubling.
 * 21 XOR, 6 doublings (the paper: 27 and 7). */
AESFIT_INLINE transposed_rows transposed_inv_mix(transposed_rows x)
{
    transposed_doubled twice;
    transposed_rows y = transposed_mix_doubled(x, &twice);
    uint32_t even = xtime4(twice.even), odd = xtime4(twice.odd); /* 04 */
    uint32_t all = xtime4(even ^ odd);                           /* 08 */
    even ^= all;
    odd ^= all;
    y.r0 ^= even;
    y.r1 ^= odd;
    y.r2 ^= even;
    y.r3 ^= odd;
    return y;
}

#endif
