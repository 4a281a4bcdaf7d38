/* SPDX-License-Identifier: MIT */
/* GHASH with a table of 16 multiples of H per key, four bits at a time.
 *
 * Idea: Horner's rule over the 32 nibbles of y: z = z x^4 + (nibble H), where the multiples lie in
 * the key and the four bits that x^4 pushes out come back by shifts (x^128 = x^7 + x^2 + x + 1).
 * Source: McGrew and Viega, The Galois/Counter Mode of Operation, section 4.1 (Shoup's tables).
 * Cost: per block 32 reads of 16 bytes; the key is 256 bytes.
 * Constant-time: no; the addresses depend on the data and on H. */
#include "../parts/bytes.h"
#include "ghash.h"

/* Integers as in parts/ghash_words.h: bit n of four words, lowest first, is x^(127 - n), so a
 * multiplication by x^n is a shift to the right. */
AESFIT_INLINE void table4_times_x(uint32_t z[4], unsigned n) /* 1 or 4 */
{
    uint32_t out = z[0] << (32 - n);
    z[0] = (z[0] >> n) | (z[1] << (32 - n));
    z[1] = (z[1] >> n) | (z[2] << (32 - n));
    z[2] = (z[2] >> n) | (z[3] << (32 - n));
    z[3] = (z[3] >> n) ^ out ^ (out >> 1) ^ (out >> 2) ^ (out >> 7);
}

/* state: nibble n times H at words 4 n .. 4 n + 3, the top bit of n standing for x^0. */
AESFIT_LOCAL void table4_init(uint32_t *state, const uint8_t h[16])
{
    uint32_t z[4];
    memset(state, 0, 16);
    for (unsigned i = 0; i < 4; i++)
        z[i] = load32_be(h + 12 - 4 * i);
    for (unsigned n = 8; n > 0; n /= 2) {
        memcpy(state + 4 * n, z, 16);
        table4_times_x(z, 1);
    }
    for (unsigned n = 3; n < 16; n++) {
        unsigned low = n & (0u - n); /* n = low + (n - low), both done before */
        for (unsigned i = 0; i < 4 && n != low; i++)
            state[4 * n + i] = state[4 * low + i] ^ state[4 * (n - low) + i];
    }
}

AESFIT_INLINE void table4_add(uint32_t z[4], const uint32_t *state, unsigned nibble)
{
    const uint32_t *multiple = state + 4 * nibble;
    z[0] ^= multiple[0];
    z[1] ^= multiple[1];
    z[2] ^= multiple[2];
    z[3] ^= multiple[3];
}

AESFIT_LOCAL void table4_update(const uint32_t *state, uint8_t y[16], const uint8_t *in,
                                size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16) {
        uint32_t z[4] = {0, 0, 0, 0};
        for (unsigned i = 16; i-- > 0;) {
            unsigned x = y[i] ^ in[i];
            table4_times_x(z, 4);
            table4_add(z, state, x & 15);
            table4_times_x(z, 4);
            table4_add(z, state, x >> 4);
        }
        for (unsigned i = 0; i < 4; i++)
            store32_be(y + 12 - 4 * i, z[i]);
    }
}

#ifndef AESFIT_BOUND_GHASH
const aesfit_ghash aesfit_ghash_table4 = {
    .name = "table4",
    .summary = "16 multiples of H per key, four bits at a time",
    .source = "McGrew and Viega, The Galois/Counter Mode of Operation, section 4.1",
    .needs = "",
    .properties = 0,
    .key_bytes = 256,
    .table_bytes = 0,
    .supported = NULL,
    .init = table4_init,
    .update = table4_update,
};
#endif
