/* SPDX-License-Identifier: MIT */
/* fixslice_armv7m: fixslice with its rounds in assembly for Cortex-M3 and M4.
 *
 * Idea: layout and key schedule are those of fixslice.  The rounds are the same operations in an
 * order and in registers that a program chose (tools/assemble): in 14 registers few values are
 * spilled, loads and stores follow one another, so that all but few take one cycle, and rotations
 * are part of the operation that takes their result.  For processors without Thumb-2,
 * or with big-endian words, the C rounds of fixslice stand in.  Where the compiler may not load
 * words at any address (clang, unless -munaligned-access is given; -mno-unaligned-access), blocks
 * that lie at none of a word are copied.
 * Source: Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4.  Order,
 * allocation and decryption are ours.
 * Cost: the operations of fixslice, and 23 to 32 loads and stores of spilled values in a round; 11
 * KB of code in both directions.  A single block costs as much as two.
 * Constant-time: yes, in key schedule, encryption and decryption; no multiplication. */
#include "../parts/steps/fixslice_keys.h"

#if AESFIT_TAKES_ARMV7M
#include "../assembly/fixslice_armv7m.h"
#include "../parts/steps/fixslice_words.h"
#else
#include "../parts/steps/fixslice_rounds.h"
#endif

enum { fixslice_armv7m_lanes = 2 };

AESFIT_LOCAL void fixslice_armv7m_expand_key(aesfit_key *key, const uint8_t *bytes,
                                             unsigned directions)
{
    (void)directions;
    fixslice_keys_expand(key, bytes);
}

AESFIT_LOCAL void fixslice_armv7m_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
#if AESFIT_TAKES_ARMV7M
    fixslice_blocks_at(fixslice_armv7m_encrypt_blocks, key, out, in, blocks, words_at(out, in));
#else
    fixslice_encrypt_pairs(key, out, in, blocks);
#endif
}

AESFIT_LOCAL void fixslice_armv7m_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
#if AESFIT_TAKES_ARMV7M
    fixslice_blocks_at(fixslice_armv7m_decrypt_blocks, key, out, in, blocks, words_at(out, in));
#else
    fixslice_decrypt_pairs(key, out, in, blocks);
#endif
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(fixslice_armv7m,
             (.summary = "fixslice with its rounds in assembly for Cortex-M3 and M4",
              .source = "Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4",
              .needs = "Thumb-2"),
             .properties = AESFIT_CONSTANT_TIME,
             .round_key_bytes = {{352, 352, 352}, {416, 416, 416}, {480, 480, 480}});
#endif
