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

/* Nine products of 32 x 32 -> 64 bits without carries, of work[i] and key[i]: the lower word takes
 * the place of work[i], the higher one is work[9 + i].  One function makes all nine, so that its
 * constants stay in registers. */
enum { GHASH_WORDS_HIGH = 9, GHASH_WORDS_WORK = 18 };
typedef void ghash_words_products(uint32_t work[GHASH_WORDS_WORK],
                                  const uint32_t key[GHASH_WORDS_KEY]);

AESFIT_INLINE void ghash_words_load(uint32_t a[4], const uint8_t *p)
{
    a[0] = load32_be(p + 12);
    a[1] = load32_be(p + 8);
    a[2] = load32_be(p + 4);
    a[3] = load32_be(p);
}

AESFIT_INLINE void ghash_words_store(uint8_t *p, const uint32_t a[4])
{
    store32_be(p + 12, a[0]);
    store32_be(p + 8, a[1]);
    store32_be(p + 4, a[2]);
    store32_be(p, a[3]);
}

AESFIT_INLINE void ghash_words_copy(uint32_t a[4], const uint32_t *z)
{
    a[0] = z[0];
    a[1] = z[1];
    a[2] = z[2];
    a[3] = z[3];
}

/* a ^= the block at p. */
AESFIT_INLINE void ghash_words_add(uint32_t a[4], const uint8_t *p)
{
    a[0] ^= load32_be(p + 12);
    a[1] ^= load32_be(p + 8);
    a[2] ^= load32_be(p + 4);
    a[3] ^= load32_be(p);
}

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
    ghash_words_load(a, h);
    out = mask32(a[3] >> 31);
    g[0] = (a[0] << 1) ^ (out & 1u);
    g[1] = (a[1] << 1) | (a[0] >> 31);
    g[2] = (a[2] << 1) | (a[1] >> 31);
    g[3] = ((a[3] << 1) | (a[2] >> 31)) ^ (out & 0xc2000000u);
    ghash_words_split(key, g);
}

/* z = product of 2 x 2 words from the three products at p. */
AESFIT_INLINE void ghash_words_join(uint32_t z[4], const uint32_t *p)
{
    uint32_t both = p[GHASH_WORDS_HIGH] ^ p[1];
    z[0] = p[0];
    z[1] = both ^ p[0] ^ p[2];
    z[2] = both ^ p[GHASH_WORDS_HIGH + 1] ^ p[GHASH_WORDS_HIGH + 2];
    z[3] = p[GHASH_WORDS_HIGH + 1];
}

/* Replaces word i of the low half of z, x^128 and above, by x^128 = x^7 + x^2 + x + 1: 128 bits
 * further up and 0, 1, 2, 7 bits down again. */
AESFIT_INLINE void ghash_words_fold(uint32_t z[8], unsigned i)
{
    uint32_t w = z[i];
    z[i + 4] ^= w ^ (w >> 1) ^ (w >> 2) ^ (w >> 7);
    z[i + 3] ^= (w << 31) ^ (w << 30) ^ (w << 25);
}

/* The low word first, since its lower bits fall into word 3. */
AESFIT_INLINE void ghash_words_reduce(uint32_t z[8])
{
    ghash_words_fold(z, 0);
    ghash_words_fold(z, 1);
    ghash_words_fold(z, 2);
    ghash_words_fold(z, 3);
}

/* z = product of 4 x 4 words from the nine products. */
AESFIT_INLINE void ghash_words_join_all(uint32_t z[8], const uint32_t work[GHASH_WORDS_WORK])
{
    uint32_t middle[4];
    ghash_words_join(z, work);
    ghash_words_join(z + 4, work + 3);
    ghash_words_join(middle, work + 6);
    middle[0] ^= z[0] ^ z[4];
    middle[1] ^= z[1] ^ z[5];
    middle[2] ^= z[2] ^ z[6];
    middle[3] ^= z[3] ^ z[7];
    z[2] ^= middle[0];
    z[3] ^= middle[1];
    z[4] ^= middle[2];
    z[5] ^= middle[3];
}

AESFIT_INLINE void ghash_words_update(ghash_words_products *products, const uint32_t *key,
                                      uint8_t y[16], const uint8_t *in, size_t blocks)
{
    uint32_t a[4], work[GHASH_WORDS_WORK], z[8];
    ghash_words_load(a, y);
    for (; blocks > 0; blocks--, in += 16) {
        ghash_words_add(a, in);
        ghash_words_split(work, a);
        products(work, key);
        ghash_words_join_all(z, work);
        ghash_words_reduce(z);
        ghash_words_copy(a, z + 4);
    }
    ghash_words_store(y, a);
}

#endif
