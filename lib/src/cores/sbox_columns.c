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

/* From the state s, to which the round key at k is added already, to the end. */
AESFIT_INLINE columns sbox_columns_rounds(columns s, const uint32_t *k, const uint32_t *last)
{
    while ((k += 4) != last) {
        s = columns_map(columns_gather(s, sub_column), mix_column);
        s = columns_add(s, columns_get(k));
    }
    return columns_add(columns_gather(s, sub_column), columns_get(k));
}

AESFIT_LOCAL void sbox_columns_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                       size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
        columns s = columns_add(columns_load(in), columns_get(k));
        columns_store(out, sbox_columns_rounds(s, k, last));
    }
}

#if AESFIT_KEEP_COUNTERS
/* The share in column 0 of row 3, which the last byte reaches in the first round. */
AESFIT_INLINE uint32_t sbox_columns_last(const uint32_t *k, const uint8_t counter[16])
{
    return mix_column((uint32_t)READ(sbox, counter[15] ^ k[3] >> 24) << 24);
}

/* kept: column 0 after the first round, and the columns that enter MixColumns in the second. */
AESFIT_COLD AESFIT_LOCAL void sbox_columns_prepare_counter(const aesfit_key *key,
                                                           uint32_t kept[AESFIT_COUNTER_WORDS],
                                                           const uint8_t counter[16])
{
    const uint32_t *k = key->schedule;
    columns s = columns_add(columns_load(counter), columns_get(k));
    s = columns_map(columns_gather(s, sub_column), mix_column);
    s = columns_add(s, columns_get(k + 4));
    kept[0] = s.c0 ^ sbox_columns_last(k, counter);
    s = columns_gather(s, sub_column);
    kept[1] = s.c0 & 0xffffff00u;
    kept[2] = s.c1 & 0x00ffffffu;
    kept[3] = s.c2 & 0xff00ffffu;
    kept[4] = s.c3 & 0xffff00ffu;
}

AESFIT_LOCAL void sbox_columns_encrypt_counter(const aesfit_key *key, uint8_t out[16],
                                               const uint32_t kept[AESFIT_COUNTER_WORDS],
                                               const uint8_t counter[16])
{
    const uint32_t *k = key->schedule;
    uint32_t x = kept[0] ^ sbox_columns_last(k, counter);
    uint32_t row0 = byte_of(x, 0), row1 = byte_of(x, 1), row2 = byte_of(x, 2), row3 = byte_of(x, 3);
    columns s = columns_get(kept + 1);
    READ_FOUR(sbox, row0, row1, row2, row3);
    s.c0 |= row0;
    s.c1 |= row3 << 24;
    s.c2 |= row2 << 16;
    s.c3 |= row1 << 8;
    s = columns_add(columns_map(s, mix_column), columns_get(k + 8));
    columns_store(out, sbox_columns_rounds(s, k + 8, k + 4 * key->rounds));
}
#endif

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
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}},
    COUNTER_STEPS(sbox_columns));
#endif
