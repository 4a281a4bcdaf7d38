/* SPDX-License-Identifier: MIT */
/* transposed_armv4: transposed with its rounds in assembly for ARM7TDMI and ARM9TDMI.
 *
 * Idea: layout and key schedule are those of transposed.  A program wrote the rounds and chose
 * registers (tools/assemble): constants, pointers and rows stay in them, a round key comes in one
 * multiple load, and the address of a read extracts the topmost byte of a row.  Elsewhere the C
 * rounds of transposed stand in.
 * Source: Bertoni et al., Efficient Software Implementation of AES on 32-Bit Platforms (CHES
 * 2002), section 3; each MixColumns as in transposed.c.  Order and registers are ours.
 * Cost: 16 S-box reads; on ARM7TDMI, per round and block, encryption 109 cycles (SubBytes and
 * ShiftRows 72, MixColumns 27, round key 10), decryption 133.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/assembly_run.h"
#include "../parts/steps/transposed_rounds.h"

/* Words of a block are little-endian. */
#if AESFIT_ARM_STATE && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include "../assembly/transposed_armv4.h"
#define TRANSPOSED_ARMV4_ASSEMBLY 1
#else
#define TRANSPOSED_ARMV4_ASSEMBLY 0
#endif

enum { transposed_armv4_lanes = 1 };

AESFIT_LOCAL void transposed_armv4_expand_key(aesfit_key *key, const uint8_t *bytes,
                                              unsigned directions)
{
    (void)directions;
    transposed_keys_expand(key, bytes);
}

#if TRANSPOSED_ARMV4_ASSEMBLY
AESFIT_LOCAL void transposed_armv4_forward(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    transposed_armv4_encrypt_blocks(key, out, in, blocks, sbox);
}

AESFIT_LOCAL void transposed_armv4_back(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
    transposed_armv4_decrypt_blocks(key, out, in, blocks, inv_sbox);
}
#endif

AESFIT_LOCAL void transposed_armv4_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
#if TRANSPOSED_ARMV4_ASSEMBLY
    assembly_run(transposed_armv4_forward, key, out, in, blocks);
#else
    transposed_encrypt_blocks(key, out, in, blocks);
#endif
}

AESFIT_LOCAL void transposed_armv4_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
#if TRANSPOSED_ARMV4_ASSEMBLY
    assembly_run(transposed_armv4_back, key, out, in, blocks);
#else
    transposed_decrypt_blocks(key, out, in, blocks);
#endif
}

#undef TRANSPOSED_ARMV4_ASSEMBLY

#ifndef AESFIT_BOUND
static const aesfit_table transposed_armv4_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(transposed_armv4,
             (.summary = "transposed with its rounds in assembly for ARM7TDMI and ARM9TDMI",
              .source = "Bertoni et al., CHES 2002, section 3", .needs = "ARM state",
              .table_count = sizeof transposed_armv4_tables / sizeof transposed_armv4_tables[0],
              .tables = transposed_armv4_tables),
             .properties = 0,
             .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
