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
#include "../parts/steps/columns_otf.h"
#include "../parts/steps/field.h"
#include "../parts/steps/ttable1.h"

enum { ttable1_otf_lanes = 1 };

/* SubWord on columns that went through InvMixColumns. */
AESFIT_LOCAL uint32_t ttable1_otf_inv_sub_word(uint32_t x, uint32_t constant)
{
    return inv_mix_column(sub_word(mix_column(x), constant));
}

/* As columns_otf_expand_key(); the end of the schedule goes through InvMixColumns. */
AESFIT_LOCAL void ttable1_otf_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    uint32_t *end = columns_otf_expand_key(key, bytes, directions);
    for (unsigned i = 0; end != NULL && i < key->key_words; i++)
        end[i] = inv_mix_column(end[i]);
}

AESFIT_INLINE columns ttable1_otf_middle(columns s)
{
    return columns_gather(s, ttable1_mix);
}

/* 128-bit keys: the round key in registers. */
AESFIT_LOCAL void ttable1_otf_encrypt128(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    columns_otf_encrypt128(key, out, in, blocks, ttable1_otf_middle);
}

AESFIT_LOCAL void ttable1_otf_decrypt128(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    const uint32_t *end = columns_otf_end(key);
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        columns k = columns_get(end), s = columns_add(columns_load(in), columns_map(k, mix_column));
        for (unsigned round = key->rounds - 1u; round != 0; round--) {
            k = column_keys_undo(k, round, ttable1_otf_inv_sub_word);
            s = columns_add(columns_gather_back(s, ttable1_inv_mix), k);
        }
        k = column_keys_undo(k, 0, ttable1_otf_inv_sub_word);
        columns_store(
            out, columns_add(columns_gather_back(s, inv_sub_column), columns_map(k, mix_column)));
    }
}

AESFIT_INLINE columns ttable1_otf_back(columns s, columns k)
{
    return columns_add(columns_gather_back(s, ttable1_inv_mix), k);
}

AESFIT_LOCAL void ttable1_otf_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                      size_t blocks)
{
    if (AESFIT_BOUND_KEY_SIZES == 1 || key->key_words == 4)
        ttable1_otf_encrypt128(key, out, in, blocks);
#if (AESFIT_BOUND_KEY_SIZES & 2) != 0
    else if (key->key_words == 6)
        columns_otf_encrypt192(key, out, in, blocks, ttable1_otf_middle);
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    else
        columns_otf_encrypt256(key, out, in, blocks, ttable1_otf_middle);
#endif
}

AESFIT_LOCAL void ttable1_otf_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                      size_t blocks)
{
    if (AESFIT_BOUND_KEY_SIZES == 1 || key->key_words == 4)
        ttable1_otf_decrypt128(key, out, in, blocks);
#if (AESFIT_BOUND_KEY_SIZES & 2) != 0
    else if (key->key_words == 6)
        columns_otf_decrypt192(key, out, in, blocks, ttable1_otf_inv_sub_word, ttable1_otf_back,
                               mix_column);
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    else
        columns_otf_decrypt256(key, out, in, blocks, ttable1_otf_inv_sub_word, ttable1_otf_back,
                               mix_column);
#endif
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

CORE_OBJECTS(ttable1_otf,
             (.summary = "ttable1 with round keys on the fly, forwards and backwards",
              .source = "Bertoni et al., CHES 2002, table 3 (beside cAESar with tables)",
              .needs = "", .table_count = sizeof ttable1_otf_tables / sizeof ttable1_otf_tables[0],
              .tables = ttable1_otf_tables),
             .properties = AESFIT_ON_THE_FLY_KEYS,
             .round_key_bytes = {{16, 16, 32}, {24, 24, 48}, {32, 32, 64}});
#endif
