/* SPDX-License-Identifier: MIT */
/* sbox_columns_otf: the rounds of sbox_columns with round keys computed as they are needed.
 *
 * Idea: only the key is kept, and for decryption the last Nk columns of its schedule, from which
 * the schedule runs backwards.  128-bit keys move in four variables, longer ones in a window.
 * Source: Bertoni et al., Efficient Software Implementation of AES on 32-Bit Platforms (CHES
 * 2002), section 4: Gladman's code, extended by keys on the fly.
 * Cost: sbox_columns, and per round 4 S-box reads and 5 XOR (128-bit keys).
 * Constant-time: no; table addresses depend on secrets.
 *
 * AESFIT_AS_PRINTED, defined by an experiment: the steps of study/sbox_columns_paper.c. */
#include "../parts/steps/columns_otf.h"
#include "../parts/steps/field.h"
#include "../parts/wipe.h"
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

AESFIT_NOINLINE AESFIT_LOCAL columns sbox_columns_otf_previous(column_keys_window *window)
{
    return column_keys_previous(window, sub_word);
}

AESFIT_LOCAL void sbox_columns_otf_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    if (key->key_words == 4)
        sbox_columns_otf_encrypt128(key, out, in, blocks);
    else
        columns_otf_encrypt_longer(key, out, in, blocks, sbox_columns_otf_middle);
}

AESFIT_LOCAL void sbox_columns_otf_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    column_keys_window window;
    unsigned nk = key->key_words;
    const uint32_t *end = columns_otf_end(key);
    if (nk == 4) {
        sbox_columns_otf_decrypt128(key, out, in, blocks);
        return;
    }
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        column_keys_last(&window, end, nk, key->rounds);
        columns k = sbox_columns_otf_previous(&window), s = columns_add(columns_load(in), k);
        for (unsigned round = key->rounds; round > 1; round--) {
            k = sbox_columns_otf_previous(&window);
            s = columns_add(columns_gather_back(s, inv_sub_column), k);
            s = columns_map(s, inv_mix_column);
        }
        k = sbox_columns_otf_previous(&window);
        columns_store(out, columns_add(columns_gather_back(s, inv_sub_column), k));
    }
    wipe(&window, sizeof window);
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
             .properties = AESFIT_STUDY_ROUNDS | AESFIT_ON_THE_FLY_KEYS,
             .round_key_bytes = {{16, 16, 32}, {24, 24, 48}, {32, 32, 64}});
#endif
#ifdef AESFIT_AS_PRINTED
#undef mix_column
#undef inv_mix_column
#endif
