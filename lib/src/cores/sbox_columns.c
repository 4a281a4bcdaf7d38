/* SPDX-License-Identifier: MIT */
/* sbox_columns: one 32-bit word per column of the state, row 0 in the low byte.
 *
 * Idea: SubBytes and ShiftRows gather the bytes of a new column from four old ones; MixColumns
 * doubles the four bytes of a column at once and brings the rows together by rotations.
 * Decryption is the straight inverse cipher, on the same round keys.
 * Source: B. Gladman's byte-table version, the comparator in Bertoni et al., Efficient Software
 * Implementation of AES on 32-Bit Platforms (CHES 2002), section 4; version 1 of Bertoni et al.,
 * About the Performances of AES in Embedded Systems with Cache Memory.
 * Cost per middle round: 16 S-box reads; MixColumns 12 XOR, 4 doublings, 8 rotations;
 * InvMixColumns 20 XOR, 12 doublings, 12 rotations.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/column_keys.h"
#include "../parts/steps/field.h"
#include "../parts/steps/sub_word.h"

enum { sbox_columns_lanes = 1 };

AESFIT_LOCAL void sbox_columns_expand_key(aesfit_key *key, const uint8_t *bytes,
                                          unsigned directions)
{
    (void)directions;
    column_keys_expand(key->schedule, bytes, key->key_words, key->rounds, sub_word);
}

AESFIT_LOCAL void sbox_columns_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                       size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
        columns s = columns_add(columns_load(in), columns_get(k));
        while ((k += 4) != last) {
            s = columns_map(columns_gather(s, sub_column), mix_column);
            s = columns_add(s, columns_get(k));
        }
        columns_store(out, columns_add(columns_gather(s, sub_column), columns_get(k)));
    }
}

AESFIT_LOCAL void sbox_columns_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                       size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *first = key->schedule, *k = first + 4 * key->rounds;
        columns s = columns_add(columns_load(in), columns_get(k));
        while ((k -= 4) != first) {
            s = columns_add(columns_gather_back(s, inv_sub_column), columns_get(k));
            s = columns_map(s, inv_mix_column);
        }
        columns_store(out, columns_add(columns_gather_back(s, inv_sub_column), columns_get(k)));
    }
}

#ifndef AESFIT_BOUND
static const aesfit_table sbox_columns_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(
    sbox_columns,
    (.summary = "a word per column: S-box only, four bytes doubled at once, rows met by rotations",
     .source = "Bertoni et al., CHES 2002, section 4 (the comparator, after Gladman)", .needs = "",
     .table_count = sizeof sbox_columns_tables / sizeof sbox_columns_tables[0],
     .tables = sbox_columns_tables),
    .properties = AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
