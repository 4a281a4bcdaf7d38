/* SPDX-License-Identifier: MIT */
/* GHASH with the processor's 32 x 32 -> 64-bit multiplication.
 *
 * Idea: integers that use every fourth bit only multiply without carries reaching the next used
 * bit, for at most 8 products of bits meet there (8 < 16).  Each factor is split into four such
 * integers, and 16 multiplications give the product without carries.  Karatsuba's method
 * around it and the rest stand in parts/ghash_words.h.
 * On ARMv7-M blocks are added by a function in assembly (tools/assemble).
 * Source: SP 800-38D, 6.3; multiplication with holes: Pornin, BearSSL, "Constant-Time Mul".
 * Cost: per block 9 x 16 multiplications; the key is 36 bytes.
 * Constant-time: only where the multiplication is.  It is not on ARM7, ARM9 and Cortex-M3 (long
 * multiplication); it is on Cortex-M4 and above and on x86. */
#include "../parts/ghash_words.h"
#include "ghash.h"

#if AESFIT_TAKES_ARMV7M
#include "../assembly/mul32_armv7m.h"
#include "../parts/ghash_assembly.h"
#define MUL32_ASSEMBLY mul32_armv7m_add_blocks
#else

/* out ^= a b, in the order of the source: eight factors, one sum and the product just fill the
 * registers of a Cortex-M4. */
AESFIT_INLINE void mul32_add(uint32_t out[2], uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)a * b;
    out[0] = ordered_barrier(out[0] ^ (uint32_t)product);
    out[1] = ordered_barrier(out[1] ^ (uint32_t)(product >> 32));
}

/* out |= a0 w + a1 x + a2 y + a3 z, of which the bits of `hole` are right. */
AESFIT_INLINE void mul32_class(uint32_t out[2], const uint32_t a[4], uint32_t w, uint32_t x,
                               uint32_t y, uint32_t z, uint32_t hole)
{
    uint64_t product = (uint64_t)a[0] * w;
    uint32_t sum[2];
    sum[0] = (uint32_t)product;
    sum[1] = (uint32_t)(product >> 32);
    mul32_add(sum, a[1], x);
    mul32_add(sum, a[2], y);
    mul32_add(sum, a[3], z);
    out[0] = ordered_barrier(out[0] | (sum[0] & hole));
    out[1] = ordered_barrier(out[1] | (sum[1] & hole));
}

AESFIT_INLINE void mul32_holes(uint32_t holes[4], uint32_t x)
{
    holes[0] = x & 0x11111111u;
    holes[1] = x & 0x22222222u;
    holes[2] = x & 0x44444444u;
    holes[3] = x & 0x88888888u;
}

AESFIT_NOINLINE AESFIT_LOCAL void mul32_products(uint32_t work[GHASH_WORDS_WORK],
                                                 const uint32_t key[GHASH_WORDS_KEY])
{
    for (const uint32_t *end = key + GHASH_WORDS_KEY; key != end; key++, work++) {
        uint32_t a[4], b[4];
        mul32_holes(a, *work);
        mul32_holes(b, *key);
        uint32_t out[2] = {0, 0};
        mul32_class(out, a, b[0], b[3], b[2], b[1], 0x11111111u);
        mul32_class(out, a, b[1], b[0], b[3], b[2], 0x22222222u);
        mul32_class(out, a, b[2], b[1], b[0], b[3], 0x44444444u);
        mul32_class(out, a, b[3], b[2], b[1], b[0], 0x88888888u);
        work[0] = out[0];
        work[GHASH_WORDS_HIGH] = out[1];
    }
}
#endif

AESFIT_LOCAL void mul32_init(uint32_t *state, const uint8_t h[16])
{
    ghash_words_init(state, h);
}

AESFIT_LOCAL void mul32_update(const uint32_t *state, uint8_t y[16], const uint8_t *in,
                               size_t blocks)
{
#ifdef MUL32_ASSEMBLY
    ghash_assembly_update(MUL32_ASSEMBLY, state, y, in, blocks);
#else
    ghash_words_update(mul32_products, state, y, in, blocks);
#endif
}

#undef MUL32_ASSEMBLY

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
