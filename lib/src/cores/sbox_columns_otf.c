/* SPDX-License-Identifier: MIT */
/* sbox_columns_otf: the rounds of sbox_columns with round keys computed as they are needed.
 *
 * Idea: only the key is kept, and for decryption the last Nk columns of its schedule, from which
 * the schedule runs backwards.  128-bit keys move in four variables, longer ones in a window.
 * Source: Bertoni et al., Efficient Software Implementation of AES on 32-Bit Platforms (CHES
 * 2002), section 4: Gladman's code, extended by keys on the fly.
 * Cost: sbox_columns, and per round 4 S-box reads and 5 XOR (128-bit keys).
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/column_keys.h"
#include "../parts/sub_word.h"
#include "../parts/wipe.h"

enum { sbox_columns_otf_lanes = 1 };

/* schedule: Nk columns of key if encryption was asked for, then Nk columns of the schedule's end
 * (column i at i mod Nk) if decryption was. */
AESFIT_LOCAL void sbox_columns_otf_expand_key(aesfit_key *key, const uint8_t *bytes,
                                              unsigned directions)
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
    memcpy((directions & AESFIT_ENCRYPT) != 0 ? w + nk : w, window.w, 4 * nk);
    wipe(&window, sizeof window);
    wipe(unused, sizeof unused);
}

/* Keys above 128 bits: a call per round keeps the code small.  k goes through `moved`, so that it
 * can stay in registers for 128-bit keys. */
AESFIT_LOCAL void sbox_columns_otf_next(column_keys_window *window, uint32_t moved[4])
{
    column_keys_next(window, moved, sub_word);
}

AESFIT_LOCAL void sbox_columns_otf_previous(column_keys_window *window, uint32_t moved[4])
{
    column_keys_previous(window, moved, sub_word);
}

AESFIT_LOCAL void sbox_columns_otf_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    column_keys_window window;
    uint32_t k[4], moved[4];
    unsigned nk = key->key_words;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        memcpy(k, key->schedule, 16);
        if (nk != 4) {
            column_keys_first(&window, key->schedule, nk);
            sbox_columns_otf_next(&window, moved); /* round key 0, as in k */
        }
        uint32_t s0 = load32_le(in) ^ k[0], s1 = load32_le(in + 4) ^ k[1];
        uint32_t s2 = load32_le(in + 8) ^ k[2], s3 = load32_le(in + 12) ^ k[3];
        for (unsigned round = 0;;) {
            uint32_t t0 = sub_column(s0, s1, s2, s3), t1 = sub_column(s1, s2, s3, s0);
            uint32_t t2 = sub_column(s2, s3, s0, s1), t3 = sub_column(s3, s0, s1, s2);
            if (nk == 4) {
                column_keys_step(k, round, sub_word);
            } else {
                sbox_columns_otf_next(&window, moved);
                memcpy(k, moved, 16);
            }
            if (++round == key->rounds) {
                store32_le(out, t0 ^ k[0]);
                store32_le(out + 4, t1 ^ k[1]);
                store32_le(out + 8, t2 ^ k[2]);
                store32_le(out + 12, t3 ^ k[3]);
                break;
            }
            s0 = mix_column(t0) ^ k[0];
            s1 = mix_column(t1) ^ k[1];
            s2 = mix_column(t2) ^ k[2];
            s3 = mix_column(t3) ^ k[3];
        }
    }
    if (nk != 4) { /* otherwise never written */
        wipe(&window, sizeof window);
        wipe(moved, sizeof moved);
    }
}

AESFIT_LOCAL void sbox_columns_otf_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
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
            sbox_columns_otf_previous(&window, moved);
            memcpy(k, moved, 16);
        }
        uint32_t s0 = load32_le(in) ^ k[0], s1 = load32_le(in + 4) ^ k[1];
        uint32_t s2 = load32_le(in + 8) ^ k[2], s3 = load32_le(in + 12) ^ k[3];
        for (unsigned round = key->rounds;;) {
            uint32_t t0 = inv_sub_column(s0, s3, s2, s1), t1 = inv_sub_column(s1, s0, s3, s2);
            uint32_t t2 = inv_sub_column(s2, s1, s0, s3), t3 = inv_sub_column(s3, s2, s1, s0);
            round--;
            if (nk == 4) {
                column_keys_undo(k, round, sub_word);
            } else {
                sbox_columns_otf_previous(&window, moved);
                memcpy(k, moved, 16);
            }
            if (round == 0) {
                store32_le(out, t0 ^ k[0]);
                store32_le(out + 4, t1 ^ k[1]);
                store32_le(out + 8, t2 ^ k[2]);
                store32_le(out + 12, t3 ^ k[3]);
                break;
            }
            s0 = inv_mix_column(t0 ^ k[0]);
            s1 = inv_mix_column(t1 ^ k[1]);
            s2 = inv_mix_column(t2 ^ k[2]);
            s3 = inv_mix_column(t3 ^ k[3]);
        }
    }
    if (nk != 4) { /* otherwise never written */
        wipe(&window, sizeof window);
        wipe(moved, sizeof moved);
    }
}

#ifndef AESFIT_BOUND
static const aesfit_table sbox_columns_otf_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 20, 20, {0, -16, -4}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_DECRYPT, 4, 4, {0, -16, -4}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

const aesfit_core aesfit_core_sbox_columns_otf = {
    .name = "sbox_columns_otf",
    .summary = "sbox_columns with round keys on the fly, forwards and backwards",
    .source = "Bertoni et al., CHES 2002, section 4 (the comparator, keys on the fly)",
    .needs = "",
    .lanes = sbox_columns_otf_lanes,
    .properties = AESFIT_STUDY_ROUNDS | AESFIT_ON_THE_FLY_KEYS,
    .table_count = sizeof sbox_columns_otf_tables / sizeof sbox_columns_otf_tables[0],
    .tables = sbox_columns_otf_tables,
    .round_key_bytes = {{16, 16, 32}, {24, 24, 48}, {32, 32, 64}},
    .expand_key = sbox_columns_otf_expand_key,
    .encrypt = sbox_columns_otf_encrypt,
    .decrypt = sbox_columns_otf_decrypt,
};
#endif
