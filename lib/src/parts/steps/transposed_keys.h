/* SPDX-License-Identifier: MIT */
/* The key schedule computed on transposed words, after Bertoni et al., CHES 2002, section 3.2.
 *
 * A word holds a row of four neighbouring columns, the first in the low byte (the paper's order is
 * the reverse, so its right shifts are left shifts here).  In FIPS 197 every column of a step adds
 * the column before it; on a row that is a sum over all earlier bytes, which two shifts and two
 * XOR give (the paper writes the same sum with three).
 *
 * a: the first four columns of a step.
 * b: the rest of a step.  256-bit keys: columns 4 to 7.  192-bit keys: columns 4 and 5 in the TOP
 * half of each word, the low half zero: so column 5 is `b >> 24` without a mask, and what a shift
 * carries out of the half is gone.
 *
 * S-box reads, all of a last column: 4 per step, 8 per step of 256-bit keys. */
#ifndef AESFIT_STEPS_TRANSPOSED_KEYS_H
#define AESFIT_STEPS_TRANSPOSED_KEYS_H

#include "../tables/rcon.h"
#include "transposed.h"

/* Adds to every byte all earlier ones; 2 XOR and 2 shifts a row.  With AESFIT_AS_PRINTED, defined
 * before this header is included, as the paper writes it: 3 XOR and 3 shifts. */
AESFIT_INLINE uint32_t transposed_sum_row(uint32_t x)
{
#ifdef AESFIT_AS_PRINTED
    return x ^ x << 8 ^ x << 16 ^ x << 24;
#else
    x ^= x << 8;
    return x ^ x << 16;
#endif
}

AESFIT_INLINE transposed_rows transposed_sum(transposed_rows a)
{
    a.r0 = transposed_sum_row(a.r0);
    a.r1 = transposed_sum_row(a.r1);
    a.r2 = transposed_sum_row(a.r2);
    a.r3 = transposed_sum_row(a.r3);
    return a;
}

/* Undoes that: every byte loses the one before it; 1 XOR and 1 shift a row. */
AESFIT_INLINE transposed_rows transposed_difference(transposed_rows a)
{
    a.r0 ^= a.r0 << 8;
    a.r1 ^= a.r1 << 8;
    a.r2 ^= a.r2 << 8;
    a.r3 ^= a.r3 << 8;
    return a;
}

/* Adds SubWord(RotWord(last column of `from`)) and the round constant to column 0. */
AESFIT_INLINE transposed_rows transposed_add_core(transposed_rows a, transposed_rows from,
                                                  unsigned step)
{
    a.r0 ^= (uint32_t)READ_HELD(sbox, from.r1 >> 24) ^ rcon[step];
    a.r1 ^= READ_HELD(sbox, from.r2 >> 24);
    a.r2 ^= READ_HELD(sbox, from.r3 >> 24);
    a.r3 ^= READ_HELD(sbox, from.r0 >> 24);
    return a;
}

/* Adds SubWord(last column of `from`) to column 0: half-way in steps of 256-bit keys. */
AESFIT_INLINE transposed_rows transposed_add_sub(transposed_rows b, transposed_rows from)
{
    b.r0 ^= READ_HELD(sbox, from.r0 >> 24);
    b.r1 ^= READ_HELD(sbox, from.r1 >> 24);
    b.r2 ^= READ_HELD(sbox, from.r2 >> 24);
    b.r3 ^= READ_HELD(sbox, from.r3 >> 24);
    return b;
}

/* ------------------------------------------------------------ 128-bit keys */

AESFIT_INLINE transposed_rows transposed_step(transposed_rows a, unsigned step)
{
    return transposed_sum(transposed_add_core(a, a, step));
}

AESFIT_INLINE transposed_rows transposed_undo(transposed_rows a, unsigned step)
{
    a = transposed_difference(a);
    return transposed_add_core(a, a, step);
}

/* ----------------------------------------------------- 192 and 256-bit keys */

/* The paper's working array of eight words. */
typedef struct transposed_long {
    transposed_rows a, b;
} transposed_long;

/* a of step `step` + 1 from a and b of step `step`, and back. */
AESFIT_INLINE transposed_rows transposed_next_a(transposed_long k, unsigned step)
{
    return transposed_sum(transposed_add_core(k.a, k.b, step));
}

AESFIT_INLINE transposed_rows transposed_previous_a(transposed_long k, unsigned step)
{
    return transposed_add_core(transposed_difference(k.a), k.b, step);
}

/* The same of b, which belongs to a, in 256-bit keys. */
AESFIT_INLINE transposed_rows transposed_next_b256(transposed_long k)
{
    return transposed_sum(transposed_add_sub(k.b, k.a));
}

AESFIT_INLINE transposed_rows transposed_previous_b256(transposed_long k)
{
    return transposed_add_sub(transposed_difference(k.b), k.a);
}

/* What steps of 192-bit keys do to a row of b after a was done, and the reverse: column 4 adds
 * column 3 of a, column 5 adds column 4. */
AESFIT_INLINE uint32_t transposed_rest_row(uint32_t b, uint32_t a)
{
    b ^= a >> 8 & 0x00ff0000u;
    return b ^ b << 8;
}

AESFIT_INLINE uint32_t transposed_undo_rest_row(uint32_t b, uint32_t a)
{
    b ^= b << 8;
    return b ^ (a >> 8 & 0x00ff0000u);
}

