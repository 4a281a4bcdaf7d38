/* SPDX-License-Identifier: MIT */
/* fixslice_armv4: fixslice with its rounds in assembly for ARM7TDMI and ARM9TDMI.
 *
 * Idea: layout and key schedule are those of fixslice.  The rounds are the same operations in an
 * order and in registers that a program chose (tools/assemble).  On ARM7TDMI a load takes three
 * cycles and a store two, so many a value is computed again from two others rather than spilled;
 * round keys, blocks and spilled values move several at once; masks, which are no immediates, are
 * kept in memory.  The code is in ARM state, also where the rest is Thumb.  Where it cannot be
 * used, the C rounds of fixslice stand in.
 * Source: Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4.  Order,
 * allocation and decryption are ours.
 * Cost: the operations of fixslice, and 9 to 18 loads and stores of spilled values and masks in a
 * round; 9.5 KB of code in both directions.  A single block costs as much as two.  Blocks that do
 * not lie at words are copied.
 * Constant-time: yes, in key schedule, encryption and decryption; no multiplication. */
#include "../parts/steps/fixslice_keys.h"

#if AESFIT_TAKES_ARMV4
#include "../assembly/fixslice_armv4.h"
#include "../parts/steps/fixslice_words.h"
#else
#include "../parts/steps/fixslice_rounds.h"
#endif

enum { fixslice_armv4_lanes = 2 };

AESFIT_LOCAL void fixslice_armv4_expand_key(aesfit_key *key, const uint8_t *bytes,
                                            unsigned directions)
{
    (void)directions;
    fixslice_keys_expand(key, bytes);
}

AESFIT_LOCAL void fixslice_armv4_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
#if AESFIT_TAKES_ARMV4
    fixslice_blocks_at(fixslice_armv4_encrypt_blocks, key, out, in, blocks, words_aligned(out, in));
#else
    fixslice_encrypt_pairs(key, out, in, blocks);
#endif
}

AESFIT_LOCAL void fixslice_armv4_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
#if AESFIT_TAKES_ARMV4
    fixslice_blocks_at(fixslice_armv4_decrypt_blocks, key, out, in, blocks, words_aligned(out, in));
#else
    fixslice_decrypt_pairs(key, out, in, blocks);
#endif
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(fixslice_armv4,
             (.summary = "fixslice with its rounds in assembly for ARM7TDMI and ARM9TDMI",
              .source = "Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4",
              .needs = "ARM state"),
             .properties = AESFIT_CONSTANT_TIME,
             .round_key_bytes = {{352, 352, 352}, {416, 416, 416}, {480, 480, 480}});
#endif
