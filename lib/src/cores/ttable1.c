/* SPDX-License-Identifier: MIT */
/* ttable1: SubBytes and MixColumns in one table of 256 words.
 *
 * Idea: the word of a byte in row 0 holds its share of a whole new column; for the other rows it is
 * rotated by 8, 16 and 24 bits.  The last round has no MixColumns and reads the S-box.
 * Source: version 2 ("AES2") of Bertoni et al., About the Performances of AES in
 * Embedded Systems with Cache Memory, section 3; decryption: FIPS 197, 5.3.5.
 * Cost per block (AES-128): 144 word reads, 16 byte reads, 108 rotations.
 * Memory per direction: 1 KiB and an S-box; decryption keys need the S-box of encryption.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/field.h"
#include "../parts/steps/sub_word.h"
#include "../parts/steps/ttable.h"
#include "../parts/steps/ttable1.h"
#include "../parts/steps/ttable1_counter.h"

enum { ttable1_lanes = 1 };

AESFIT_LOCAL void ttable1_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    ttable_expand_key(key, bytes, directions, sub_word, BOUND_INVERSE(inv_mix_column));
}

AESFIT_LOCAL void ttable1_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks)
{
    ttable_encrypt(key, out, in, blocks, ttable1_mix, sub_column);
}

#if AESFIT_KEEP_COUNTERS
AESFIT_COLD AESFIT_LOCAL void ttable1_prepare_counter(const aesfit_key *key,
                                                      uint32_t kept[AESFIT_COUNTER_WORDS],
                                                      const uint8_t counter[16])
{
    ttable1_counter_keep(key->schedule, kept, counter);
}

AESFIT_LOCAL void ttable1_encrypt_counter(const aesfit_key *key, uint8_t out[16],
                                          const uint32_t kept[AESFIT_COUNTER_WORDS],
                                          const uint8_t counter[16])
{
    const uint32_t *k = key->schedule;
    columns s = ttable1_counter_second(k, kept, counter);
    columns_store(out, ttable_rounds(s, k + 8, k + 4 * key->rounds, ttable1_mix, sub_column));
}
#endif

AESFIT_LOCAL void ttable1_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks)
{
    ttable_decrypt(key, out, in, blocks, ttable1_inv_mix, inv_sub_column);
}

#ifndef AESFIT_BOUND
static const aesfit_table ttable1_tables[] = {
    {"te", 1024, AESFIT_ENCRYPT, 16, 0, {0, 0, 0}},
    {"sbox", 256, AESFIT_ENCRYPT, 0, 16, {0, 0, 0}},
    {"td", 1024, AESFIT_DECRYPT, 16, 0, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 0, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(ttable1,
             (.summary = "one table of 256 words and rotations; last round from the S-box",
              .source = "Bertoni et al., cache memory paper, section 3, version 2 (AES2)",
              .needs = "", .table_count = sizeof ttable1_tables / sizeof ttable1_tables[0],
              .tables = ttable1_tables),
             .properties = 0,
             .round_key_bytes = {{176, 176, 352}, {208, 208, 416}, {240, 240, 480}},
             COUNTER_STEPS(ttable1));
#endif