/* A step of 192-bit keys, and the reverse. */
AESFIT_INLINE transposed_long transposed_step192(transposed_long k, unsigned step)
{
    k.a = transposed_next_a(k, step);
    k.b.r0 = transposed_rest_row(k.b.r0, k.a.r0);
    k.b.r1 = transposed_rest_row(k.b.r1, k.a.r1);
    k.b.r2 = transposed_rest_row(k.b.r2, k.a.r2);
    k.b.r3 = transposed_rest_row(k.b.r3, k.a.r3);
    return k;
}

AESFIT_INLINE transposed_long transposed_undo192(transposed_long k, unsigned step)
{
    k.b.r0 = transposed_undo_rest_row(k.b.r0, k.a.r0);
    k.b.r1 = transposed_undo_rest_row(k.b.r1, k.a.r1);
    k.b.r2 = transposed_undo_rest_row(k.b.r2, k.a.r2);
    k.b.r3 = transposed_undo_rest_row(k.b.r3, k.a.r3);
    k.a = transposed_previous_a(k, step);
    return k;
}

/* Three round keys of 192-bit keys lie in two steps: aaaa, bb and aa of the next, aabb. */

/* Adds the last two columns of k to the first two of s, and the first two to the last two: so what
 * straddles two steps is added without being put together. */
AESFIT_INLINE transposed_rows transposed_add_right(transposed_rows s, transposed_rows k)
{
    s.r0 ^= k.r0 >> 16;
    s.r1 ^= k.r1 >> 16;
    s.r2 ^= k.r2 >> 16;
    s.r3 ^= k.r3 >> 16;
    return s;
}

AESFIT_INLINE transposed_rows transposed_add_left(transposed_rows s, transposed_rows k)
{
    s.r0 ^= k.r0 << 16;
    s.r1 ^= k.r1 << 16;
    s.r2 ^= k.r2 << 16;
    s.r3 ^= k.r3 << 16;
    return s;
}

/* Columns 2 and 3 of `low`, then columns 0 and 1 of `high`. */
AESFIT_INLINE transposed_rows transposed_straddle(transposed_rows low, transposed_rows high)
{
    low.r0 = low.r0 >> 16 | high.r0 << 16;
    low.r1 = low.r1 >> 16 | high.r1 << 16;
    low.r2 = low.r2 >> 16 | high.r2 << 16;
    low.r3 = low.r3 >> 16 | high.r3 << 16;
    return low;
}

/* Columns 2 and 3 of a, then all of b. */
AESFIT_INLINE transposed_rows transposed_join(transposed_rows a, transposed_rows b)
{
    b.r0 |= a.r0 >> 16;
    b.r1 |= a.r1 >> 16;
    b.r2 |= a.r2 >> 16;
    b.r3 |= a.r3 >> 16;
    return b;
}

/* The start of the schedule: the key itself. */
AESFIT_INLINE transposed_long transposed_first(const uint8_t *bytes, unsigned key_words)
{
    transposed_long k;
    k.a = transposed_load(bytes);
    bytes += 16;
    if (key_words == 8) {
        k.b = transposed_load(bytes);
    } else {
        k.b.r0 = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[4] << 24;
        k.b.r1 = (uint32_t)bytes[1] << 16 | (uint32_t)bytes[5] << 24;
        k.b.r2 = (uint32_t)bytes[2] << 16 | (uint32_t)bytes[6] << 24;
        k.b.r3 = (uint32_t)bytes[3] << 16 | (uint32_t)bytes[7] << 24;
    }
    return k;
}

/* Saves the array in key_words words: of 192-bit keys the halves of b in pairs.  And back. */
AESFIT_INLINE void transposed_save(uint32_t *w, transposed_long k, unsigned key_words)
{
    transposed_put(w, k.a);
    if (key_words == 8) {
        transposed_put(w + 4, k.b);
    } else {
        w[4] = k.b.r0 >> 16 | k.b.r1;
        w[5] = k.b.r2 >> 16 | k.b.r3;
    }
}

AESFIT_INLINE transposed_long transposed_restore(const uint32_t *w, unsigned key_words)
{
    transposed_long k;
    k.a = transposed_get(w);
    if (key_words == 8) {
        k.b = transposed_get(w + 4);
    } else {
        k.b.r0 = w[4] << 16;
        k.b.r1 = w[4] & 0xffff0000u;
        k.b.r2 = w[5] << 16;
        k.b.r3 = w[5] & 0xffff0000u;
    }
    return k;
}

/* In advance: round keys 0 to `rounds`, four rows each, at w. */
AESFIT_INLINE void transposed_expand_long(uint32_t *w, const uint8_t *bytes, unsigned key_words,
                                          unsigned rounds)
{
    const uint32_t *end = w + 4 * (rounds + 1);
    transposed_long k = transposed_first(bytes, key_words);
    for (unsigned step = 0; key_words == 8 && w != end; w += 4) {
        transposed_put(w, k.a);
        k.a = transposed_next_a(k, step++);
        if ((w += 4) == end)
            break;
        transposed_put(w, k.b);
        k.b = transposed_next_b256(k);
    }
    for (unsigned step = 0; key_words == 6 && w != end; w += 4) {
        transposed_rows b = k.b;
        transposed_put(w, k.a);
        if ((w += 4) == end)
            break;
        k = transposed_step192(k, step++);
        transposed_put(w, transposed_straddle(b, k.a));
        if ((w += 4) == end)
            break;
        transposed_put(w, transposed_join(k.a, k.b));
        k = transposed_step192(k, step++);
    }
}

#endif
