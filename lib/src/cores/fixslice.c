/* SPDX-License-Identifier: MIT */
/* fixslice: bit-sliced, two blocks at once, no tables, constant-time.
 *
 * Idea: the state lies as eight words of one bit of each byte (parts/steps/bitslice.h), the S-box
 * is a circuit (parts/steps/sbox_circuit.h).  ShiftRows is never done: after r rounds row i stands
 * i r columns to the right of where it belongs, and MixColumns of round r finds the next row r
 * columns on.  ShiftRows has period 4, so there are four forms of MixColumns.  At the end the
 * rows are off by 10, 12 or 14 times i columns, 0 or 2 i: one exchange of nibbles in rows 1, 3.
 * Source: Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4.  The layout,
 * the key schedule and decryption are ours.
 * Cost: per round and two blocks, encryption 110 gates, 27, 75, 51 or 75 operations of MixColumns
 * (ARM, where shifts are free; round 0, 1, 2, 3 modulo 4), 8 of the round key; decryption adds 21
 * or 45.  A single block costs as much as two.
 * Constant-time: yes, in key schedule, encryption and decryption; no multiplication. */
#include "../parts/steps/bitslice.h"
#include "../parts/tables/rcon.h"
#include "../parts/steps/sbox_circuit.h"
#include "../parts/wipe.h"

enum { fixslice_lanes = 2 };

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
AESFIT_LOCAL void fixslice_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    uint32_t window[8], round_key[4], w = 0;
    unsigned nk = key->key_words, at = 0, step = 0;
    (void)directions;
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
AESFIT_LOCAL void fixslice_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    for (size_t pairs = blocks / 2; pairs > 0; pairs--, in += 32, out += 32)
        fixslice_encrypt_two(key, out, in, 16);
    if (blocks % 2 != 0)
        fixslice_encrypt_two(key, out, in, 0);
}

AESFIT_LOCAL void fixslice_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    for (size_t pairs = blocks / 2; pairs > 0; pairs--, in += 32, out += 32)
        fixslice_decrypt_two(key, out, in, 16);
    if (blocks % 2 != 0)
        fixslice_decrypt_two(key, out, in, 0);
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(fixslice,
             (.summary = "constant-time, bit-sliced: two blocks at once, no tables",
              .source = "Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4",
              .needs = ""),
             .properties = AESFIT_CONSTANT_TIME,
             .round_key_bytes = {{352, 352, 352}, {416, 416, 416}, {480, 480, 480}});
#endif
