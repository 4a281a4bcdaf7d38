/* SPDX-License-Identifier: MIT */
/* ttable1_otf: the rounds of ttable1 with round keys computed as they are needed.
 *
 * Idea: only the key is kept, and for decryption the last Nk columns of its schedule.  The
 * equivalent inverse cipher wants round keys that went through InvMixColumns; that is linear, so
 * the schedule runs backwards on such columns, and only where it reads the S-box does a column go
 * through MixColumns before and InvMixColumns after (4 doublings a step, not 12 a round key).
 * The first and last round key go through MixColumns whole.
 * Source: beside "cAESar with tables" in Bertoni et al., CHES 2002, table 3 (encryption);
 * decryption: FIPS 197, 5.3.5, run backwards.
 * Cost: ttable1, and per round 4 S-box reads and 5 XOR (128-bit keys).
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/sub_word.h"
#include "../parts/ttable.h"
#include "../parts/ttable1.h"
#include "../parts/wipe.h"

enum { ttable1_otf_lanes = 1 };

/* SubWord on columns that went through InvMixColumns. */
AESFIT_LOCAL uint32_t ttable1_otf_inv_sub_word(uint32_t x, uint32_t constant)
{
    return inv_mix_column(sub_word(mix_column(x), constant));
}

/* schedule: Nk columns of key if encryption was asked for, then Nk columns of the schedule's end
 * (column i at i mod Nk), through InvMixColumns, if decryption was. */
AESFIT_LOCAL void ttable1_otf_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    column_keys_window window;
    uint32_t *w = key->schedule, unused[4];
    unsigned nk = key->key_words;
    for (unsigned i = 0; i < nk; i++)
        w[i] = load32_le(bytes + 4 * i);
    if ((directions & AESFIT_DECRYPT) == 0)
        return;
    column_keys_first(&window, w, nk);
    for (unsigned round = 0; round <= key->rounds; round++)
        column_keys_next(&window, unused, sub_word);
    if ((directions & AESFIT_ENCRYPT) != 0)
        w += nk;
    for (unsigned i = 0; i < nk; i++)
        w[i] = inv_mix_column(window.w[i]);
    wipe(&window, sizeof window);
    wipe(unused, sizeof unused);
}

/* Keys above 128 bits: a call per round keeps the code small.  Round keys go through `moved`, so
 * that 128-bit keys can stay in registers. */
AESFIT_LOCAL void ttable1_otf_next(column_keys_window *window, uint32_t moved[4])
{
    column_keys_next(window, moved, sub_word);
}

AESFIT_LOCAL void ttable1_otf_previous(column_keys_window *window, uint32_t moved[4])
{
    column_keys_previous(window, moved, ttable1_otf_inv_sub_word);
}

AESFIT_LOCAL void ttable1_otf_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                      size_t blocks)
{
    column_keys_window window;
    uint32_t k[4], moved[4];
    unsigned nk = key->key_words;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        memcpy(k, key->schedule, 16);
        if (nk != 4) {
            column_keys_first(&window, key->schedule, nk);
            ttable1_otf_next(&window, moved); /* round key 0, as in k */
        }
        uint32_t s0 = load32_le(in) ^ k[0], s1 = load32_le(in + 4) ^ k[1];
        uint32_t s2 = load32_le(in + 8) ^ k[2], s3 = load32_le(in + 12) ^ k[3];
        for (unsigned round = 0;;) {
            if (nk == 4) {
                column_keys_step(k, round, sub_word);
            } else {
                ttable1_otf_next(&window, moved);
                memcpy(k, moved, 16);
            }
            if (++round == key->rounds)
                break;
            uint32_t t0 = ttable1_mix(s0, s1, s2, s3), t1 = ttable1_mix(s1, s2, s3, s0);
            uint32_t t2 = ttable1_mix(s2, s3, s0, s1), t3 = ttable1_mix(s3, s0, s1, s2);
            s0 = t0 ^ k[0];
            s1 = t1 ^ k[1];
            s2 = t2 ^ k[2];
            s3 = t3 ^ k[3];
        }
        store32_le(out, sub_column(s0, s1, s2, s3) ^ k[0]);
        store32_le(out + 4, sub_column(s1, s2, s3, s0) ^ k[1]);
        store32_le(out + 8, sub_column(s2, s3, s0, s1) ^ k[2]);
        store32_le(out + 12, sub_column(s3, s0, s1, s2) ^ k[3]);
    }
    if (nk != 4) { /* otherwise never written */
        wipe(&window, sizeof window);
        wipe(moved, sizeof moved);
    }
}

