/* SPDX-License-Identifier: MIT */
/* transposed_armv6m: transposed with its rounds in assembly for Cortex-M0 and M0+.
 *
 * Idea: layout and key schedule are those of transposed.  Operations reach eight registers, and a
 * rotation there takes two instructions: a word per row needs no rotation, and SubBytes and
 * ShiftRows of a row need that row alone, so that rows stay in registers.  A round is a loop; a
 * program wrote it (tools/assemble).  No multiplication, which takes 32 cycles on some of these
 * processors.  Elsewhere the C rounds of transposed stand in.
 * Source: Bertoni et al., Efficient Software Implementation of AES on 32-Bit Platforms (CHES
 * 2002), section 3; each MixColumns as in transposed.c.  Order and registers are ours.
 * Cost: 16 S-box reads; per round and block, encryption 135 cycles (SubBytes and ShiftRows 81,
 * MixColumns 38, round key 11, loop 5), decryption 172; under 1 KB of code in both directions.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/assembly_run.h"
#include "../parts/steps/transposed_rounds.h"

#if AESFIT_TAKES_ARMV6M
#include "../assembly/transposed_armv6m.h"
#endif

enum { transposed_armv6m_lanes = 1 };

AESFIT_LOCAL void transposed_armv6m_expand_key(aesfit_key *key, const uint8_t *bytes,
                                               unsigned directions)
{
    (void)directions;
    transposed_keys_expand(key, bytes);
}

#if AESFIT_TAKES_ARMV6M
AESFIT_LOCAL void transposed_armv6m_forward(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
    transposed_armv6m_encrypt_blocks(key, out, in, blocks, sbox);
}

AESFIT_LOCAL void transposed_armv6m_back(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    transposed_armv6m_decrypt_blocks(key, out, in, blocks, inv_sbox);
}
#endif

AESFIT_LOCAL void transposed_armv6m_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
#if AESFIT_TAKES_ARMV6M
    assembly_run(transposed_armv6m_forward, key, out, in, blocks);
#else
    transposed_encrypt_blocks(key, out, in, blocks);
#endif
}

AESFIT_LOCAL void transposed_armv6m_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
#if AESFIT_TAKES_ARMV6M
    assembly_run(transposed_armv6m_back, key, out, in, blocks);
#else
    transposed_decrypt_blocks(key, out, in, blocks);
#endif
}

#ifndef AESFIT_BOUND
static const aesfit_table transposed_armv6m_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(transposed_armv6m,
             (.summary = "transposed with its rounds in assembly for Cortex-M0 and M0+",
              .source = "Bertoni et al., CHES 2002, section 3", .needs = "ARMv6-M",
              .table_count = sizeof transposed_armv6m_tables / sizeof transposed_armv6m_tables[0],
              .tables = transposed_armv6m_tables),
             .properties = 0,
             .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
