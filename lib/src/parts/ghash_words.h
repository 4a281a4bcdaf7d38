/* SPDX-License-Identifier: MIT */
/* GHASH over 32-bit words for multipliers that have a product of 32 x 32 bits (SP 800-38D 6.3).
 *
 * A block is read as a 128-bit integer, first byte on top; its bit n stands for x^(127 - n).
 * The product of two such integers has bit n stand for x^(254 - n).  Read as if it were x^(255 - n)
 * it is too large by one x, so the key holds H / x instead of H.  Words are numbered from the
 * lowest: the low half of a product holds x^128 and above. */
#ifndef AESFIT_PARTS_GHASH_WORDS_H
#define AESFIT_PARTS_GHASH_WORDS_H

#include "bytes.h"
#include "mask.h"

/* Words of the key: G = H / x, its sums for Karatsuba's method. */
#define GHASH_WORDS_KEY 9

/* One 32 x 32 -> 64-bit product without carries; out[0] is the lower word. */
typedef void ghash_words_multiply(uint32_t out[2], uint32_t a, uint32_t b);

/* The nine factors of two steps of Karatsuba's method, 4 to 2 to 1 words: low, high and sum of
 * each of low, high and sum half. */
AESFIT_INLINE void ghash_words_split(uint32_t f[9], const uint32_t a[4])
{
    f[0] = a[0];
    f[1] = a[1];
    f[2] = a[0] ^ a[1];
    f[3] = a[2];
    f[4] = a[3];
    f[5] = a[2] ^ a[3];
    f[6] = a[0] ^ a[2];
    f[7] = a[1] ^ a[3];
    f[8] = f[6] ^ f[7];
}

/* key = factors of H / x: one bit to the left; the bit that falls out, 1 = x^128 + x^7 + x^2 + x,
 * comes back as x^127 + x^6 + x + 1. */
AESFIT_INLINE void ghash_words_init(uint32_t *key, const uint8_t h[16])
{
    uint32_t a[4], g[4], out;
    for (unsigned i = 0; i < 4; i++)
        a[i] = load32_be(h + 12 - 4 * i);
    out = mask32(a[3] >> 31);
    g[0] = (a[0] << 1) ^ (out & 1u);
    g[1] = (a[1] << 1) | (a[0] >> 31);
    g[2] = (a[2] << 1) | (a[1] >> 31);
    g[3] = ((a[3] << 1) | (a[2] >> 31)) ^ (out & 0xc2000000u);
    ghash_words_split(key, g);
}

/* z = product of 2 x 2 words from the three factors of each: 3 products. */
AESFIT_INLINE void ghash_words_multiply_2(ghash_words_multiply *multiply, uint32_t z[4],
                                          const uint32_t f[3], const uint32_t g[3])
{
    uint32_t middle[2];
    multiply(z, f[0], g[0]);
    multiply(z + 2, f[1], g[1]);
    multiply(middle, f[2], g[2]);
    middle[0] ^= z[0] ^ z[2];
    middle[1] ^= z[1] ^ z[3];
    z[1] ^= middle[0];
    z[2] ^= middle[1];
}

/* Replaces the low half of z, x^128 and above, by x^128 = x^7 + x^2 + x + 1: 128 bits further up
 * and 0, 1, 2, 7 bits down again.  The low word first, since its lower bits fall into word 3. */
AESFIT_INLINE void ghash_words_reduce(uint32_t z[8])
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t w = z[i];
        z[i + 4] ^= w ^ (w >> 1) ^ (w >> 2) ^ (w >> 7);
        z[i + 3] ^= (w << 31) ^ (w << 30) ^ (w << 25);
    }
}

AESFIT_INLINE void ghash_words_update(ghash_words_multiply *multiply, const uint32_t *key,
                                      uint8_t y[16], const uint8_t *in, size_t blocks)
{
    uint32_t a[4], f[9], z[8], middle[4];
    for (unsigned i = 0; i < 4; i++)
        a[i] = load32_be(y + 12 - 4 * i);
    for (; blocks > 0; blocks--, in += 16) {
        for (unsigned i = 0; i < 4; i++)
            a[i] ^= load32_be(in + 12 - 4 * i);
        ghash_words_split(f, a);
        ghash_words_multiply_2(multiply, z, f, key);
        ghash_words_multiply_2(multiply, z + 4, f + 3, key + 3);
        ghash_words_multiply_2(multiply, middle, f + 6, key + 6);
        for (unsigned i = 0; i < 4; i++)
            middle[i] ^= z[i] ^ z[i + 4];
        for (unsigned i = 0; i < 4; i++)
            z[i + 2] ^= middle[i];
        ghash_words_reduce(z);
        memcpy(a, z + 4, 16);
    }
    for (unsigned i = 0; i < 4; i++)
        store32_be(y + 12 - 4 * i, a[i]);
}

#endif
