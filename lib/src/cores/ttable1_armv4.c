/* SPDX-License-Identifier: MIT */
/* ttable1_armv4: ttable1 with its rounds in assembly for ARM7TDMI and ARM9TDMI.
 *
 * Idea: layout and key schedule are those of ttable1.  The rounds stand one after the other; a
 * program wrote them and chose registers (tools/assemble) such that a round key is loaded by one
 * instruction.  The last round of encryption finds the S-box in byte 1 of the table's words, that
 * of decryption behind the table.  Elsewhere C rounds with the same reads stand in.
 * Source: version 2 ("AES2") of Bertoni et al., About the Performances of AES in
 * Embedded Systems with Cache Memory, section 3; decryption: FIPS 197, 5.3.5.
 * Cost per block (AES-128): 144 word reads and 16 byte reads of the table; 860 cycles of rounds
 * on ARM7TDMI; 6 KB of code: 2.1 KB for each direction, 1.8 KB for counter blocks.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/assembly_run.h"
#include "../parts/steps/counter_run.h"
#include "../parts/steps/field.h"
#include "../parts/steps/sub_word.h"
#include "../parts/steps/ttable.h"
#include "../parts/steps/ttable1.h"
#include "../parts/steps/ttable1_boxed.h"
#include "../parts/steps/ttable1_counter.h"

/* Words of a block are little-endian. */
#if AESFIT_ARM_STATE && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include "../assembly/ttable1_armv4.h"
#define TTABLE1_ARMV4_ASSEMBLY 1
#else
#define TTABLE1_ARMV4_ASSEMBLY 0
#endif

enum { ttable1_armv4_lanes = 1 };

AESFIT_LOCAL void ttable1_armv4_expand_key(aesfit_key *key, const uint8_t *bytes,
                                           unsigned directions)
{
    ttable_expand_key(key, bytes, directions, sub_word, BOUND_INVERSE(inv_mix_column));
}

#if TTABLE1_ARMV4_ASSEMBLY
AESFIT_LOCAL void ttable1_armv4_forward(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
    ttable1_armv4_encrypt_blocks(key, out, in, blocks, te);
}

AESFIT_LOCAL void ttable1_armv4_back(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                     size_t blocks)
{
    ttable1_armv4_decrypt_blocks(key, out, in, blocks, td_boxed);
}
#endif

AESFIT_LOCAL void ttable1_armv4_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
#if TTABLE1_ARMV4_ASSEMBLY
    assembly_run(ttable1_armv4_forward, key, out, in, blocks);
#else
    ttable_encrypt(key, out, in, blocks, ttable1_mix, ttable1_boxed_last);
#endif
}

#if AESFIT_KEEP_COUNTERS
AESFIT_COLD AESFIT_LOCAL void ttable1_armv4_prepare_counter(const aesfit_key *key,
                                                            uint32_t kept[AESFIT_COUNTER_WORDS],
                                                            const uint8_t counter[16])
{
    ttable1_counter_keep(key->schedule, kept, counter);
}

#if TTABLE1_ARMV4_ASSEMBLY
AESFIT_LOCAL void ttable1_armv4_count(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                      uint32_t counter, const uint32_t *kept)
{
    ttable1_armv4_counter_blocks(key, out, in, counter, kept, te);
}

AESFIT_LOCAL void ttable1_armv4_xor_counters(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             const uint32_t kept[AESFIT_COUNTER_WORDS],
                                             const uint8_t counter[16], size_t blocks)
{
    counter_run(ttable1_armv4_count, key, out, in, kept, counter[15], blocks);
}

AESFIT_LOCAL void ttable1_armv4_encrypt_counter(const aesfit_key *key, uint8_t out[16],
                                                const uint32_t kept[AESFIT_COUNTER_WORDS],
                                                const uint8_t counter[16])
{
    memset(out, 0, 16);
    ttable1_armv4_xor_counters(key, out, out, kept, counter, 1);
}
#else
AESFIT_LOCAL void ttable1_armv4_encrypt_counter(const aesfit_key *key, uint8_t out[16],
                                                const uint32_t kept[AESFIT_COUNTER_WORDS],
                                                const uint8_t counter[16])
{
    const uint32_t *k = key->schedule, *end = k + 4 * key->rounds;
    columns s = ttable1_counter_second(k, kept, counter);
    columns_store(out, ttable_rounds(s, k + 8, end, ttable1_mix, ttable1_boxed_last));
}

AESFIT_LOCAL void ttable1_armv4_xor_counters(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             const uint32_t kept[AESFIT_COUNTER_WORDS],
                                             const uint8_t counter[16], size_t blocks)
{
    counter_apart(ttable1_armv4_encrypt_counter, key, out, in, kept, counter, blocks);
}
#endif
#endif

AESFIT_LOCAL void ttable1_armv4_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
#if TTABLE1_ARMV4_ASSEMBLY
    assembly_run(ttable1_armv4_back, key, out, in, blocks);
#else
    ttable_decrypt(key, out, in, blocks, ttable1_boxed_inv_mix, ttable1_boxed_inv_last);
#endif
}

#undef TTABLE1_ARMV4_ASSEMBLY

#ifndef AESFIT_BOUND
static const aesfit_table ttable1_armv4_tables[] = {
    {"te", 1024, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"td_boxed", 1280, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(ttable1_armv4,
             (.summary = "ttable1 with its rounds in assembly for ARM7TDMI and ARM9TDMI",
              .source = "Bertoni et al., cache memory paper, section 3, version 2 (AES2)",
              .needs = "ARM state",
              .table_count = sizeof ttable1_armv4_tables / sizeof ttable1_armv4_tables[0],
              .tables = ttable1_armv4_tables),
             .properties = 0,
             .round_key_bytes = {{176, 176, 352}, {208, 208, 416}, {240, 240, 480}},
             COUNTER_RUNS(ttable1_armv4));
#endif
