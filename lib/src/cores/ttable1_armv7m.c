/* SPDX-License-Identifier: MIT */
/* ttable1_armv7m: ttable1 with its rounds in assembly for Cortex-M3 and M4.
 *
 * Idea: layout and key schedule are those of ttable1.  The rounds stand one after the other, in an
 * order that a program wrote (tools/assemble): a round takes three rows of loads, in which all but
 * the first take one cycle.  The last round of encryption finds the S-box in byte 1 of the table's
 * words, that of decryption behind the table.  Elsewhere C rounds with the same reads stand in.
 * Source: version 2 ("AES2") of Bertoni et al., About the Performances of AES in
 * Embedded Systems with Cache Memory, section 3; decryption: FIPS 197, 5.3.5.
 * Cost per block (AES-128): 144 word reads and 16 byte reads of the table; 550 cycles of rounds;
 * 488 of a counter block with its text; 6.5 KB of code: 2.3 KB for each direction, 1.9 KB for
 * counter blocks.  Key set-up: 21 cycles for each substituted word and what follows from it; 0.8 to
 * 1.1 KB of code for each size of key.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/assembly_run.h"
#include "../parts/steps/counter_run.h"
#include "../parts/steps/field.h"
#include "../parts/steps/sub_word.h"
#include "../parts/steps/ttable.h"
#include "../parts/steps/ttable1.h"
#include "../parts/steps/ttable1_boxed.h"
#include "../parts/steps/ttable1_counter.h"

#if AESFIT_TAKES_ARMV7M
#include "../assembly/ttable1_armv7m.h"
#include "../parts/steps/ttable_assembly_keys.h"
#endif

enum { ttable1_armv7m_lanes = 1 };

AESFIT_LOCAL void ttable1_armv7m_expand_key(aesfit_key *key, const uint8_t *bytes,
                                            unsigned directions)
{
#if AESFIT_TAKES_ARMV7M
    ttable_assembly_keys expand = {ttable1_armv7m_expand_128, ttable1_armv7m_expand_192,
                                   ttable1_armv7m_expand_256};
    ttable_assembly_expand_key(key, bytes, directions, expand, BOUND_INVERSE(inv_mix_column));
#else
    ttable_expand_key(key, bytes, directions, sub_word, BOUND_INVERSE(inv_mix_column));
#endif
}

#if AESFIT_TAKES_ARMV7M
AESFIT_LOCAL void ttable1_armv7m_forward(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    ttable1_armv7m_encrypt_blocks(key, out, in, blocks, te);
}

AESFIT_LOCAL void ttable1_armv7m_back(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                      size_t blocks)
{
    ttable1_armv7m_decrypt_blocks(key, out, in, blocks, td_boxed);
}
#endif

AESFIT_LOCAL void ttable1_armv7m_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
#if AESFIT_TAKES_ARMV7M
    assembly_run(ttable1_armv7m_forward, key, out, in, blocks);
#else
    ttable_encrypt(key, out, in, blocks, ttable1_mix, ttable1_boxed_last);
#endif
}

#if AESFIT_KEEP_COUNTERS
AESFIT_COLD AESFIT_LOCAL void ttable1_armv7m_prepare_counter(const aesfit_key *key,
                                                             uint32_t kept[AESFIT_COUNTER_WORDS],
                                                             const uint8_t counter[16])
{
    ttable1_counter_keep(key->schedule, kept, counter);
}

#if AESFIT_TAKES_ARMV7M
AESFIT_LOCAL void ttable1_armv7m_count(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                       uint32_t counter, const uint32_t *kept)
{
    ttable1_armv7m_counter_blocks(key, out, in, counter, kept, te);
}

AESFIT_LOCAL void ttable1_armv7m_xor_counters(const aesfit_key *key, uint8_t *out,
                                              const uint8_t *in,
                                              const uint32_t kept[AESFIT_COUNTER_WORDS],
                                              const uint8_t counter[16], size_t blocks)
{
    counter_run(ttable1_armv7m_count, key, out, in, kept, counter[15], blocks);
}

AESFIT_LOCAL void ttable1_armv7m_encrypt_counter(const aesfit_key *key, uint8_t out[16],
                                                 const uint32_t kept[AESFIT_COUNTER_WORDS],
                                                 const uint8_t counter[16])
{
    memset(out, 0, 16);
    ttable1_armv7m_xor_counters(key, out, out, kept, counter, 1);
}
#else
AESFIT_LOCAL void ttable1_armv7m_encrypt_counter(const aesfit_key *key, uint8_t out[16],
                                                 const uint32_t kept[AESFIT_COUNTER_WORDS],
                                                 const uint8_t counter[16])
{
    const uint32_t *k = key->schedule, *end = k + 4 * key->rounds;
    columns s = ttable1_counter_second(k, kept, counter);
    columns_store(out, ttable_rounds(s, k + 8, end, ttable1_mix, ttable1_boxed_last));
}

AESFIT_LOCAL void ttable1_armv7m_xor_counters(const aesfit_key *key, uint8_t *out,
                                              const uint8_t *in,
                                              const uint32_t kept[AESFIT_COUNTER_WORDS],
                                              const uint8_t counter[16], size_t blocks)
{
    counter_apart(ttable1_armv7m_encrypt_counter, key, out, in, kept, counter, blocks);
}
#endif
#endif

AESFIT_LOCAL void ttable1_armv7m_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
#if AESFIT_TAKES_ARMV7M
    assembly_run(ttable1_armv7m_back, key, out, in, blocks);
#else
    ttable_decrypt(key, out, in, blocks, ttable1_boxed_inv_mix, ttable1_boxed_inv_last);
#endif
}

#ifndef AESFIT_BOUND
static const aesfit_table ttable1_armv7m_tables[] = {
    {"te", 1024, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"td_boxed", 1280, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(ttable1_armv7m,
             (.summary = "ttable1 with its rounds in assembly for Cortex-M3 and M4",
              .source = "Bertoni et al., cache memory paper, section 3, version 2 (AES2)",
              .needs = "ARMv7-M",
              .table_count = sizeof ttable1_armv7m_tables / sizeof ttable1_armv7m_tables[0],
              .tables = ttable1_armv7m_tables),
             .properties = 0,
             .round_key_bytes = {{176, 176, 352}, {208, 208, 416}, {240, 240, 480}},
             COUNTER_RUNS(ttable1_armv7m));
#endif
