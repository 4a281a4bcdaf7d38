/* SPDX-License-Identifier: MIT */
/* Rounds on four columns for processors of eight registers that multiply in one cycle (Cortex-M0
 * and M0+ with the fast multiplier): a state is four words of memory, and the registers are left to
 * a single column.  Callers hide from the compiler where w points, or it would keep the words in
 * registers that it does not have. */
#ifndef AESFIT_STEPS_COLUMNS_MUL_H
#define AESFIT_STEPS_COLUMNS_MUL_H

#include "columns_words.h"
#include "field_mul.h"
#include "read.h"
#include "../tables/inv_sbox.h"
#include "../tables/sbox.h"
#include "../wipe.h"

/* Where byte r, 0 the lowest, of word c modulo 4 lies. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define COLUMNS_MUL_AT(c, r) (4 * ((c) % 4) + 3 - (r))
#else
#define COLUMNS_MUL_AT(c, r) (4 * ((c) % 4) + (r))
#endif

/* Column c of the state after SubBytes and ShiftRows, or after their inverses. */
AESFIT_INLINE uint32_t columns_mul_gather(const uint32_t *w, unsigned c)
{
    const uint8_t *p = (const uint8_t *)w;
    uint32_t x = READ(sbox, p[COLUMNS_MUL_AT(c + 3, 3)]);
    x = ordered_barrier(x << 8 | READ(sbox, p[COLUMNS_MUL_AT(c + 2, 2)]));
    x = ordered_barrier(x << 8 | READ(sbox, p[COLUMNS_MUL_AT(c + 1, 1)]));
    return ordered_barrier(x << 8 | READ(sbox, p[COLUMNS_MUL_AT(c, 0)]));
}

AESFIT_INLINE uint32_t columns_mul_gather_back(const uint32_t *w, unsigned c)
{
    const uint8_t *p = (const uint8_t *)w;
    uint32_t x = READ(inv_sbox, p[COLUMNS_MUL_AT(c + 1, 3)]);
    x = ordered_barrier(x << 8 | READ(inv_sbox, p[COLUMNS_MUL_AT(c + 2, 2)]));
    x = ordered_barrier(x << 8 | READ(inv_sbox, p[COLUMNS_MUL_AT(c + 3, 1)]));
    return ordered_barrier(x << 8 | READ(inv_sbox, p[COLUMNS_MUL_AT(c, 0)]));
}

/* Wipes two states: eight stores, where a call of memset takes twice the cycles. */
AESFIT_INLINE void columns_mul_wipe(uint32_t *w)
{
    columns zero;
    zero.c0 = zero.c1 = zero.c2 = zero.c3 = 0;
    columns_put(w, zero);
    columns_put(w + 4, zero);
    wipe(w, 0); /* what is stored counts as read */
}

/* Column c of a middle round, into word c of `to`. */
AESFIT_INLINE void columns_mul_column(uint32_t *to, const uint32_t *from, const uint32_t *k,
                                      unsigned c)
{
    to[c] = ordered_barrier(mix_column_mul(columns_mul_gather(from, c)) ^ k[c]);
}

AESFIT_INLINE void columns_mul_column_back(uint32_t *to, const uint32_t *from, const uint32_t *k,
                                           unsigned c)
{
    to[c] = ordered_barrier(inv_mix_column_mul(columns_mul_gather_back(from, c) ^ k[c]));
}

/* A middle round. */
AESFIT_INLINE void columns_mul_round(uint32_t *to, const uint32_t *from, const uint32_t *k)
{
    columns_mul_column(to, from, k, 0);
    columns_mul_column(to, from, k, 1);
    columns_mul_column(to, from, k, 2);
    columns_mul_column(to, from, k, 3);
}

AESFIT_INLINE void columns_mul_round_back(uint32_t *to, const uint32_t *from, const uint32_t *k)
{
    columns_mul_column_back(to, from, k, 0);
    columns_mul_column_back(to, from, k, 1);
    columns_mul_column_back(to, from, k, 2);
    columns_mul_column_back(to, from, k, 3);
}

#undef COLUMNS_MUL_AT

#endif