AESFIT_LOCAL void ttable1_otf_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                      size_t blocks)
{
    column_keys_window window;
    uint32_t k[4], moved[4];
    unsigned nk = key->key_words;
    const uint32_t *end = key->schedule + ((key->directions & AESFIT_ENCRYPT) != 0 ? nk : 0);
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        if (nk == 4) {
            memcpy(k, end, 16);
        } else {
            column_keys_last(&window, end, nk, key->rounds);
            ttable1_otf_previous(&window, moved);
            memcpy(k, moved, 16);
        }
        uint32_t s0 = load32_le(in) ^ mix_column(k[0]), s1 = load32_le(in + 4) ^ mix_column(k[1]);
        uint32_t s2 = load32_le(in + 8) ^ mix_column(k[2]),
                 s3 = load32_le(in + 12) ^ mix_column(k[3]);
        for (unsigned round = key->rounds;;) {
            round--;
            if (nk == 4) {
                column_keys_undo(k, round, ttable1_otf_inv_sub_word);
            } else {
                ttable1_otf_previous(&window, moved);
                memcpy(k, moved, 16);
            }
            if (round == 0)
                break;
            uint32_t t0 = ttable1_inv_mix(s0, s3, s2, s1), t1 = ttable1_inv_mix(s1, s0, s3, s2);
            uint32_t t2 = ttable1_inv_mix(s2, s1, s0, s3), t3 = ttable1_inv_mix(s3, s2, s1, s0);
            s0 = t0 ^ k[0];
            s1 = t1 ^ k[1];
            s2 = t2 ^ k[2];
            s3 = t3 ^ k[3];
        }
        store32_le(out, inv_sub_column(s0, s3, s2, s1) ^ mix_column(k[0]));
        store32_le(out + 4, inv_sub_column(s1, s0, s3, s2) ^ mix_column(k[1]));
        store32_le(out + 8, inv_sub_column(s2, s1, s0, s3) ^ mix_column(k[2]));
        store32_le(out + 12, inv_sub_column(s3, s2, s1, s0) ^ mix_column(k[3]));
    }
    if (nk != 4) {
        wipe(&window, sizeof window);
        wipe(moved, sizeof moved);
    }
}

#ifndef AESFIT_BOUND
static const aesfit_table ttable1_otf_tables[] = {
    {"te", 1024, AESFIT_ENCRYPT, 16, 0, {0, 0, 0}},
    {"sbox", 256, AESFIT_ENCRYPT, 4, 20, {0, -16, -4}},
    {"td", 1024, AESFIT_DECRYPT, 16, 0, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 0, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_DECRYPT, 4, 4, {0, -16, -4}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

const aesfit_core aesfit_core_ttable1_otf = {
    .name = "ttable1_otf",
    .summary = "ttable1 with round keys on the fly, forwards and backwards",
    .source = "Bertoni et al., CHES 2002, table 3 (beside cAESar with tables)",
    .needs = "",
    .lanes = ttable1_otf_lanes,
    .properties = AESFIT_STUDY_ROUNDS | AESFIT_ON_THE_FLY_KEYS,
    .table_count = sizeof ttable1_otf_tables / sizeof ttable1_otf_tables[0],
    .tables = ttable1_otf_tables,
    .round_key_bytes = {{16, 16, 32}, {24, 24, 48}, {32, 32, 64}},
    .expand_key = ttable1_otf_expand_key,
    .encrypt = ttable1_otf_encrypt,
    .decrypt = ttable1_otf_decrypt,
};
#endif
