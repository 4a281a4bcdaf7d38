/* SPDX-License-Identifier: MIT */
/* sbox_columns_paper: a word per column, MixColumns with the operations that the paper counts.
 *
 * Idea: that of `sbox_columns`, without what the library does better: MixColumns rotates three
 * words instead of two, InvMixColumns sums four multiples of a column instead of correcting
 * MixColumns.  It is what `transposed_paper` is compared with.
 * Source: B. Gladman's code as Bertoni et al., Efficient Software Implementation of AES on 32-Bit
 * Platforms (CHES 2002), section 4, count it.  Its key schedule is not counted there; this is the
 * library's.
 * Cost per middle round: 16 S-box reads; MixColumns 16 XOR, 4 doublings, 12 rotations;
 * InvMixColumns 32 XOR, 12 doublings, 12 rotations.
 * Constant-time: no; table addresses depend on secrets.
 *
 * Experiments define AESFIT_ROTATIONS_APART or AESFIT_TEMPORARIES (steps/columns_printed.h). */
#include "../../parts/steps/column_keys.h"
#include "../../parts/steps/columns_printed.h"
#include "../../parts/steps/columns_rounds.h"
#include "../../parts/steps/sub_word.h"

enum { sbox_columns_paper_lanes = 1 };

AESFIT_INLINE columns sbox_columns_paper_sub_shift(columns s)
{
    return columns_gather(s, sub_column);
}

AESFIT_INLINE columns sbox_columns_paper_inv_sub_shift(columns s)
{
    return columns_gather_back(s, inv_sub_column);
}

AESFIT_LOCAL void sbox_columns_paper_expand_key(aesfit_key *key, const uint8_t *bytes,
                                                unsigned directions)
{
    (void)directions;
    column_keys_expand(key->schedule, bytes, key->key_words, key->rounds, sub_word);
}

AESFIT_LOCAL void sbox_columns_paper_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             size_t blocks)
{
    columns_encrypt(key, out, in, blocks, sbox_columns_paper_sub_shift, printed_mix_column);
}

AESFIT_LOCAL void sbox_columns_paper_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             size_t blocks)
{
    columns_decrypt(key, out, in, blocks, sbox_columns_paper_inv_sub_shift, printed_inv_mix_column);
}

#ifndef AESFIT_BOUND
static const aesfit_table sbox_columns_paper_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(
    sbox_columns_paper,
    (.summary = "sbox_columns with the operations that the paper counts: 12 rotations, 32 XOR back",
     .source = "Bertoni et al., CHES 2002, section 4 (the comparator, as counted)", .needs = "",
     .table_count = sizeof sbox_columns_paper_tables / sizeof sbox_columns_paper_tables[0],
     .tables = sbox_columns_paper_tables),
    .properties = AESFIT_STUDY | AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
