/* SPDX-License-Identifier: MIT */
/* Bit-slicing of eight blocks in 32 words, and the key schedule for it.
 *
 * Word 8 r + b holds bit b of row r; byte c of a word is column c, and bit j of a byte block j.  So
 * ShiftRows rotates words by whole bytes, and MixColumns takes words as they are.
 * schedule: the first round key as 4 columns, then 32 words for each round, then 4 columns again.
 * From round 1 on the constant 0x63 that both S-box circuits leave out is added. */
#ifndef AESFIT_STEPS_BITSLICE_EIGHT_H
#define AESFIT_STEPS_BITSLICE_EIGHT_H

#include "column_keys.h"
#include "fixslice_keys.h" /* SubWord */

enum { bitslice_eight_first = 4, bitslice_eight_round = 32 }; /* words of round keys */

/* Words of the schedule in front of a round's key. */
AESFIT_INLINE unsigned bitslice_eight_at(unsigned round)
{
    return round > 0 ? bitslice_eight_first + bitslice_eight_round * (round - 1) : 0;
}

/* Slices four columns: a byte for each, bits of them that are ones become 0xff. */
AESFIT_INLINE void bitslice_eight_slice(uint32_t to[32], uint32_t w0, uint32_t w1, uint32_t w2,
                                        uint32_t w3)
{
    for (unsigned r = 0; r < 32; r += 8) {
        uint32_t row = (w0 >> r & 0xff) | (w1 >> r & 0xff) << 8 | (w2 >> r & 0xff) << 16 |
                       (w3 >> r & 0xff) << 24;
        for (unsigned b = 0; b < 8; b++) {
            uint32_t ones = row >> b & 0x01010101u;
            to[r + b] = (ones << 8) - ones;
        }
    }
}

AESFIT_INLINE uint32_t bitslice_eight_sub(uint32_t x, uint32_t constant)
{
    return fixslice_sub_word(x) ^ constant;
}

/* The columns of all rounds first; from the last round down, each then goes to its place, which
 * begins no earlier than where it is. */
AESFIT_INLINE void bitslice_eight_expand(aesfit_key *key, const uint8_t *bytes)
{
    uint32_t *k = key->schedule;
    column_keys_expand(k, bytes, key->key_words, key->rounds, bitslice_eight_sub);
    for (unsigned round = key->rounds; round > 0; round--) {
        const uint32_t *w = k + 4 * round;
        uint32_t *to = k + bitslice_eight_at(round), constant = 0x63636363u;
        uint32_t w0 = w[0] ^ constant, w1 = w[1] ^ constant;
        uint32_t w2 = w[2] ^ constant, w3 = w[3] ^ constant;
        if (round < key->rounds) {
            bitslice_eight_slice(to, w0, w1, w2, w3);
        } else {
            to[0] = w0;
            to[1] = w1;
            to[2] = w2;
            to[3] = w3;
        }
    }
}

#endif
