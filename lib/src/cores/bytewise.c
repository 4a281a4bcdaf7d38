/* SPDX-License-Identifier: MIT */
/* bytewise: FIPS 197 as written.
 *
 * Idea: every transformation is two nested loops over the 4 x 4 state; the S-boxes and the field
 * products by 02, 03, 09, 0b, 0d, 0e are tables of 256 bytes.
 * Source: Doomun et al., AES-CBC Software Execution Optimization, "unoptimised" (section 4).
 * Cost: per middle round 16 S-box reads and 32 product reads (64 when decrypting).
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/bytes.h"
#include "../parts/inv_sbox.h"
#include "../parts/products.h"
#include "../parts/rcon.h"
#include "../parts/read.h"
#include "../parts/sbox.h"
#include "../parts/wipe.h"

enum { bytewise_lanes = 1 };

/* schedule: round keys in the order of FIPS 197, 4 bytes a word, the bytes of schedule[] in memory
 * order; both directions use the same. */
AESFIT_LOCAL void bytewise_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    uint8_t *w = (uint8_t *)key->schedule;
    unsigned nk = key->key_words, words = 4u * (key->rounds + 1u);
    (void)directions;
    memcpy(w, bytes, 4 * (nk < words ? nk : words));
    for (unsigned i = nk; i < words; i++) {
        uint8_t t[4];
        memcpy(t, w + 4 * (i - 1), 4);
        if (i % nk == 0) {
            uint8_t first = t[0];
            t[0] = (uint8_t)(READ(sbox, t[1]) ^ rcon[i / nk - 1]);
            t[1] = READ(sbox, t[2]);
            t[2] = READ(sbox, t[3]);
            t[3] = READ(sbox, first);
        } else if (nk == 8 && i % nk == 4) {
            for (int j = 0; j < 4; j++)
                t[j] = READ(sbox, t[j]);
        }
        for (unsigned j = 0; j < 4; j++)
            w[4 * i + j] = (uint8_t)(w[4 * (i - nk) + j] ^ t[j]);
        wipe(t, sizeof t);
    }
}

AESFIT_LOCAL void bytewise_load(uint8_t a[4][4], const uint8_t *in)
{
    for (int j = 0; j < 16; j++)
        a[j % 4][j / 4] = in[j];
}

AESFIT_LOCAL void bytewise_store(uint8_t *out, uint8_t a[4][4])
{
    for (int j = 0; j < 16; j++)
        out[j] = a[j % 4][j / 4];
}

AESFIT_LOCAL void bytewise_add_round_key(uint8_t a[4][4], const uint8_t *rk)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = (uint8_t)(a[i][j] ^ rk[4 * j + i]);
}

AESFIT_LOCAL void bytewise_sub_bytes(uint8_t a[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = READ(sbox, a[i][j]);
}

AESFIT_LOCAL void bytewise_inv_sub_bytes(uint8_t a[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = READ(inv_sbox, a[i][j]);
}

/* Rotates row i left by i * step columns: step 1 encrypts, 3 decrypts. */
AESFIT_LOCAL void bytewise_shift_rows(uint8_t a[4][4], int step)
{
    uint8_t tmp[4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            tmp[j] = a[i][(j + i * step) % 4];
        for (int j = 0; j < 4; j++)
            a[i][j] = tmp[j];
    }
}

AESFIT_LOCAL void bytewise_mix_columns(uint8_t a[4][4])
{
    uint8_t b[4][4];
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            b[i][j] = (uint8_t)(READ(mul2, a[i][j]) ^ READ(mul3, a[(i + 1) % 4][j]) ^
                                a[(i + 2) % 4][j] ^ a[(i + 3) % 4][j]);
    memcpy(a, b, 16);
}

AESFIT_LOCAL void bytewise_inv_mix_columns(uint8_t a[4][4])
{
    uint8_t b[4][4];
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            b[i][j] =
                (uint8_t)(READ(mule, a[i][j]) ^ READ(mulb, a[(i + 1) % 4][j]) ^
                          READ(muld, a[(i + 2) % 4][j]) ^ READ(mul9, a[(i + 3) % 4][j]));
    memcpy(a, b, 16);
}

AESFIT_LOCAL void bytewise_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    uint8_t a[4][4];
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint8_t *rk = (const uint8_t *)key->schedule;
        bytewise_load(a, in);
        bytewise_add_round_key(a, rk);
        for (unsigned round = 1; round <= key->rounds; round++) {
            bytewise_sub_bytes(a);
            bytewise_shift_rows(a, 1);
            if (round < key->rounds)
                bytewise_mix_columns(a);
            bytewise_add_round_key(a, rk += 16);
        }
        bytewise_store(out, a);
    }
    wipe(a, sizeof a);
}

AESFIT_LOCAL void bytewise_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    uint8_t a[4][4];
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint8_t *rk = (const uint8_t *)key->schedule + 16u * key->rounds;
        bytewise_load(a, in);
        bytewise_add_round_key(a, rk);
        for (unsigned round = key->rounds; round > 0; round--) {
            bytewise_shift_rows(a, 3);
            bytewise_inv_sub_bytes(a);
            bytewise_add_round_key(a, rk -= 16);
            if (round > 1)
                bytewise_inv_mix_columns(a);
        }
        bytewise_store(out, a);
    }
    wipe(a, sizeof a);
}

#ifndef AESFIT_BOUND
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

const aesfit_core aesfit_core_bytewise = {
    .name = "bytewise",
    .summary = "FIPS 197 as written: loops over bytes, field products from tables",
    .source = "Doomun et al., AES-CBC Software Execution Optimization, section 4, unoptimised",
    .needs = "",
    .lanes = bytewise_lanes,
    .properties = AESFIT_STUDY_ROUNDS,
    .table_count = sizeof bytewise_tables / sizeof bytewise_tables[0],
    .tables = bytewise_tables,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}},
    .expand_key = bytewise_expand_key,
    .encrypt = bytewise_encrypt,
    .decrypt = bytewise_decrypt,
};
#endif
