/* SPDX-License-Identifier: MIT */
/* sbox_columns_otf: the rounds of sbox_columns with round keys computed as they are needed.
 *
 * Idea: only the key is kept, and for decryption the last Nk columns of its schedule, from which
 * the schedule runs backwards.  Keys move in as many variables as they have columns.
 * Source: Bertoni et al., Efficient Software Implementation of AES on 32-Bit Platforms (CHES
 * 2002), section 4: Gladman's code, extended by keys on the fly.
 * Cost: sbox_columns, and per round 4 S-box reads and 5 XOR (128-bit keys).
 * Constant-time: no; table addresses depend on secrets.
 *
 * AESFIT_AS_PRINTED, defined by an experiment: the steps of study/sbox_columns_paper.c. */
#include "../parts/steps/columns_otf.h"
#include "../parts/steps/field.h"
#ifdef AESFIT_AS_PRINTED
#include "../parts/steps/columns_printed.h"
#define mix_column printed_mix_column
#define inv_mix_column printed_inv_mix_column
#endif

enum { sbox_columns_otf_lanes = 1 };

AESFIT_LOCAL void sbox_columns_otf_expand_key(aesfit_key *key, const uint8_t *bytes,
                                              unsigned directions)
{
    columns_otf_expand_key(key, bytes, directions);
}

AESFIT_INLINE columns sbox_columns_otf_middle(columns s)
{
    return columns_map(columns_gather(s, sub_column), mix_column);
}

/* 128-bit keys: the round key in registers. */
AESFIT_LOCAL void sbox_columns_otf_encrypt128(const aesfit_key *key, uint8_t *out,
                                              const uint8_t *in, size_t blocks)
{
    columns_otf_encrypt128(key, out, in, blocks, sbox_columns_otf_middle);
}

AESFIT_LOCAL void sbox_columns_otf_decrypt128(const aesfit_key *key, uint8_t *out,
                                              const uint8_t *in, size_t blocks)
{
    const uint32_t *end = columns_otf_end(key);
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        columns k = columns_get(end), s = columns_add(columns_load(in), k);
        for (unsigned round = key->rounds - 1u; round != 0; round--) {
            k = column_keys_undo(k, round, sub_word);
            s = columns_add(columns_gather_back(s, inv_sub_column), k);
            s = columns_map(s, inv_mix_column);
        }
        k = column_keys_undo(k, 0, sub_word);
        columns_store(out, columns_add(columns_gather_back(s, inv_sub_column), k));
    }
}

AESFIT_INLINE columns sbox_columns_otf_back(columns s, columns k)
{
    return columns_map(columns_add(columns_gather_back(s, inv_sub_column), k), inv_mix_column);
}

AESFIT_LOCAL void sbox_columns_otf_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    if (AESFIT_BOUND_KEY_SIZES == 1 || key->key_words == 4)
        sbox_columns_otf_encrypt128(key, out, in, blocks);
#if (AESFIT_BOUND_KEY_SIZES & 2) != 0
    else if (key->key_words == 6)
        columns_otf_encrypt192(key, out, in, blocks, sbox_columns_otf_middle);
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    else
        columns_otf_encrypt256(key, out, in, blocks, sbox_columns_otf_middle);
#endif
}

AESFIT_LOCAL void sbox_columns_otf_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    if (AESFIT_BOUND_KEY_SIZES == 1 || key->key_words == 4)
        sbox_columns_otf_decrypt128(key, out, in, blocks);
#if (AESFIT_BOUND_KEY_SIZES & 2) != 0
    else if (key->key_words == 6)
        columns_otf_decrypt192(key, out, in, blocks, sub_word, sbox_columns_otf_back,
                               columns_otf_as_it_is);
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    else
        columns_otf_decrypt256(key, out, in, blocks, sub_word, sbox_columns_otf_back,
                               columns_otf_as_it_is);
#endif
}

#ifndef AESFIT_BOUND
static const aesfit_table sbox_columns_otf_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 20, 20, {0, -16, -4}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_DECRYPT, 4, 4, {0, -16, -4}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(sbox_columns_otf,
             (.summary = "sbox_columns with round keys on the fly, forwards and backwards",
              .source = "Bertoni et al., CHES 2002, section 4 (the comparator, keys on the fly)",
              .needs = "",
              .table_count = sizeof sbox_columns_otf_tables / sizeof sbox_columns_otf_tables[0],
              .tables = sbox_columns_otf_tables),
             .properties = AESFIT_ON_THE_FLY_KEYS,
             .round_key_bytes = {{16, 16, 32}, {24, 24, 48}, {32, 32, 64}});
#endif
#ifdef AESFIT_AS_PRINTED
#undef mix_column
#undef inv_mix_column
#endif
