/* SPDX-License-Identifier: MIT */
/* The steps of bytewise_plain.h after the optimisation of Doomun et al., AES-CBC Software
 * Execution Optimization, section 5: every inner loop of four is unrolled (code samples A and B);
 * where one loop only copies what another computed, the two are merged, and row 0 is left out of
 * ShiftRows (code sample C).  The outer loop of each step stays ("only internal loops have been
 * unrolled").  The samples do not show MixColumns and the key expansion: these follow the rule. */
#ifndef AESFIT_STEPS_BYTEWISE_UNROLLED_H
#define AESFIT_STEPS_BYTEWISE_UNROLLED_H

#include "bytewise_plain.h"

BYTEWISE_STEP void unrolled_add_round_key(bytewise_state *s, const uint8_t *rk)
{
    for (int i = 0; i < 4; i++) {
        uint8_t *a = s->a[i];
        a[0] = (uint8_t)(a[0] ^ rk[i]);
        a[1] = (uint8_t)(a[1] ^ rk[4 + i]);
        a[2] = (uint8_t)(a[2] ^ rk[8 + i]);
        a[3] = (uint8_t)(a[3] ^ rk[12 + i]);
    }
}

BYTEWISE_STEP void unrolled_sub_bytes(bytewise_state *s)
{
    for (int i = 0; i < 4; i++) {
        uint8_t *a = s->a[i];
        a[0] = READ(sbox, a[0]);
        a[1] = READ(sbox, a[1]);
        a[2] = READ(sbox, a[2]);
        a[3] = READ(sbox, a[3]);
    }
}

BYTEWISE_STEP void unrolled_inv_sub_bytes(bytewise_state *s)
{
    for (int i = 0; i < 4; i++) {
        uint8_t *a = s->a[i];
        a[0] = READ(inv_sbox, a[0]);
        a[1] = READ(inv_sbox, a[1]);
        a[2] = READ(inv_sbox, a[2]);
        a[3] = READ(inv_sbox, a[3]);
    }
}

BYTEWISE_STEP void unrolled_shift_rows(bytewise_state *s)
{
    uint8_t *tmp = s->tmp[0];
    for (int i = 1; i < 4; i++) {
        uint8_t *a = s->a[i];
        tmp[0] = a[i % 4];
        tmp[1] = a[(1 + i) % 4];
        tmp[2] = a[(2 + i) % 4];
        tmp[3] = a[(3 + i) % 4];
        a[0] = tmp[0];
        a[1] = tmp[1];
        a[2] = tmp[2];
        a[3] = tmp[3];
    }
}

BYTEWISE_STEP void unrolled_inv_shift_rows(bytewise_state *s)
{
    uint8_t *tmp = s->tmp[0];
    for (int i = 1; i < 4; i++) {
        uint8_t *a = s->a[i];
        tmp[0] = a[(4 - i) % 4];
        tmp[1] = a[(5 - i) % 4];
        tmp[2] = a[(6 - i) % 4];
        tmp[3] = a[(7 - i) % 4];
        a[0] = tmp[0];
        a[1] = tmp[1];
        a[2] = tmp[2];
        a[3] = tmp[3];
    }
}

/* A column is read whole, then written: the copy of the plain form is merged away. */
BYTEWISE_STEP void unrolled_mix_columns(bytewise_state *s)
{
    for (int j = 0; j < 4; j++) {
        uint8_t a0 = s->a[0][j], a1 = s->a[1][j], a2 = s->a[2][j], a3 = s->a[3][j];
        s->a[0][j] = (uint8_t)(READ(mul2, a0) ^ READ(mul3, a1) ^ a2 ^ a3);
        s->a[1][j] = (uint8_t)(READ(mul2, a1) ^ READ(mul3, a2) ^ a3 ^ a0);
        s->a[2][j] = (uint8_t)(READ(mul2, a2) ^ READ(mul3, a3) ^ a0 ^ a1);
        s->a[3][j] = (uint8_t)(READ(mul2, a3) ^ READ(mul3, a0) ^ a1 ^ a2);
    }
}

BYTEWISE_STEP void unrolled_inv_mix_columns(bytewise_state *s)
{
    for (int j = 0; j < 4; j++) {
        uint8_t a0 = s->a[0][j], a1 = s->a[1][j], a2 = s->a[2][j], a3 = s->a[3][j];
        s->a[0][j] = (uint8_t)(READ(mule, a0) ^ READ(mulb, a1) ^ READ(muld, a2) ^ READ(mul9, a3));
        s->a[1][j] = (uint8_t)(READ(mule, a1) ^ READ(mulb, a2) ^ READ(muld, a3) ^ READ(mul9, a0));
        s->a[2][j] = (uint8_t)(READ(mule, a2) ^ READ(mulb, a3) ^ READ(muld, a0) ^ READ(mul9, a1));
        s->a[3][j] = (uint8_t)(READ(mule, a3) ^ READ(mulb, a0) ^ READ(muld, a1) ^ READ(mul9, a2));
    }
}

static inline void unrolled_round(bytewise_state *s, const uint8_t *rk)
{
    unrolled_sub_bytes(s);
    unrolled_shift_rows(s);
    unrolled_mix_columns(s);
    unrolled_add_round_key(s, rk);
}

static inline void unrolled_last_round(bytewise_state *s, const uint8_t *rk)
{
    unrolled_sub_bytes(s);
    unrolled_shift_rows(s);
    unrolled_add_round_key(s, rk);
}

static inline void unrolled_inv_round(bytewise_state *s, const uint8_t *rk)
{
    unrolled_add_round_key(s, rk);
    unrolled_inv_mix_columns(s);
    unrolled_inv_shift_rows(s);
    unrolled_inv_sub_bytes(s);
}

static inline void unrolled_inv_last_round(bytewise_state *s, const uint8_t *rk)
{
    unrolled_add_round_key(s, rk);
    unrolled_inv_shift_rows(s);
    unrolled_inv_sub_bytes(s);
}

/* The same schedule as plain_key_expansion().  The four loops over a word are merged into one
 * and unrolled; the word in hand stays in four bytes instead of an array. */
BYTEWISE_STEP void unrolled_key_expansion(aesfit_key *key, const uint8_t *bytes)
{
    uint8_t *w = (uint8_t *)key->schedule;
    unsigned nk = key->key_words, words = 4u * (key->rounds + 1u);
    memcpy(w, bytes, 4 * nk);
    for (unsigned i = nk; i < words; i++) {
        const uint8_t *p = w + 4 * (i - 1), *old = w + 4 * (i - nk);
        uint8_t t0 = p[0], t1 = p[1], t2 = p[2], t3 = p[3];
        if (i % nk == 0) {
            uint8_t first = t0;
            t0 = (uint8_t)(READ(sbox, t1) ^ rcon[i / nk - 1]);
            t1 = READ(sbox, t2);
            t2 = READ(sbox, t3);
            t3 = READ(sbox, first);
        } else if (nk == 8 && i % nk == 4) {
            t0 = READ(sbox, t0);
            t1 = READ(sbox, t1);
            t2 = READ(sbox, t2);
            t3 = READ(sbox, t3);
        }
        w[4 * i] = (uint8_t)(old[0] ^ t0);
        w[4 * i + 1] = (uint8_t)(old[1] ^ t1);
        w[4 * i + 2] = (uint8_t)(old[2] ^ t2);
        w[4 * i + 3] = (uint8_t)(old[3] ^ t3);
    }
}

#endif
