/* SPDX-License-Identifier: MIT */
/* The steps of FIPS 197 as nested loops over the 4 x 4 state: the unoptimised forms of Doomun et
 * al., AES-CBC Software Execution Optimization, code samples A, B and C (section 5).
 *
 * State: a[i][j] is row i, column j.  The field products by 02, 03, 09, 0b, 0d, 0e are tables of
 * 256 bytes (section 4; the text's list omits 0e).
 * AESFIT_STEPS_APART keeps the steps functions of their own, as if each stood in another file, so
 * that the cycles and bytes of each can be told, as in the paper's table 2 (aesfit papers
 * operations). */
#ifndef AESFIT_STEPS_BYTEWISE_PLAIN_H
#define AESFIT_STEPS_BYTEWISE_PLAIN_H

#include "../../core.h"
#include "../tables/inv_sbox.h"
#include "../tables/mul2.h"
#include "../tables/products.h"
#include "../tables/rcon.h"
#include "read.h"
#include "../tables/sbox.h"
#include "../wipe.h"
#include "../memory.h"

#ifdef AESFIT_STEPS_APART
#define BYTEWISE_STEP AESFIT_NOIPA AESFIT_LOCAL
#else
#define BYTEWISE_STEP static inline
#endif

/* A block under way and scratch space of the steps; both are secret and wiped by the core. */
typedef struct bytewise_state {
    uint8_t a[4][4], tmp[4][4];
} bytewise_state;

static inline void plain_load(bytewise_state *s, const uint8_t *in)
{
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            s->a[i][j] = *in++;
}

static inline void plain_store(uint8_t *out, const bytewise_state *s)
{
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            *out++ = s->a[i][j];
}

BYTEWISE_STEP void plain_add_round_key(bytewise_state *s, const uint8_t *rk)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            s->a[i][j] = (uint8_t)(s->a[i][j] ^ rk[4 * j + i]);
}

BYTEWISE_STEP void plain_sub_bytes(bytewise_state *s)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            s->a[i][j] = READ(sbox, s->a[i][j]);
}

BYTEWISE_STEP void plain_inv_sub_bytes(bytewise_state *s)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            s->a[i][j] = READ(inv_sbox, s->a[i][j]);
}

/* Rotates row i left by i * step columns: step 1 encrypts, 3 decrypts. */
static inline void plain_rotate_rows(bytewise_state *s, int step)
{
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            s->tmp[0][j] = s->a[i][(j + i * step) % 4];
        for (int j = 0; j < 4; j++)
            s->a[i][j] = s->tmp[0][j];
    }
}

BYTEWISE_STEP void plain_shift_rows(bytewise_state *s)
{
    plain_rotate_rows(s, 1);
}

BYTEWISE_STEP void plain_inv_shift_rows(bytewise_state *s)
{
    plain_rotate_rows(s, 3);
}

BYTEWISE_STEP void plain_mix_columns(bytewise_state *s)
{
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            s->tmp[i][j] = (uint8_t)(READ(mul2, s->a[i][j]) ^ READ(mul3, s->a[(i + 1) % 4][j]) ^
                                     s->a[(i + 2) % 4][j] ^ s->a[(i + 3) % 4][j]);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            s->a[i][j] = s->tmp[i][j];
}

BYTEWISE_STEP void plain_inv_mix_columns(bytewise_state *s)
{
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            s->tmp[i][j] =
                (uint8_t)(READ(mule, s->a[i][j]) ^ READ(mulb, s->a[(i + 1) % 4][j]) ^
                          READ(muld, s->a[(i + 2) % 4][j]) ^ READ(mul9, s->a[(i + 3) % 4][j]));
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            s->a[i][j] = s->tmp[i][j];
}

/* One round with its round key; the last one leaves out MixColumns. */
static inline void plain_round(bytewise_state *s, const uint8_t *rk)
{
    plain_sub_bytes(s);
    plain_shift_rows(s);
    plain_mix_columns(s);
    plain_add_round_key(s, rk);
}

static inline void plain_last_round(bytewise_state *s, const uint8_t *rk)
{
    plain_sub_bytes(s);
    plain_shift_rows(s);
    plain_add_round_key(s, rk);
}

/* Undo the above. */
static inline void plain_inv_round(bytewise_state *s, const uint8_t *rk)
{
    plain_add_round_key(s, rk);
    plain_inv_mix_columns(s);
    plain_inv_shift_rows(s);
    plain_inv_sub_bytes(s);
}

static inline void plain_inv_last_round(bytewise_state *s, const uint8_t *rk)
{
    plain_add_round_key(s, rk);
    plain_inv_shift_rows(s);
    plain_inv_sub_bytes(s);
}

/* schedule: round keys in the order of FIPS 197, bytes in memory order, for both directions. */
BYTEWISE_STEP void plain_key_expansion(aesfit_key *key, const uint8_t *bytes)
{
    uint8_t *w = (uint8_t *)key->schedule, t[4];
    unsigned nk = key->key_words, words = 4u * (key->rounds + 1u);
    memcpy(w, bytes, 4 * nk);
    for (unsigned i = nk; i < words; i++) {
        for (unsigned j = 0; j < 4; j++)
            t[j] = w[4 * (i - 1) + (i % nk == 0 ? (j + 1) % 4 : j)];
        if (i % nk == 0 || (nk == 8 && i % nk == 4))
            for (unsigned j = 0; j < 4; j++)
                t[j] = READ(sbox, t[j]);
        if (i % nk == 0)
            t[0] = (uint8_t)(t[0] ^ rcon[i / nk - 1]);
        for (unsigned j = 0; j < 4; j++)
            w[4 * i + j] = (uint8_t)(w[4 * (i - nk) + j] ^ t[j]);
    }
    wipe(t, sizeof t);
}

#ifndef AESFIT_BOUND
/* The tables of every core made of these steps. */
static const aesfit_table bytewise_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"mul2", 256, AESFIT_ENCRYPT, 16, 0, {0, 0, 0}},
    {"mul3", 256, AESFIT_ENCRYPT, 16, 0, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"mul9", 256, AESFIT_DECRYPT, 16, 0, {0, 0, 0}},
    {"mulb", 256, AESFIT_DECRYPT, 16, 0, {0, 0, 0}},
    {"muld", 256, AESFIT_DECRYPT, 16, 0, {0, 0, 0}},
    {"mule", 256, AESFIT_DECRYPT, 16, 0, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};
#endif

#endif
