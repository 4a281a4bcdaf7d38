/* SPDX-License-Identifier: MIT */
/* The rounds of fixslice in C, two blocks at once (cores/fixslice.c). */
#ifndef AESFIT_STEPS_FIXSLICE_ROUNDS_H
#define AESFIT_STEPS_FIXSLICE_ROUNDS_H

#include "bitslice.h"
#include "sbox_circuit.h"

AESFIT_INLINE void fixslice_add_round_key(uint32_t q[8], const uint32_t *round_key)
{
    q[0] ^= round_key[0];
    q[1] ^= round_key[1];
    q[2] ^= round_key[2];
    q[3] ^= round_key[3];
    q[4] ^= round_key[4];
    q[5] ^= round_key[5];
    q[6] ^= round_key[6];
    q[7] ^= round_key[7];
}

/* Row i of the result is row i + 1 of the same column, rows off by `round` times their index. */
AESFIT_INLINE uint32_t fixslice_next_row(uint32_t x, unsigned round)
{
    return bitslice_rotate(x, 1, round);
}

/* Row i + 2 likewise. */
AESFIT_INLINE uint32_t fixslice_next_row2(uint32_t x, unsigned round)
{
    return bitslice_rotate(x, 2, 2 * round % 4);
}

/* With N the next row and t = x + N x: 02 x + 03 N x + N^2 x + N^3 x = 02 t + N x + N^2 t.
 * From the top bit down, so that doubling finds the bit below still unchanged. */
AESFIT_INLINE void fixslice_mix_columns(uint32_t q[8], unsigned round)
{
    uint32_t n = fixslice_next_row(q[7], round), t = q[7] ^ n, t7 = t, below, n_below;
#define FIXSLICE_STEP(b, polynomial)                                                               \
    n_below = fixslice_next_row(q[(b)-1], round);                                                  \
    below = q[(b)-1] ^ n_below;                                                                    \
    q[b] = below ^ (polynomial) ^ n ^ fixslice_next_row2(t, round);                                \
    n = n_below;                                                                                   \
    t = below
    FIXSLICE_STEP(7, 0);
    FIXSLICE_STEP(6, 0);
    FIXSLICE_STEP(5, 0);
    FIXSLICE_STEP(4, t7); /* x^8 = x^4 + x^3 + x + 1 */
    FIXSLICE_STEP(3, t7);
    FIXSLICE_STEP(2, 0);
    FIXSLICE_STEP(1, t7);
#undef FIXSLICE_STEP
    q[0] = t7 ^ n ^ fixslice_next_row2(t, round);
}

/* InvMixColumns is MixColumns after x + 04 (x + N^2 x). */
AESFIT_INLINE void fixslice_inv_mix_columns(uint32_t q[8], unsigned round)
{
#define FIXSLICE_PAIR(b) (q[b] ^ fixslice_next_row2(q[b], round))
    uint32_t u7 = FIXSLICE_PAIR(7), u6 = FIXSLICE_PAIR(6), u67 = u6 ^ u7;
    q[7] ^= FIXSLICE_PAIR(5);
    q[6] ^= FIXSLICE_PAIR(4);
    q[5] ^= FIXSLICE_PAIR(3) ^ u7;
    q[4] ^= FIXSLICE_PAIR(2) ^ u67;
    q[3] ^= FIXSLICE_PAIR(1) ^ u6;
    q[2] ^= FIXSLICE_PAIR(0) ^ u7;
    q[1] ^= u67;
    q[0] ^= u6;
#undef FIXSLICE_PAIR
    fixslice_mix_columns(q, round);
}

/* Moves rows 1 and 3 by two columns. */
AESFIT_INLINE uint32_t fixslice_swap_nibbles(uint32_t x)
{
    uint32_t t = (x ^ (x >> 4)) & 0x0f000f00u;
    return x ^ t ^ (t << 4);
}

/* Moves the rows by `rounds` (even) times their index columns. */
AESFIT_INLINE void fixslice_align(uint32_t q[8], unsigned rounds)
{
    if (rounds % 4 == 0)
        return;
    q[0] = fixslice_swap_nibbles(q[0]);
    q[1] = fixslice_swap_nibbles(q[1]);
    q[2] = fixslice_swap_nibbles(q[2]);
    q[3] = fixslice_swap_nibbles(q[3]);
    q[4] = fixslice_swap_nibbles(q[4]);
    q[5] = fixslice_swap_nibbles(q[5]);
    q[6] = fixslice_swap_nibbles(q[6]);
    q[7] = fixslice_swap_nibbles(q[7]);
}

AESFIT_LOCAL void fixslice_encrypt_two(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                       size_t second)
{
    uint32_t q[8];
    const uint32_t *round_key = key->schedule;
    bitslice_load(q, in, in + second);
    fixslice_add_round_key(q, round_key);
    for (unsigned round = 1;; round++) {
        sbox_circuit(q);
        round_key += 8;
        if (round == key->rounds)
            break;
        switch (round % 4) {
        case 0:
            fixslice_mix_columns(q, 0);
            break;
        case 1:
            fixslice_mix_columns(q, 1);
            break;
        case 2:
            fixslice_mix_columns(q, 2);
            break;
        default:
            fixslice_mix_columns(q, 3);
        }
        fixslice_add_round_key(q, round_key);
    }
    fixslice_add_round_key(q, round_key);
    fixslice_align(q, key->rounds);
    bitslice_store(out, out + second, q);
}

AESFIT_LOCAL void fixslice_decrypt_two(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                       size_t second)
{
    uint32_t q[8];
    const uint32_t *round_key = key->schedule + 8u * key->rounds;
    bitslice_load(q, in, in + second);
    fixslice_align(q, key->rounds);
    fixslice_add_round_key(q, round_key);
    for (unsigned round = key->rounds - 1u;; round--) {
        inv_sbox_circuit(q);
        round_key -= 8;
        fixslice_add_round_key(q, round_key);
        if (round == 0)
            break;
        switch (round % 4) {
        case 0:
            fixslice_inv_mix_columns(q, 0);
            break;
        case 1:
            fixslice_inv_mix_columns(q, 1);
            break;
        case 2:
            fixslice_inv_mix_columns(q, 2);
            break;
        default:
            fixslice_inv_mix_columns(q, 3);
        }
    }
    bitslice_store(out, out + second, q);
}

/* An odd block at the end goes through both lanes. */
AESFIT_INLINE void fixslice_encrypt_pairs(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
    for (size_t pairs = blocks / 2; pairs > 0; pairs--, in += 32, out += 32)
        fixslice_encrypt_two(key, out, in, 16);
    if (blocks % 2 != 0)
        fixslice_encrypt_two(key, out, in, 0);
}

AESFIT_INLINE void fixslice_decrypt_pairs(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
    for (size_t pairs = blocks / 2; pairs > 0; pairs--, in += 32, out += 32)
        fixslice_decrypt_two(key, out, in, 16);
    if (blocks % 2 != 0)
        fixslice_decrypt_two(key, out, in, 0);
}

#endif
