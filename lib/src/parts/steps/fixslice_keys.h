/* SPDX-License-Identifier: MIT */
/* The key schedule of fixslice, for every core of its layout. */
#ifndef AESFIT_STEPS_FIXSLICE_KEYS_H
#define AESFIT_STEPS_FIXSLICE_KEYS_H

#include "../tables/rcon.h"
#include "../wipe.h"
#include "bitslice.h"
#include "sbox_circuit.h"

/* schedule: round key r as 8 words, bit-sliced with the same key in both lanes, its rows moved as
 * those of the state after r rounds.  From r = 1 on the constant 0x63 that both S-box circuits
 * leave out is added: MixColumns keeps it, and so one schedule serves both directions. */

/* SubWord of the key schedule (FIPS 197, 5.2): byte r goes through bit 8 r of the circuit, and
 * what is in the other 28 lanes does not matter. */
AESFIT_LOCAL uint32_t fixslice_sub_word(uint32_t x)
{
    const uint32_t mask = 0x01010101u;
    uint32_t q[8] = {x, x >> 1, x >> 2, x >> 3, x >> 4, x >> 5, x >> 6, x >> 7};
    sbox_circuit(q);
    x = (q[0] & mask) | (q[1] & mask) << 1 | (q[2] & mask) << 2 | (q[3] & mask) << 3;
    x |= (q[4] & mask) << 4 | (q[5] & mask) << 5 | (q[6] & mask) << 6 | (q[7] & mask) << 7;
    return x ^ 0x63636363u;
}

/* Bit-slices four columns of a round key, row i of each moved i * round columns to the right:
 * first the rows that move by 2 or 3, then those that move by 1 or 3. */
AESFIT_LOCAL void fixslice_slice_key(uint32_t q[8], const uint32_t w[4], unsigned round)
{
    static const uint32_t by_two[4] = {0, 0xffff0000u, 0xff00ff00u, 0x00ffff00u};
    uint32_t two = by_two[round % 4], one = round % 2 != 0 ? 0xff00ff00u : 0;
    uint32_t t02 = (w[0] ^ w[2]) & two, t13 = (w[1] ^ w[3]) & two;
    uint32_t w0 = w[0] ^ t02, w1 = w[1] ^ t13, w2 = w[2] ^ t02, w3 = w[3] ^ t13;
    uint32_t s[8] = {w0 ^ ((w3 ^ w0) & one), 0, w1 ^ ((w0 ^ w1) & one), 0,
                     w2 ^ ((w1 ^ w2) & one), 0, w3 ^ ((w2 ^ w3) & one), 0};
    uint32_t constant = round > 0 ? ~(uint32_t)0 : 0; /* 0x63 is bits 0, 1, 5, 6 */
    s[1] = s[0];
    s[3] = s[2];
    s[5] = s[4];
    s[7] = s[6];
    bitslice_transpose(s);
    q[0] = s[0] ^ constant;
    q[1] = s[1] ^ constant;
    q[2] = s[2];
    q[3] = s[3];
    q[4] = s[4];
    q[5] = s[5] ^ constant;
    q[6] = s[6] ^ constant;
    q[7] = s[7];
}

/* w[i] of FIPS 197 in a window of key_words words: w[i] stands at i modulo key_words. */
AESFIT_INLINE void fixslice_keys_expand(aesfit_key *key, const uint8_t *bytes)
{
    uint32_t window[8], round_key[4], w = 0;
    unsigned nk = key->key_words, at = 0, step = 0;
    for (unsigned i = 0; i < 4u * (key->rounds + 1u); i++) {
        if (i < nk) {
            w = load32_le(bytes + 4 * i);
        } else {
            if (at == 0)
                w = fixslice_sub_word(rotl32(w, 24)) ^ rcon[step++];
            else if (nk == 8 && at == 4)
                w = fixslice_sub_word(w);
            w ^= window[at];
        }
        window[at] = w;
        at = at + 1 < nk ? at + 1 : 0;
        round_key[i % 4] = w;
        if (i % 4 == 3)
            fixslice_slice_key(key->schedule + 2 * (i - 3), round_key, i / 4);
    }
    wipe(window, sizeof window);
    wipe(round_key, sizeof round_key);
}

#endif
