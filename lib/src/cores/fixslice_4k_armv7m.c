/* SPDX-License-Identifier: MIT */
/* fixslice_4k_armv7m: fixslice_armv7m in less than half of the code, for flash behind a cache.
 *
 * Idea: what every round repeats, the S-box and the round key, is one routine in assembly, and so
 * are the four forms of MixColumns and the transposition of the state, which a loop of four rounds
 * calls.  Decryption borrows the transposition and two of the forms from encryption, whose address
 * it is given.  Layout and key schedule are those of fixslice; order and registers are those that
 * a program chose (tools/assemble).  For processors without Thumb-2, or with big-endian words, the
 * C rounds of fixslice stand in; blocks that lie at none of a word are copied where the compiler
 * may not load words at any address.
 * Source: Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4.  Routines,
 * order, allocation and decryption are ours.
 * Cost: the operations of fixslice, 16 loads and stores of spilled values and 4 to 12 cycles of
 * calls in a round; 4 KB of code in both directions, 2.2 KB to encrypt.  A single block costs as
 * much as two.
 * Constant-time: yes, in key schedule, encryption and decryption; no multiplication. */
#include "../parts/steps/fixslice_keys.h"

#if AESFIT_TAKES_ARMV7M
#include "../assembly/fixslice_4k_armv7m.h"
#include "../parts/steps/fixslice_words.h"
#else
#include "../parts/steps/fixslice_rounds.h"
#endif

enum { fixslice_4k_armv7m_lanes = 2 };

AESFIT_LOCAL void fixslice_4k_armv7m_expand_key(aesfit_key *key, const uint8_t *bytes,
                                                unsigned directions)
{
    (void)directions;
    fixslice_keys_expand(key, bytes);
}

AESFIT_LOCAL void fixslice_4k_armv7m_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             size_t blocks)
{
#if AESFIT_TAKES_ARMV7M
    fixslice_blocks_at(fixslice_4k_armv7m_encrypt_blocks, key, out, in, blocks, words_at(out, in));
#else
    fixslice_encrypt_pairs(key, out, in, blocks);
#endif
}

#if AESFIT_TAKES_ARMV7M
AESFIT_INLINE void fixslice_4k_armv7m_decrypt_by(const uint32_t *schedule, uint8_t *out,
                                                 const uint8_t *in, size_t blocks_and_rounds)
{
    fixslice_4k_armv7m_decrypt_blocks(schedule, out, in, blocks_and_rounds,
                                      fixslice_4k_armv7m_encrypt_blocks);
}
#endif

AESFIT_LOCAL void fixslice_4k_armv7m_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             size_t blocks)
{
#if AESFIT_TAKES_ARMV7M
    fixslice_blocks_at(fixslice_4k_armv7m_decrypt_by, key, out, in, blocks, words_at(out, in));
#else
    fixslice_decrypt_pairs(key, out, in, blocks);
#endif
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(fixslice_4k_armv7m,
             (.summary = "fixslice_armv7m in less than half of the code: rounds of routines",
              .source = "Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4",
              .needs = "Thumb-2"),
             .properties = AESFIT_CONSTANT_TIME,
             .round_key_bytes = {{352, 352, 352}, {416, 416, 416}, {480, 480, 480}});
#endif
