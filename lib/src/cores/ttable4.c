/* SPDX-License-Identifier: MIT */
/* ttable4: SubBytes and MixColumns in four tables of 256 words, one per row.
 *
 * Idea: ttable1 without its rotations: each row has its own table.  The last round reads the S-box.
 * Source: version 4 ("AES4") of Bertoni et al., About the Performances of AES in
 * Embedded Systems with Cache Memory, section 3; decryption: FIPS 197, 5.3.5.
 * Cost per block (AES-128): 36 reads of each table, 16 byte reads.
 * Memory per direction: 4 KiB and an S-box; decryption keys need the S-box of encryption.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/field.h"
#include "../parts/steps/sub_word.h"
#include "../parts/steps/ttable.h"
#include "../parts/steps/ttable4.h"

enum { ttable4_lanes = 1 };

AESFIT_LOCAL void ttable4_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    ttable_expand_key(key, bytes, directions, sub_word, BOUND_INVERSE(inv_mix_column));
}

AESFIT_LOCAL void ttable4_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks)
{
    ttable_encrypt(key, out, in, blocks, ttable4_mix, sub_column);
}

AESFIT_LOCAL void ttable4_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks)
{
    ttable_decrypt(key, out, in, blocks, ttable4_inv_mix, inv_sub_column);
}

#ifndef AESFIT_BOUND
static const aesfit_table ttable4_tables[] = {
    {"te0", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"te1", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"te2", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"te3", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"sbox", 256, AESFIT_ENCRYPT, 0, 16, {0, 0, 0}},
    {"td0", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"td1", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"td2", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"td3", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 0, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(ttable4,
             (.summary = "four tables of 256 words; last round from the S-box",
              .source = "Bertoni et al., cache memory paper, section 3, version 4 (AES4)",
              .needs = "", .table_count = sizeof ttable4_tables / sizeof ttable4_tables[0],
              .tables = ttable4_tables),
             .properties = 0,
             .round_key_bytes = {{176, 176, 352}, {208, 208, 416}, {240, 240, 480}});
#endif
