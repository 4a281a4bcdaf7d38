/* SPDX-License-Identifier: MIT */
/* Rounds in C on eight blocks at once, bit-sliced (bitslice_eight.h). */
#ifndef AESFIT_STEPS_BITSLICE_EIGHT_ROUNDS_H
#define AESFIT_STEPS_BITSLICE_EIGHT_ROUNDS_H

#include "bitslice_eight.h"

/* For each bit, bytes of four columns in four words become rows of four columns; its own
 * inverse. */
AESFIT_INLINE void bitslice_eight_turn(uint32_t s[32])
{
    for (unsigned b = 0; b < 8; b++) {
        bitslice_swap(&s[b], &s[b + 16], 0x0000ffffu, 16);
        bitslice_swap(&s[b + 8], &s[b + 24], 0x0000ffffu, 16);
        bitslice_swap(&s[b], &s[b + 8], 0x00ff00ffu, 8);
        bitslice_swap(&s[b + 16], &s[b + 24], 0x00ff00ffu, 8);
    }
}

/* `blocks`: 1 to 8. */
AESFIT_INLINE void bitslice_eight_load(uint32_t s[32], const uint8_t *in, size_t blocks,
                                       const uint32_t round_key[4])
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned j = 0; j < 8; j++)
            s[8 * c + j] = (j < blocks ? load32_le(in + 16 * j + 4 * c) : 0) ^ round_key[c];
        bitslice_transpose(s + 8 * c);
    }
    bitslice_eight_turn(s);
}

AESFIT_INLINE void bitslice_eight_store(uint8_t *out, uint32_t s[32], size_t blocks,
                                        const uint32_t round_key[4])
{
    bitslice_eight_turn(s);
    for (unsigned c = 0; c < 4; c++) {
        bitslice_transpose(s + 8 * c);
        for (unsigned j = 0; j < blocks; j++)
            store32_le(out + 16 * j + 4 * c, s[8 * c + j] ^ round_key[c]);
    }
}

/* Rows move to the left; `left` 3 is ShiftRows back. */
AESFIT_INLINE void bitslice_eight_shift(uint32_t s[32], unsigned left)
{
    for (unsigned i = 8; i < 32; i++)
        s[i] = rotl32(s[i], 32 - 8 * (left * (i / 8) % 4));
}

AESFIT_INLINE void bitslice_eight_add(uint32_t s[32], const uint32_t *round_key)
{
    for (unsigned i = 0; i < 32; i++)
        s[i] ^= round_key[i];
}

/* Bit b of x + N^rows x in row i, N the next row. */
AESFIT_INLINE uint32_t bitslice_eight_sum(const uint32_t s[32], unsigned i, unsigned rows,
                                          unsigned b)
{
    return s[8 * i + b] ^ s[8 * ((i + rows) % 4) + b];
}

/* With t = x + N x: 02 t and the three other rows.  From the top bit down, so that doubling finds
 * the bit below still unchanged. */
AESFIT_INLINE void bitslice_eight_mix(uint32_t s[32])
{
    uint32_t top[4];
    for (unsigned i = 0; i < 4; i++)
        top[i] = bitslice_eight_sum(s, i, 1, 7);
    for (unsigned b = 8; b-- > 0;) {
        uint32_t all = bitslice_eight_sum(s, 0, 1, b) ^ bitslice_eight_sum(s, 2, 1, b), doubled[4];
        for (unsigned i = 0; i < 4; i++) {
            doubled[i] = b > 0 ? bitslice_eight_sum(s, i, 1, b - 1) : top[i];
            if (b == 1 || b == 3 || b == 4) /* x^8 = x^4 + x^3 + x + 1 */
                doubled[i] ^= top[i];
        }
        for (unsigned i = 0; i < 4; i++)
            s[8 * i + b] ^= all ^ doubled[i];
    }
}

/* InvMixColumns is MixColumns after x + 04 (x + N^2 x). */
AESFIT_INLINE void bitslice_eight_inv_mix(uint32_t s[32])
{
    uint32_t u6[2], u7[2];
    for (unsigned i = 0; i < 2; i++) {
        u6[i] = bitslice_eight_sum(s, i, 2, 6);
        u7[i] = bitslice_eight_sum(s, i, 2, 7);
    }
    for (unsigned b = 8; b-- > 0;)
        for (unsigned i = 0; i < 2; i++) {
            uint32_t x = b >= 2 ? bitslice_eight_sum(s, i, 2, b - 2) : 0;
            if (b == 0 || b == 1 || b == 3 || b == 4)
                x ^= u6[i];
            if (b == 1 || b == 2 || b == 4 || b == 5)
                x ^= u7[i];
            s[8 * i + b] ^= x;
            s[8 * (i + 2) + b] ^= x;
        }
    bitslice_eight_mix(s);
}

AESFIT_LOCAL void bitslice_eight_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    uint32_t s[32];
    bitslice_eight_load(s, in, blocks, key->schedule);
    for (unsigned round = 1;; round++) {
        for (unsigned row = 0; row < 32; row += 8)
            sbox_circuit(s + row);
        bitslice_eight_shift(s, 1);
        if (round == key->rounds)
            break;
        bitslice_eight_mix(s);
        bitslice_eight_add(s, key->schedule + bitslice_eight_at(round));
    }
    bitslice_eight_store(out, s, blocks, key->schedule + bitslice_eight_at(key->rounds));
}

AESFIT_LOCAL void bitslice_eight_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    uint32_t s[32];
    bitslice_eight_load(s, in, blocks, key->schedule + bitslice_eight_at(key->rounds));
    for (unsigned round = key->rounds - 1u;; round--) {
        bitslice_eight_shift(s, 3);
        for (unsigned row = 0; row < 32; row += 8)
            inv_sbox_circuit(s + row);
        if (round == 0)
            break;
        bitslice_eight_add(s, key->schedule + bitslice_eight_at(round));
        bitslice_eight_inv_mix(s);
    }
    bitslice_eight_store(out, s, blocks, key->schedule);
}

#endif
