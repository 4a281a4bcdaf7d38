/* SPDX-License-Identifier: MIT */
/* GHASH with the processor's 32 x 32 -> 64-bit multiplication.
 *
 * Idea: integers that use every fourth bit only multiply without carries reaching the next used
 * bit, for at most 8 products of bits meet there (8 < 16).  Each factor is split into four such
 * integers, and 16 multiplications give the product without carries.  Karatsuba's method
 * around it and the rest stand in parts/ghash_words.h.
 * Source: SP 800-38D, 6.3; multiplication with holes: Pornin, BearSSL, "Constant-Time Mul".
 * Cost: per block 9 x 16 multiplications; the key is 36 bytes.
 * Constant-time: only where the multiplication is.  It is not on ARM7, ARM9 and Cortex-M3 (long
 * multiplication); it is on Cortex-M4 and above and on x86. */
#include "../parts/ghash_words.h"
#include "ghash.h"

AESFIT_NOINLINE AESFIT_LOCAL void mul32_multiply(uint32_t out[2], uint32_t a, uint32_t b)
{
    const uint32_t hole = 0x11111111u;
    uint32_t a0 = a & hole, a1 = a & (hole << 1), a2 = a & (hole << 2), a3 = a & (hole << 3);
    uint32_t b0 = b & hole, b1 = b & (hole << 1), b2 = b & (hole << 2), b3 = b & (hole << 3);
#define MUL32_PRODUCT(x, y) ((uint64_t)(x) * (y))
#define MUL32_CLASS(n, w, x, y, z)                                                                 \
    ((MUL32_PRODUCT(a0, w) ^ MUL32_PRODUCT(a1, x) ^ MUL32_PRODUCT(a2, y) ^ MUL32_PRODUCT(a3, z)) & \
     (UINT64_C(0x1111111111111111) << (n)))
    uint64_t z = MUL32_CLASS(0, b0, b3, b2, b1) | MUL32_CLASS(1, b1, b0, b3, b2) |
                 MUL32_CLASS(2, b2, b1, b0, b3) | MUL32_CLASS(3, b3, b2, b1, b0);
#undef MUL32_CLASS
#undef MUL32_PRODUCT
    out[0] = (uint32_t)z;
    out[1] = (uint32_t)(z >> 32);
}

AESFIT_LOCAL void mul32_init(uint32_t *state, const uint8_t h[16])
{
    ghash_words_init(state, h);
}

AESFIT_LOCAL void mul32_update(const uint32_t *state, uint8_t y[16], const uint8_t *in,
                               size_t blocks)
{
    ghash_words_update(mul32_multiply, state, y, in, blocks);
}

#ifndef AESFIT_BOUND_GHASH
const aesfit_ghash aesfit_ghash_mul32 = {
    .name = "mul32",
    .summary = "integer multiplication with holes, constant-time where the multiplier is",
    .source = "SP 800-38D, 6.3; Pornin, BearSSL, Constant-Time Mul",
    .needs = "",
    .properties = AESFIT_CONSTANT_TIME_MULTIPLY,
    .key_bytes = 4 * GHASH_WORDS_KEY,
    .table_bytes = 0,
    .supported = NULL,
    .init = mul32_init,
    .update = mul32_update,
};
#endif
