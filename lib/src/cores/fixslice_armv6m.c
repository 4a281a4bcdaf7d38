/* SPDX-License-Identifier: MIT */
/* fixslice_armv6m: fixslice with its rounds in assembly for Cortex-M0 and M0+.
 *
 * Idea: layout and key schedule are those of fixslice.  The rounds are the same operations in an
 * order and in registers that a program chose (tools/assemble).  Operations reach eight registers
 * and overwrite an operand; six more hold values at a cycle a move, which is half the cost of a
 * load or store, and many a value is computed again.  Where the assembly cannot be used, the C
 * rounds of fixslice stand in.
 * Source: Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4.  Order,
 * allocation and decryption are ours.
 * Cost: per round and two blocks, encryption 110 gates, 43, 107, 75 or 107 operations of
 * MixColumns (round 0, 1, 2, 3 modulo 4), 17 of the round key, and about as many cycles of moves,
 * loads and stores; 8.5 KB of code in both directions.  A single block costs as much as two.
 * Blocks that do not lie at words are copied.
 * Constant-time: yes, in key schedule, encryption and decryption; no multiplication. */
#include "../parts/steps/fixslice_keys.h"

#if AESFIT_TAKES_ARMV6M
#include "../assembly/fixslice_armv6m.h"
#include "../parts/steps/fixslice_words.h"
#else
#include "../parts/steps/fixslice_rounds.h"
#endif

enum { fixslice_armv6m_lanes = 2 };

AESFIT_LOCAL void fixslice_armv6m_expand_key(aesfit_key *key, const uint8_t *bytes,
                                             unsigned directions)
{
    (void)directions;
    fixslice_keys_expand(key, bytes);
}

AESFIT_LOCAL void fixslice_armv6m_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
#if AESFIT_TAKES_ARMV6M
    fixslice_blocks_at(fixslice_armv6m_encrypt_blocks, key, out, in, blocks, words_at(out, in));
#else
    fixslice_encrypt_pairs(key, out, in, blocks);
#endif
}

AESFIT_LOCAL void fixslice_armv6m_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
#if AESFIT_TAKES_ARMV6M
    fixslice_blocks_at(fixslice_armv6m_decrypt_blocks, key, out, in, blocks, words_at(out, in));
#else
    fixslice_decrypt_pairs(key, out, in, blocks);
#endif
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(fixslice_armv6m,
             (.summary = "fixslice with its rounds in assembly for Cortex-M0 and M0+",
              .source = "Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4",
              .needs = "ARMv6-M"),
             .properties = AESFIT_CONSTANT_TIME,
             .round_key_bytes = {{352, 352, 352}, {416, 416, 416}, {480, 480, 480}});
#endif
