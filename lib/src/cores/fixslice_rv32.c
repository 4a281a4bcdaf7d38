/* SPDX-License-Identifier: MIT */
/* fixslice_rv32: fixslice with its rounds in assembly for RV32I (E31, PicoRV32, VexRiscv).
 *
 * Idea: layout and key schedule are those of fixslice.  The rounds are the same operations in an
 * order and in registers that a program chose (tools/assemble): 27 registers hold nearly all
 * values, no load or shift is followed by the operation that reads it, and a rotated word, which
 * takes three operations, is made once for all that use it.  In odd rounds of decryption
 * x + N^2 x is computed for half of its bits.  Where the assembly cannot be used, the C rounds of
 * fixslice stand in.
 * Source: Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4.  Order,
 * allocation and decryption are ours.
 * Cost: per round and two blocks, encryption 110 gates, 75, 155, 115 or 155 operations of
 * MixColumns (round 0, 1, 2, 3 modulo 4), 16 of the round key; decryption adds 45 or 85; 12
 * KB of code in both directions.  A single block costs as much as two.  Blocks that do not lie at
 * words are copied.
 * Constant-time: yes, in key schedule, encryption and decryption; no multiplication. */
#include "../parts/steps/fixslice_keys.h"

#if AESFIT_TAKES_RV32
#include "../assembly/fixslice_rv32.h"
#include "../parts/steps/fixslice_words.h"
#else
#include "../parts/steps/fixslice_rounds.h"
#endif

enum { fixslice_rv32_lanes = 2 };

AESFIT_LOCAL void fixslice_rv32_expand_key(aesfit_key *key, const uint8_t *bytes,
                                           unsigned directions)
{
    (void)directions;
    fixslice_keys_expand(key, bytes);
}

AESFIT_LOCAL void fixslice_rv32_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
#if AESFIT_TAKES_RV32
    fixslice_blocks_at(fixslice_rv32_encrypt_blocks, key, out, in, blocks, words_at(out, in));
#else
    fixslice_encrypt_pairs(key, out, in, blocks);
#endif
}

AESFIT_LOCAL void fixslice_rv32_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
#if AESFIT_TAKES_RV32
    fixslice_blocks_at(fixslice_rv32_decrypt_blocks, key, out, in, blocks, words_at(out, in));
#else
    fixslice_decrypt_pairs(key, out, in, blocks);
#endif
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(fixslice_rv32,
             (.summary = "fixslice with its rounds in assembly for RV32I",
              .source = "Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4",
              .needs = "RV32I"),
             .properties = AESFIT_CONSTANT_TIME,
             .round_key_bytes = {{352, 352, 352}, {416, 416, 416}, {480, 480, 480}});
#endif
