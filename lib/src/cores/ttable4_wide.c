/* SPDX-License-Identifier: MIT */
/* ttable4_wide: ttable4 with a table of words for the last round.
 *
 * Idea: all reads are words, for machines that read bytes more slowly; the key schedule reads the
 * same wide S-box.
 * Source: version 5 of Bertoni et al., About the Performances of AES in Embedded
 * Systems with Cache Memory, section 3; decryption: FIPS 197, 5.3.5.
 * Cost per block (AES-128): 36 reads of each table, 16 of the wide S-box.
 * Memory per direction: 5 KiB; decryption keys need the wide S-box of encryption.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/field.h"
#include "../parts/steps/sub_word_wide.h"
#include "../parts/steps/ttable.h"
#include "../parts/steps/ttable4.h"

enum { ttable4_wide_lanes = 1 };

AESFIT_LOCAL void ttable4_wide_expand_key(aesfit_key *key, const uint8_t *bytes,
                                          unsigned directions)
{
    ttable_expand_key(key, bytes, directions, sub_word_wide, BOUND_INVERSE(inv_mix_column));
}

AESFIT_LOCAL void ttable4_wide_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                       size_t blocks)
{
    ttable_encrypt(key, out, in, blocks, ttable4_mix, sub_column_wide);
}

AESFIT_LOCAL void ttable4_wide_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                       size_t blocks)
{
    ttable_decrypt(key, out, in, blocks, ttable4_inv_mix, inv_sub_column_wide);
}

#ifndef AESFIT_BOUND
static const aesfit_table ttable4_wide_tables[] = {
    {"te0", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"te1", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"te2", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"te3", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"te_last", 1024, AESFIT_ENCRYPT, 0, 16, {0, 0, 0}},
    {"td0", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"td1", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"td2", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"td3", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"td_last", 1024, AESFIT_DECRYPT, 0, 16, {0, 0, 0}},
    {"te_last", 1024, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(ttable4_wide,
             (.summary = "four tables of 256 words; last round from a table of words",
              .source = "Bertoni et al., cache memory paper, section 3, version 5", .needs = "",
              .table_count = sizeof ttable4_wide_tables / sizeof ttable4_wide_tables[0],
              .tables = ttable4_wide_tables),
             .properties = 0,
             .round_key_bytes = {{176, 176, 352}, {208, 208, 416}, {240, 240, 480}});
#endif
