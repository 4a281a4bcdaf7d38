/* SPDX-License-Identifier: MIT */
/* GHASH by a table of multiples of H per key, as a comb over the words of a block (SP 800-38D 6.3).
 *
 * A block a is four words; digit k of a word, counted from its lowest bits, has `bits` bits.  The
 * multiples of H by digit k of all four words lie whole words apart, so they are added to a product
 * of eight words without a shift; then the product moves by one digit, once for all four, and is
 * reduced at the end alone.
 * Source: Lopez and Dahab, High-Speed Software Multiplication in F2m, 2000 (the comb), over the
 * multiples of McGrew and Viega, The Galois/Counter Mode of Operation, section 4.1.
 * Blocks and products are integers as in ghash_words.h: bit n of the product stands for x^(255 -
 * n), so a multiplication by x is a shift to the right. */
#ifndef AESFIT_PARTS_GHASH_COMB_H
#define AESFIT_PARTS_GHASH_COMB_H

#include "ghash_words.h"

/* Words of the key: 2^bits multiples of H. */
#define GHASH_COMB_KEY(bits) (4 << (bits))

/* z = z x in the field. */
AESFIT_INLINE void ghash_comb_times_x(uint32_t z[4])
{
    uint32_t out = z[0] << 31;
    z[0] = (z[0] >> 1) | (z[1] << 31);
    z[1] = (z[1] >> 1) | (z[2] << 31);
    z[2] = (z[2] >> 1) | (z[3] << 31);
    z[3] = (z[3] >> 1) ^ out ^ (out >> 1) ^ (out >> 2) ^ (out >> 7);
}

/* n times H at words 4 n .. 4 n + 3, the top bit of n standing for x^0. */
AESFIT_INLINE void ghash_comb_init(uint32_t *key, const uint8_t h[16], unsigned bits)
{
    uint32_t z[4];
    memset(key, 0, 16);
    ghash_words_load(z, h);
    for (unsigned n = 1u << (bits - 1); n > 0; n /= 2) {
        memcpy(key + 4 * n, z, 16);
        ghash_comb_times_x(z);
    }
    for (unsigned n = 3; n < 1u << bits; n++) {
        unsigned low = n & (0u - n); /* n = low + (n - low), both done before */
        for (unsigned i = 0; i < 4 && n != low; i++)
            key[4 * n + i] = key[4 * low + i] ^ key[4 * (n - low) + i];
    }
}

AESFIT_INLINE void ghash_comb_add(uint32_t z[4], const uint32_t *key, uint32_t digit)
{
    const uint32_t *multiple = key + 4 * digit;
    AESFIT_BARRIER(multiple);
    z[0] ^= multiple[0];
    z[1] ^= multiple[1];
    z[2] ^= multiple[2];
    z[3] ^= multiple[3];
}

/* z = z x^bits; nothing falls out below. */
AESFIT_INLINE void ghash_comb_shift(uint32_t z[8], unsigned bits)
{
    z[0] = (z[0] >> bits) | (z[1] << (32 - bits));
    z[1] = (z[1] >> bits) | (z[2] << (32 - bits));
    z[2] = (z[2] >> bits) | (z[3] << (32 - bits));
    z[3] = (z[3] >> bits) | (z[4] << (32 - bits));
    z[4] = (z[4] >> bits) | (z[5] << (32 - bits));
    z[5] = (z[5] >> bits) | (z[6] << (32 - bits));
    z[6] = (z[6] >> bits) | (z[7] << (32 - bits));
    z[7] = z[7] >> bits;
}

AESFIT_INLINE void ghash_comb_update(const uint32_t *key, uint8_t y[16], const uint8_t *in,
                                     size_t blocks, unsigned bits)
{
    const uint32_t mask = (1u << bits) - 1;
    uint32_t a[4];
    ghash_words_load(a, y);
    for (; blocks > 0; blocks--, in += 16) {
        uint32_t z[8] = {0};
        ghash_words_add(a, in);
        for (unsigned at = 0;; at += bits) {
            ghash_comb_add(z + 1, key, (a[0] >> at) & mask);
            ghash_comb_add(z + 2, key, (a[1] >> at) & mask);
            ghash_comb_add(z + 3, key, (a[2] >> at) & mask);
            ghash_comb_add(z + 4, key, (a[3] >> at) & mask);
            if (at + bits == 32)
                break;
            ghash_comb_shift(z, bits);
        }
        ghash_words_reduce(z);
        ghash_words_copy(a, z + 4);
    }
    ghash_words_store(y, a);
}

#endif
