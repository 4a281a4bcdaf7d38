/* SPDX-License-Identifier: MIT */
/* bitslice_rv32: bit-sliced, eight blocks at once, in assembly for RV32I (E31, PicoRV32, VexRiscv).
 *
 * Idea: 32 words hold one bit of one row of eight blocks each (parts/steps/bitslice_eight.h).
 * RV32I has no rotations: fixslice, with two blocks in eight words, makes one in three instructions
 * wherever MixColumns takes the next row.  Here rows are words of their own, MixColumns rotates
 * nothing, and ShiftRows rotates three rows of four.  The state lies on the stack, but for a row
 * that stays in registers behind its S-box and behind MixColumns.  Elsewhere C rounds stand in.
 * Source: Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4 (the layout, as
 * "barrel-shiftrows").  Order, key schedule and decryption are ours.
 * Cost: per round and eight blocks, encryption 440 gates, 72 operations of ShiftRows, 108 of
 * MixColumns, 32 of the round key, and 128 loads and stores; decryption adds 58 operations and 74.
 * Round keys take 1184 to 1696 bytes.  A single block costs as much as eight.
 * Constant-time: yes, in key schedule, encryption and decryption; no multiplication. */
#include "../parts/steps/bitslice_eight.h"

#if AESFIT_TAKES_RV32
#include "../assembly/bitslice_rv32.h"
#else
#include "../parts/steps/bitslice_eight_rounds.h"
#endif

enum { bitslice_rv32_lanes = 8 };

AESFIT_LOCAL void bitslice_rv32_expand_key(aesfit_key *key, const uint8_t *bytes,
                                           unsigned directions)
{
    (void)directions;
    bitslice_eight_expand(key, bytes);
}

AESFIT_LOCAL void bitslice_rv32_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
#if AESFIT_TAKES_RV32
    if (blocks > 0)
        bitslice_rv32_encrypt_blocks(key->schedule, out, in, 16 * blocks + key->rounds);
#else
    for (; blocks > 8; blocks -= 8, in += 128, out += 128)
        bitslice_eight_encrypt(key, out, in, 8);
    bitslice_eight_encrypt(key, out, in, blocks);
#endif
}

AESFIT_LOCAL void bitslice_rv32_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
#if AESFIT_TAKES_RV32
    if (blocks > 0)
        bitslice_rv32_decrypt_blocks(key->schedule, out, in, 16 * blocks + key->rounds);
#else
    for (; blocks > 8; blocks -= 8, in += 128, out += 128)
        bitslice_eight_decrypt(key, out, in, 8);
    bitslice_eight_decrypt(key, out, in, blocks);
#endif
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(bitslice_rv32,
             (.summary = "constant-time, bit-sliced: eight blocks at once, in assembly for RV32I",
              .source = "Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4",
              .needs = "RV32I"),
             .properties = AESFIT_CONSTANT_TIME,
             .round_key_bytes = {{1184, 1184, 1184}, {1440, 1440, 1440}, {1696, 1696, 1696}});
#endif
