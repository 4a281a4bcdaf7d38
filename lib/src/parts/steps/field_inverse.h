/* SPDX-License-Identifier: MIT */
/* The S-box of FIPS 197, 5.1.1, computed on the four bytes of a word: inversion in GF(2^8) by the
 * power 254, and the affine map.  No table, no branch, no multiplication: constant-time. */
#ifndef AESFIT_STEPS_FIELD_INVERSE_H
#define AESFIT_STEPS_FIELD_INVERSE_H

#include "field.h"

/* 0xff in each byte whose bit n is set.  2 shifts, 1 AND, 1 SUB; on ARM 2 operations. */
AESFIT_INLINE uint32_t bit_masks(uint32_t x, unsigned n)
{
    uint32_t ones = x >> n & 0x01010101u;
    return (ones << 8) - ones;
}

/* Products of the four pairs of bytes, from the highest bit of y down.  7 doublings, 8 masks,
 * 8 AND, 7 XOR. */
AESFIT_INLINE uint32_t multiply4(uint32_t x, uint32_t y)
{
    uint32_t product = x & bit_masks(y, 7);
    for (unsigned n = 7; n-- > 0;)
        product = xtime4(product) ^ (x & bit_masks(y, n));
    return product;
}

/* Squares of the four bytes: bit n becomes x^(2n), which reduces to 1b, 6c, ab and 9a for n = 4 to
 * 7.  12 AND, 7 XOR, 4 SUB and 11 shifts. */
AESFIT_INLINE uint32_t square4(uint32_t x)
{
    uint32_t low = (x & 0x01010101u) ^ (x & 0x02020202u) << 1 ^ (x & 0x04040404u) << 2 ^
                   (x & 0x08080808u) << 3;
    return low ^ (bit_masks(x, 4) & 0x1b1b1b1bu) ^ (bit_masks(x, 5) & 0x6c6c6c6cu) ^
           (bit_masks(x, 6) & 0xababababu) ^ (bit_masks(x, 7) & 0x9a9a9a9au);
}

/* x^254 = x^(240 + 12 + 2), which is 1/x, and 0 of 0.  4 products, 7 squares. */
AESFIT_INLINE uint32_t invert4(uint32_t x)
{
    uint32_t x2 = square4(x), x3 = multiply4(x2, x), x12 = square4(square4(x3));
    uint32_t x15 = multiply4(x12, x3), x240 = square4(square4(square4(square4(x15))));
    return multiply4(multiply4(x240, x12), x2);
}

/* Rotates each byte left by n bits, 0 < n < 8; `low` has its n low bits set. */
AESFIT_INLINE uint32_t rotate4(uint32_t x, unsigned n, uint32_t low)
{
    return (x << n & ~low) | (x >> (8 - n) & low);
}

/* The affine map of the S-box: a byte, its rotations by 1 to 4, and 63.  The sum of a byte and its
 * rotation by 1 is rotated by 2, which gives two of the rotations at once. */
AESFIT_INLINE uint32_t affine4(uint32_t x)
{
    uint32_t two = x ^ rotate4(x, 1, 0x01010101u);
    return two ^ rotate4(two, 2, 0x03030303u) ^ rotate4(x, 4, 0x0f0f0f0fu) ^ 0x63636363u;
}

/* Its inverse: rotations by 1, 3 and 6, and 05. */
AESFIT_INLINE uint32_t inv_affine4(uint32_t x)
{
    return rotate4(x, 1, 0x01010101u) ^ rotate4(x, 3, 0x07070707u) ^ rotate4(x, 6, 0x3f3f3f3fu) ^
           0x05050505u;
}

#endif
