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

/* ----------------------------- 192 and 256-bit keys, one round key after the other */

/* The paper's working array of eight words, and where in the schedule it stands. */
typedef struct transposed_window {
    transposed_rows a, b;
    unsigned key_words; /* 6 or 8 */
    unsigned steps;     /* made so far */
    unsigned phase;     /* of the round key to give next: its number modulo 3 (192) or 2 (256) */
    unsigned ready;     /* round keys still to give before the array moves: 1 or 2 */
} transposed_window;

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

AESFIT_INLINE void transposed_step192(transposed_window *k)
{
    transposed_rows a = transposed_sum(transposed_add_core(k->a, k->b, k->steps++));
    k->b.r0 = transposed_rest_row(k->b.r0, a.r0);
    k->b.r1 = transposed_rest_row(k->b.r1, a.r1);
    k->b.r2 = transposed_rest_row(k->b.r2, a.r2);
    k->b.r3 = transposed_rest_row(k->b.r3, a.r3);
    k->a = a;
}

AESFIT_INLINE void transposed_undo192(transposed_window *k)
{
    k->b.r0 = transposed_undo_rest_row(k->b.r0, k->a.r0);
    k->b.r1 = transposed_undo_rest_row(k->b.r1, k->a.r1);
    k->b.r2 = transposed_undo_rest_row(k->b.r2, k->a.r2);
    k->b.r3 = transposed_undo_rest_row(k->b.r3, k->a.r3);
    k->a = transposed_add_core(transposed_difference(k->a), k->b, --k->steps);
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

/* Three round keys of 192-bit keys lie in two steps: aaaa, bb and aa of the next, aabb. */
AESFIT_INLINE transposed_rows transposed_next192(transposed_window *k, int stands)
{
    transposed_rows b = k->b;
    if (k->phase == 1 || (k->phase == 0 && !stands))
        transposed_step192(k);
    unsigned phase = k->phase;
    k->phase = phase == 2 ? 0 : phase + 1;
    if (phase == 0)
        return k->a;
    return phase == 1 ? transposed_straddle(b, k->a) : transposed_join(k->a, k->b);
}

AESFIT_INLINE transposed_rows transposed_previous192(transposed_window *k, int stands)
{
    transposed_rows a = k->a;
    if (k->phase == 1 || (k->phase == 2 && !stands))
        transposed_undo192(k);
    unsigned phase = k->phase;
    k->phase = phase == 0 ? 2 : phase - 1;
    if (phase == 0)
        return k->a;
    return phase == 1 ? transposed_straddle(k->b, a) : transposed_join(k->a, k->b);
}

/* The even round keys of 256-bit keys are a, the odd ones b. */
AESFIT_INLINE transposed_rows transposed_next256(transposed_window *k, int stands)
{
    if (k->phase == 0 && !stands)
        k->a = transposed_sum(transposed_add_core(k->a, k->b, k->steps++));
    else if (!stands)
        k->b = transposed_sum(transposed_add_sub(k->b, k->a));
    k->phase ^= 1;
    return k->phase == 1 ? k->a : k->b;
}

AESFIT_INLINE transposed_rows transposed_previous256(transposed_window *k, int stands)
{
    if (k->phase == 0 && !stands)
        k->a = transposed_add_core(transposed_difference(k->a), k->b, --k->steps);
    else if (!stands)
        k->b = transposed_add_sub(transposed_difference(k->b), k->a);
    k->phase ^= 1;
    return k->phase == 1 ? k->a : k->b;
}

AESFIT_INLINE transposed_rows transposed_next(transposed_window *k)
{
    int stands = k->ready > 0;
    k->ready -= stands != 0;
    return k->key_words == 6 ? transposed_next192(k, stands) : transposed_next256(k, stands);
}

AESFIT_INLINE transposed_rows transposed_previous(transposed_window *k)
{
    int stands = k->ready > 0;
    k->ready -= stands != 0;
    return k->key_words == 6 ? transposed_previous192(k, stands)
                             : transposed_previous256(k, stands);
}

/* The window at the start of the schedule: the key itself. */
AESFIT_INLINE void transposed_first(transposed_window *k, const uint8_t *bytes, unsigned key_words)
{
    k->a = transposed_load(bytes);
    bytes += 16;
    if (key_words == 8) {
        k->b = transposed_load(bytes);
    } else {
        k->b.r0 = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[4] << 24;
        k->b.r1 = (uint32_t)bytes[1] << 16 | (uint32_t)bytes[5] << 24;
        k->b.r2 = (uint32_t)bytes[2] << 16 | (uint32_t)bytes[6] << 24;
        k->b.r3 = (uint32_t)bytes[3] << 16 | (uint32_t)bytes[7] << 24;
    }
    k->key_words = key_words;
    k->steps = k->phase = 0;
    k->ready = key_words == 8 ? 2 : 1;
}

/* Saves the array in key_words words: of 192-bit keys the halves of b in pairs. */
AESFIT_INLINE void transposed_save(uint32_t *w, const transposed_window *k)
{
    transposed_put(w, k->a);
    if (k->key_words == 8) {
        transposed_put(w + 4, k->b);
    } else {
        w[4] = k->b.r0 >> 16 | k->b.r1;
        w[5] = k->b.r2 >> 16 | k->b.r3;
    }
}

/* Restores a saved array that stands at round key `round`, 0 or the last. */
AESFIT_INLINE void transposed_restore(transposed_window *k, const uint32_t *w, unsigned key_words,
                                      unsigned round)
{
    k->a = transposed_get(w);
    k->key_words = key_words;
    if (key_words == 8) {
        k->b = transposed_get(w + 4);
        k->steps = round >> 1;
        k->phase = round & 1;
        k->ready = 2;
    } else {
        k->b.r0 = w[4] << 16;
        k->b.r1 = w[4] & 0xffff0000u;
        k->b.r2 = w[5] << 16;
        k->b.r3 = w[5] & 0xffff0000u;
        for (k->steps = 0; round > 2; round -= 3)
            k->steps += 2; /* no division: the smallest processors have none */
        k->steps += round > 0;
        k->phase = round;
        k->ready = 1;
    }
}

#endif
