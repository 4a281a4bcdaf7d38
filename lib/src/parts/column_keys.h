/* SPDX-License-Identifier: MIT */
/* The key schedule of FIPS 197, 5.2, a 32-bit column at a time, row 0 in the low byte: computed
 * in advance, or on the fly as a window of Nk columns that moves along the schedule, forwards or
 * backwards.  RotWord is a rotation right by 8 bits. */
#ifndef AESFIT_PARTS_COLUMN_KEYS_H
#define AESFIT_PARTS_COLUMN_KEYS_H

#include "bytes.h"
#include "field.h"
#include "rcon.h"

/* SubWord(x) ^ constant, from whichever table the core has; or what that becomes where all
 * columns are kept as InvMixColumns makes them.  Always a constant argument, so it is inlined. */
typedef uint32_t column_keys_sub(uint32_t x, uint32_t constant);

/* Writes the first `words` (at least nk) columns of the schedule to w.
 * 1 XOR a column; in every nk-th 4 reads, 1 rotation and 1 XOR more; with nk = 8 another 4 reads
 * half-way. */
AESFIT_INLINE void column_keys_expand(uint32_t *w, const uint8_t *bytes, unsigned nk,
                                      unsigned words, column_keys_sub *sub)
{
    const uint32_t *last = w + words - nk;
    for (unsigned i = 0; i < nk; i++)
        w[i] = load32_le(bytes + 4 * i);
    uint32_t t = w[nk - 1];
    for (unsigned step = 0; w < last; step++) {
        t = sub(rotl32(t, 24), rcon[step]);
        for (unsigned i = 0; i < nk && w < last; i++, w++) {
            if (i == 4 && nk == 8)
                t = sub(t, 0);
            t ^= w[0];
            w[nk] = t;
        }
    }
}

/* Round keys dk of the equivalent inverse cipher (FIPS 197, 5.3.5) from ek: all but the first and
 * the last go through `inv_mix`, InvMixColumns of a column.  dk == ek is allowed. */
AESFIT_INLINE void column_keys_invert(uint32_t *dk, const uint32_t *ek, unsigned rounds,
                                      uint32_t (*inv_mix)(uint32_t))
{
    const uint32_t *end = dk + 4 * rounds;
    for (int i = 0; i < 4; i++)
        *dk++ = *ek++;
    while (dk != end)
        *dk++ = inv_mix(*ek++);
    for (int i = 0; i < 4; i++)
        *dk++ = *ek++;
}

/* ------------------------------------------------- on the fly, 128-bit keys */

/* Round key `step` + 1 from round key `step`.  4 reads, 5 XOR, 1 rotation. */
AESFIT_INLINE void column_keys_step(uint32_t k[4], unsigned step, column_keys_sub *sub)
{
    k[0] ^= sub(rotl32(k[3], 24), rcon[step]);
    k[1] ^= k[0];
    k[2] ^= k[1];
    k[3] ^= k[2];
}

/* The reverse, at the same cost. */
AESFIT_INLINE void column_keys_undo(uint32_t k[4], unsigned step, column_keys_sub *sub)
{
    k[3] ^= k[2];
    k[2] ^= k[1];
    k[1] ^= k[0];
    k[0] ^= sub(rotl32(k[3], 24), rcon[step]);
}

/* ---------------------------------------- on the fly, any key: moving window */

/* w[i mod nk] holds column i of the schedule for nk neighbouring i.  Columns are handed out one
 * after the other; the first nk of them as they stand in the window at the start. */
typedef struct column_keys_window {
    uint32_t w[8];
    unsigned nk;
    unsigned at;    /* i mod nk of the column to hand out next */
    unsigned step;  /* i div nk of it */
    unsigned ready; /* columns still to hand out as they stand */
} column_keys_window;

/* What column `step` * nk + `at` adds to the column nk before it. */
AESFIT_INLINE uint32_t column_keys_added(const column_keys_window *k, unsigned step,
                                         column_keys_sub *sub)
{
    if (k->at == 0)
        return sub(rotl32(k->w[k->nk - 1], 24), rcon[step - 1]);
    return k->at == 4 && k->nk == 8 ? sub(k->w[3], 0) : k->w[k->at - 1];
}

/* A window that starts with the first nk columns, for next(). */
AESFIT_INLINE void column_keys_first(column_keys_window *k, const uint32_t *w, unsigned nk)
{
    k->nk = k->ready = nk;
    k->at = k->step = 0;
    memcpy(k->w, w, 4 * nk);
}

/* A window that starts with the last nk columns of a schedule, for previous(). */
AESFIT_INLINE void column_keys_last(column_keys_window *k, const uint32_t *w, unsigned nk,
                                    unsigned rounds)
{
    k->nk = k->ready = nk;
    k->step = 0;
    for (k->at = 4 * rounds + 3; k->at >= nk; k->at -= nk)
        k->step++; /* no division: the smallest processors have none */
    memcpy(k->w, w, 4 * nk);
}

/* The next round key. */
AESFIT_INLINE void column_keys_next(column_keys_window *k, uint32_t out[4], column_keys_sub *sub)
{
    for (int i = 0; i < 4; i++) {
        if (k->ready > 0)
            k->ready--;
        else
            k->w[k->at] ^= column_keys_added(k, k->step, sub);
        out[i] = k->w[k->at++];
        if (k->at == k->nk) {
            k->at = 0;
            k->step++;
        }
    }
}

/* The previous round key. */
AESFIT_INLINE void column_keys_previous(column_keys_window *k, uint32_t out[4],
                                        column_keys_sub *sub)
{
    for (int i = 3; i >= 0; i--) {
        if (k->ready > 0)
            k->ready--;
        else
            k->w[k->at] ^= column_keys_added(k, k->step + 1, sub);
        out[i] = k->w[k->at];
        if (k->at-- == 0) {
            k->at = k->nk - 1;
            k->step--;
        }
    }
}

#endif
