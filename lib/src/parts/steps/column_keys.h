/* SPDX-License-Identifier: MIT */
/* The key schedule of FIPS 197, 5.2, a 32-bit column at a time, row 0 in the low byte: computed
 * in advance, or on the fly as a window of Nk columns that moves along the schedule, forwards or
 * backwards.  RotWord is a rotation right by 8 bits. */
#ifndef AESFIT_STEPS_COLUMN_KEYS_H
#define AESFIT_STEPS_COLUMN_KEYS_H

#include "columns.h"
#include "../tables/rcon.h"
#include "../wipe.h"

/* SubWord(x) ^ constant, from whichever table the core has; or what that becomes where all
 * columns are kept as InvMixColumns makes them.  Always a constant argument, so it is inlined. */
typedef uint32_t column_keys_sub(uint32_t x, uint32_t constant);

/* 128-bit keys: round key `step` + 1 from round key `step`.  4 reads, 5 XOR, 1 rotation. */
AESFIT_INLINE columns column_keys_step(columns k, unsigned step, column_keys_sub *sub)
{
    k.c0 ^= sub(rotl32(k.c3, 24), rcon[step]);
    k.c1 ^= k.c0;
    k.c2 ^= k.c1;
    k.c3 ^= k.c2;
    return k;
}

/* The reverse, at the same cost. */
AESFIT_INLINE columns column_keys_undo(columns k, unsigned step, column_keys_sub *sub)
{
    k.c3 ^= k.c2;
    k.c2 ^= k.c1;
    k.c1 ^= k.c0;
    k.c0 ^= sub(rotl32(k.c3, 24), rcon[step]);
    return k;
}

/* -------------------------------------------------------------- in advance */

/* Writes the round keys 0 to `rounds` to w.  1 XOR a column; in every nk-th 4 reads, 1 rotation
 * and 1 XOR more; with nk = 8 another 4 reads half-way. */
AESFIT_INLINE void column_keys_expand(uint32_t *w, const uint8_t *bytes, unsigned nk,
                                      unsigned rounds, column_keys_sub *sub)
{
    const uint32_t *last = w + 4 * (rounds + 1) - nk;
    columns k = columns_load(bytes);
    columns_put(w, k);
    for (unsigned step = 0; nk == 4 && w != last; step++) { /* a round key a step */
        k = column_keys_step(k, step, sub);
        columns_put(w += 4, k);
    }
    for (unsigned i = 4; i < nk; i++)
        w[i] = load32_le(bytes + 4 * i);
    for (unsigned step = 0; w != last; step++) {
        uint32_t t = sub(rotl32(w[nk - 1], 24), rcon[step]);
        for (unsigned i = 0; i < nk && w != last; i++, w++) {
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
                                      columns_function *inv_mix)
{
    const uint32_t *last = ek + 4 * rounds;
    columns_put(dk, columns_get(ek));
    for (ek += 4, dk += 4; ek != last; ek++, dk++)
        *dk = inv_mix(*ek);
    columns_put(dk, columns_get(ek));
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

/* XORs into w[at] what makes column step * nk + at of the column nk before it, or the reverse. */
AESFIT_INLINE void column_keys_update(column_keys_window *k, unsigned step, column_keys_sub *sub)
{
    uint32_t before = k->w[(k->at > 0 ? k->at : k->nk) - 1];
    if (k->at == 0)
        before = sub(rotl32(before, 24), rcon[step - 1]);
    else if (k->at == 4 && k->nk == 8)
        before = sub(before, 0);
    k->w[k->at] ^= before;
}

AESFIT_INLINE uint32_t column_keys_next_column(column_keys_window *k, column_keys_sub *sub)
{
    if (k->ready > 0)
        k->ready--;
    else
        column_keys_update(k, k->step, sub);
    uint32_t column = k->w[k->at++];
    if (k->at == k->nk) {
        k->at = 0;
        k->step++;
    }
    return column;
}

AESFIT_INLINE uint32_t column_keys_previous_column(column_keys_window *k, column_keys_sub *sub)
{
    if (k->ready > 0)
        k->ready--;
    else
        column_keys_update(k, k->step + 1, sub);
    uint32_t column = k->w[k->at];
    if (k->at-- == 0) {
        k->at = k->nk - 1;
        k->step--;
    }
    return column;
}

/* The next round key, and the previous one. */
AESFIT_INLINE columns column_keys_next(column_keys_window *k, column_keys_sub *sub)
{
    uint32_t w[4];
    for (int i = 0; i < 4; i++)
        w[i] = column_keys_next_column(k, sub);
    return columns_get(w);
}

AESFIT_INLINE columns column_keys_previous(column_keys_window *k, column_keys_sub *sub)
{
    uint32_t w[4];
    for (int i = 3; i >= 0; i--)
        w[i] = column_keys_previous_column(k, sub);
    return columns_get(w);
}

/* Writes the last nk columns of a schedule to `end`; w: the first.  For column_keys_last(). */
AESFIT_INLINE void column_keys_run(uint32_t *end, const uint32_t *w, unsigned nk, unsigned rounds,
                                   column_keys_sub *sub)
{
    if (nk == 4) {
        columns k = columns_get(w);
        for (unsigned step = 0; step < rounds; step++)
            k = column_keys_step(k, step, sub);
        columns_put(end, k);
    } else {
        column_keys_window window;
        column_keys_first(&window, w, nk);
        for (unsigned round = 0; round <= rounds; round++)
            column_keys_next(&window, sub);
        memcpy(end, window.w, 4 * nk);
        wipe(&window, sizeof window);
    }
}

#endif
