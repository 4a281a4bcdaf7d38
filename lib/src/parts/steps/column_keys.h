/* SPDX-License-Identifier: MIT */
/* The key schedule of FIPS 197, 5.2, a 32-bit column at a time, row 0 in the low byte: computed
 * in advance, or on the fly as Nk columns that move along the schedule, forwards or backwards.
 * RotWord is a rotation right by 8 bits. */
#ifndef AESFIT_STEPS_COLUMN_KEYS_H
#define AESFIT_STEPS_COLUMN_KEYS_H

#include "columns.h"
#include "../tables/rcon.h"

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

/* ------------------------------------------------- on the fly, longer keys */

/* Nk = 6 or 8 neighbouring columns of the schedule: a the first four of a step, b the others, of
 * which 192-bit keys have two, c2 and c3. */
typedef struct column_keys_long {
    columns a, b;
} column_keys_long;

AESFIT_INLINE column_keys_long column_keys_get(const uint32_t *w, unsigned nk)
{
    column_keys_long k;
    k.a = columns_get(w);
    k.b = columns_get(w + nk - 4);
    return k;
}

AESFIT_INLINE void column_keys_put(uint32_t *w, column_keys_long k, unsigned nk)
{
    columns_put(w + nk - 4, k.b); /* with 6 columns the first two of these belong to a */
    columns_put(w, k.a);
}

/* Four columns from those of the step before: the first adds `t`, each of the others the one on its
 * left.  And back. */
AESFIT_INLINE columns column_keys_chain(columns k, uint32_t t)
{
    k.c0 ^= t;
    k.c1 ^= k.c0;
    k.c2 ^= k.c1;
    k.c3 ^= k.c2;
    return k;
}

AESFIT_INLINE columns column_keys_unchain(columns k)
{
    k.c3 ^= k.c2;
    k.c2 ^= k.c1;
    k.c1 ^= k.c0;
    return k;
}

/* a of step `step` + 1 from a and b of step `step`, and back.  4 reads, 5 XOR, 1 rotation. */
AESFIT_INLINE columns column_keys_next_a(column_keys_long k, unsigned step, column_keys_sub *sub)
{
    return column_keys_chain(k.a, sub(rotl32(k.b.c3, 24), rcon[step]));
}

AESFIT_INLINE columns column_keys_previous_a(column_keys_long k, unsigned step,
                                             column_keys_sub *sub)
{
    columns a = column_keys_unchain(k.a);
    a.c0 ^= sub(rotl32(k.b.c3, 24), rcon[step]);
    return a;
}

/* b of the step that a is of already, from b of the step before, and back.  192-bit keys: 2 XOR. */
AESFIT_INLINE columns column_keys_next_b192(column_keys_long k)
{
    k.b.c2 ^= k.a.c3;
    k.b.c3 ^= k.b.c2;
    return k.b;
}

AESFIT_INLINE columns column_keys_previous_b192(column_keys_long k)
{
    k.b.c3 ^= k.b.c2;
    k.b.c2 ^= k.a.c3;
    return k.b;
}

/* 256-bit keys: 4 reads, 5 XOR. */
AESFIT_INLINE columns column_keys_next_b256(column_keys_long k, column_keys_sub *sub)
{
    return column_keys_chain(k.b, sub(k.a.c3, 0));
}

AESFIT_INLINE columns column_keys_previous_b256(column_keys_long k, column_keys_sub *sub)
{
    columns b = column_keys_unchain(k.b);
    b.c0 ^= sub(k.a.c3, 0);
    return b;
}

/* Three round keys of 192-bit keys lie in two steps: aaaa, bb and aa of the next, aabb. */
AESFIT_INLINE columns column_keys_straddle(columns b, columns a)
{
    columns k;
    k.c0 = b.c2;
    k.c1 = b.c3;
    k.c2 = a.c0;
    k.c3 = a.c1;
    return k;
}

AESFIT_INLINE columns column_keys_join(columns a, columns b)
{
    b.c0 = a.c2;
    b.c1 = a.c3;
    return b;
}

/* Writes the last nk columns of a schedule, column i at i mod nk, to `end`; w: the first. */
AESFIT_INLINE void column_keys_run(uint32_t *end, const uint32_t *w, unsigned nk, unsigned rounds,
                                   column_keys_sub *sub)
{
    if (nk == 4) {
        columns k = columns_get(w);
        for (unsigned step = 0; step < rounds; step++)
            k = column_keys_step(k, step, sub);
        columns_put(end, k);
    } else {
        column_keys_long k = column_keys_get(w, nk);
        unsigned last = nk == 6 ? 7 : 6;
        for (unsigned step = 0; step < last; step++) {
            k.a = column_keys_next_a(k, step, sub);
            k.b = nk == 6 ? column_keys_next_b192(k) : column_keys_next_b256(k, sub);
        }
        k.a = column_keys_next_a(k, last, sub);
        column_keys_put(end, k, nk);
    }
}

#endif
