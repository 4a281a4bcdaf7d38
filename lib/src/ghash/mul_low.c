/* SPDX-License-Identifier: MIT */
/* GHASH with the lower word of the processor's 32 x 32-bit multiplication.
 *
 * Idea: integers that use every third bit only multiply without carries reaching the next used bit,
 * as long as at most 7 products of bits meet there.  Half a word has 6 such bits at most, so each
 * factor of 16 bits is split into three such integers, and 9 multiplications give their product
 * without carries.  It has 31 bits: neither the higher word of a product is needed (as in mul32.c)
 * nor a second multiplication of reversed factors.  Karatsuba's method makes a product of words of
 * three of halves, and parts/ghash_words.h a product of blocks of nine of words.
 * On ARMv6-M and ARMv7-M blocks are added by functions in assembly (tools/assemble).
 * Source: SP 800-38D, 6.3; multiplication with holes: Pornin, BearSSL, "Constant-Time Mul", which
 * has holes of three bits and takes the higher half from reversed factors.
 * Cost: per block 27 x 9 multiplications; the key is 36 bytes.
 * Constant-time: only where the lower word of a product is.  It is on Cortex-M3, unlike the whole
 * product; it is not on ARM7 and ARM9, which end a multiplication early. */
#include "../parts/ghash_words.h"
#include "ghash.h"

#if AESFIT_TAKES_ARMV6M
#include "../assembly/mul_low_armv6m.h"
#include "../parts/ghash_assembly.h"
#define MUL_LOW_ASSEMBLY mul_low_armv6m_add_blocks
#elif AESFIT_TAKES_ARMV7M
#include "../assembly/mul_low_armv7m.h"
#include "../parts/ghash_assembly.h"
#define MUL_LOW_ASSEMBLY mul_low_armv7m_add_blocks
#else

/* Bits 0, 3, 6 ... 30. */
#define MUL_LOW_THIRD 0x49249249u

/* Bits n, n + 3, n + 6 ... of x.  The barrier makes the shift part of this operation: ARM shifts an
 * operand for free, Thumb-1 has no registers for three masks. */
AESFIT_INLINE uint32_t mul_low_third(uint32_t x, uint32_t *third, unsigned n)
{
    AESFIT_BARRIER(*third);
    return x & (*third << n);
}

/* x y + z w + u v of bits, one of three classes; barriers keep one sum under way at a time. */
AESFIT_INLINE uint32_t mul_low_sum(uint32_t x, uint32_t y, uint32_t z, uint32_t w, uint32_t u,
                                   uint32_t v)
{
    uint32_t sum = ordered_barrier(x * y);
    sum = ordered_barrier(sum ^ (z * w));
    return ordered_barrier(sum ^ (u * v));
}

/* 16 x 16 -> 31 bits. */
AESFIT_INLINE uint32_t mul_low_half(uint32_t a, uint32_t b, uint32_t *third)
{
    uint32_t a0 = mul_low_third(a, third, 0), b0 = mul_low_third(b, third, 0);
    uint32_t a1 = mul_low_third(a, third, 1), b1 = mul_low_third(b, third, 1);
    uint32_t a2 = mul_low_third(a, third, 2), b2 = mul_low_third(b, third, 2);
    uint32_t product = mul_low_third(mul_low_sum(a0, b0, a1, b2, a2, b1), third, 0);
    product |= mul_low_third(mul_low_sum(a0, b1, a1, b0, a2, b2), third, 1);
    return ordered_barrier(product | mul_low_third(mul_low_sum(a0, b2, a1, b1, a2, b0), third, 2));
}

/* The barriers end one half before the next begins: the factors of two do not fit the registers. */
AESFIT_NOINLINE AESFIT_LOCAL void mul_low_products(uint32_t work[GHASH_WORDS_WORK],
                                                   const uint32_t key[GHASH_WORDS_KEY])
{
    uint32_t third = MUL_LOW_THIRD;
    for (const uint32_t *end = key + GHASH_WORDS_KEY; key != end; work++) {
        uint32_t a = *work, b = *key++;
        uint32_t high = mul_low_half(value_barrier(a >> 16), value_barrier(b >> 16), &third);
        AESFIT_ORDERED_BARRIER(a);
        AESFIT_ORDERED_BARRIER(b);
        uint32_t low = mul_low_half(a & 0xffff, b & 0xffff, &third);
        AESFIT_ORDERED_BARRIER(a);
        AESFIT_ORDERED_BARRIER(b);
        a ^= a >> 16;
        b ^= b >> 16;
        uint32_t middle = low ^ high;
        middle ^= mul_low_half(a & 0xffff, b & 0xffff, &third);
        work[0] = low ^ (middle << 16);
        work[GHASH_WORDS_HIGH] = high ^ (middle >> 16);
    }
}

#undef MUL_LOW_THIRD
#endif

AESFIT_LOCAL void mul_low_init(uint32_t *state, const uint8_t h[16])
{
    ghash_words_init(state, h);
}

AESFIT_LOCAL void mul_low_update(const uint32_t *state, uint8_t y[16], const uint8_t *in,
                                 size_t blocks)
{
#ifdef MUL_LOW_ASSEMBLY
    ghash_assembly_update(MUL_LOW_ASSEMBLY, state, y, in, blocks);
#else
    ghash_words_update(mul_low_products, state, y, in, blocks);
#endif
}

#undef MUL_LOW_ASSEMBLY

#ifndef AESFIT_BOUND_GHASH
const aesfit_ghash aesfit_ghash_mul_low = {
    .name = "mul_low",
    .summary = "multiplication with holes, lower words alone, constant-time where those are",
    .source = "SP 800-38D, 6.3; Pornin, BearSSL, Constant-Time Mul",
    .needs = "",
    .properties = AESFIT_CONSTANT_TIME_MULTIPLY_LOW,
    .key_bytes = 4 * GHASH_WORDS_KEY,
    .table_bytes = 0,
    .supported = NULL,
    .init = mul_low_init,
    .update = mul_low_update,
};
#endif
