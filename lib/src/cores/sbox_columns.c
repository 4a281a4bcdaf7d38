/* SPDX-License-Identifier: MIT */
/* sbox_columns: one 32-bit word per column of the state, row 0 in the low byte.
 *
 * Idea: SubBytes and ShiftRows gather the bytes of a new column from four old ones; MixColumns
 * doubles the four bytes of a column at once and brings the rows together by rotations.
 * Decryption is the straight inverse cipher, on the same round keys.
 * Source: B. Gladman's byte-table version, the comparator in Bertoni et al., Efficient Software
 * Implementation of AES on 32-Bit Platforms (CHES 2002), section 4; version 1 of Bertoni et al.,
 * About the Performances of AES in Embedded Systems with Cache Memory.
 * Cost per middle round: 16 S-box reads; MixColumns 16 XOR, 4 doublings, 12 rotations;
 * InvMixColumns 32 XOR, 12 doublings, 12 rotations.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/column_keys.h"
#include "../parts/sub_word.h"

enum { sbox_columns_lanes = 1 };

AESFIT_LOCAL void sbox_columns_expand_key(aesfit_key *key, const uint8_t *bytes,
                                          unsigned directions)
{
    (void)directions;
    column_keys_expand(key->schedule, bytes, key->key_words, 4 * (key->rounds + 1u), sub_word);
}

AESFIT_LOCAL void sbox_columns_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                       size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
        uint32_t s0 = load32_le(in) ^ k[0], s1 = load32_le(in + 4) ^ k[1];
        uint32_t s2 = load32_le(in + 8) ^ k[2], s3 = load32_le(in + 12) ^ k[3];
        for (;;) {
            uint32_t t0 = sub_column(s0, s1, s2, s3), t1 = sub_column(s1, s2, s3, s0);
            uint32_t t2 = sub_column(s2, s3, s0, s1), t3 = sub_column(s3, s0, s1, s2);
            k += 4;
            if (k == last) {
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
}

AESFIT_LOCAL void sbox_columns_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                       size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *first = key->schedule, *k = first + 4 * key->rounds;
        uint32_t s0 = load32_le(in) ^ k[0], s1 = load32_le(in + 4) ^ k[1];
        uint32_t s2 = load32_le(in + 8) ^ k[2], s3 = load32_le(in + 12) ^ k[3];
        for (;;) {
            k -= 4;
            uint32_t t0 = inv_sub_column(s0, s3, s2, s1) ^ k[0];
            uint32_t t1 = inv_sub_column(s1, s0, s3, s2) ^ k[1];
            uint32_t t2 = inv_sub_column(s2, s1, s0, s3) ^ k[2];
            uint32_t t3 = inv_sub_column(s3, s2, s1, s0) ^ k[3];
            if (k == first) {
                store32_le(out, t0);
                store32_le(out + 4, t1);
                store32_le(out + 8, t2);
                store32_le(out + 12, t3);
                break;
            }
            s0 = inv_mix_column(t0);
            s1 = inv_mix_column(t1);
            s2 = inv_mix_column(t2);
            s3 = inv_mix_column(t3);
        }
    }
}

#ifndef AESFIT_BOUND
static const aesfit_table sbox_columns_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

const aesfit_core aesfit_core_sbox_columns = {
    .name = "sbox_columns",
    .summary = "a word per column: S-box only, four bytes doubled at once, rows met by rotations",
    .source = "Bertoni et al., CHES 2002, section 4 (the comparator, after Gladman)",
    .needs = "",
    .lanes = sbox_columns_lanes,
    .properties = AESFIT_STUDY_ROUNDS,
    .table_count = sizeof sbox_columns_tables / sizeof sbox_columns_tables[0],
    .tables = sbox_columns_tables,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}},
    .expand_key = sbox_columns_expand_key,
    .encrypt = sbox_columns_encrypt,
    .decrypt = sbox_columns_decrypt,
};
#endif
