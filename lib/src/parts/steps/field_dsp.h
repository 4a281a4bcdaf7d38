/* SPDX-License-Identifier: MIT */
/* Packed arithmetic in GF(2^8) by the DSP instructions of ARMv7E-M (Cortex-M4, M7) and of ARMv8-M
 * with them (M33): UADD8 doubles four bytes and keeps the bit that falls out of each in a flag of
 * its own (GE), by which SEL chooses each byte of its result (Arm DDI 0403, A7.7).
 *
 * Without these instructions plain C stands in, so that what is built of it is right everywhere,
 * and tested everywhere; only there is it no faster than field.h. */
#ifndef AESFIT_STEPS_FIELD_DSP_H
#define AESFIT_STEPS_FIELD_DSP_H

#include "field.h"

#if defined(__GNUC__) && defined(__ARM_FEATURE_SIMD32) && AESFIT_THUMB2
#define AESFIT_DSP 1
#else
#define AESFIT_DSP 0
#endif

/* Doubles each of the four bytes: 1 UADD8, 1 XOR, 1 SEL. */
AESFIT_INLINE uint32_t xtime4_dsp(uint32_t x)
{
#if AESFIT_DSP
    uint32_t twice, reduced;
    __asm__("uadd8 %0, %2, %2\n\t"
            "eor %1, %0, #0x1b1b1b1b\n\t"
            "sel %0, %1, %0"
            : "=&r"(twice), "=&r"(reduced)
            : "r"(x)
            : "cc");
    return twice;
#else
    return xtime4(x);
#endif
}

AESFIT_INLINE uint32_t mix_column_dsp(uint32_t x)
{
    uint32_t next = rotl32(x, 24), sum = x ^ next;
    return xtime4_dsp(sum) ^ next ^ rotl32(sum, 16);
}

/* Halves of words, each in one instruction (PKHBT, PKHTB), which gcc finds for none of them: the
 * low halves of a and b; the low half of x twice; its high half twice. */
AESFIT_INLINE uint32_t low_halves(uint32_t a, uint32_t b)
{
#if AESFIT_DSP
    __asm__("pkhbt %0, %0, %1, lsl #16" : "+r"(a) : "r"(b));
    return a;
#else
    return (uint16_t)a | b << 16;
#endif
}

AESFIT_INLINE uint32_t low_half_twice(uint32_t x)
{
    return low_halves(x, x);
}

AESFIT_INLINE uint32_t high_half_twice(uint32_t x)
{
#if AESFIT_DSP
    __asm__("pkhtb %0, %0, %0, asr #16" : "+r"(x));
    return x;
#else
    return x >> 16 | (x & 0xffff0000u);
#endif
}

/* InvMixColumns of two columns: MixColumns of x_r + 04 (x_r + x_(r+2)), as inv_mix_column().  The
 * two halves of x_r + x_(r+2) are equal, so that a word of one half of each column is doubled twice
 * for both.  Together 10 XOR, 4 doublings, 6 rotations, 3 packings of halves. */
AESFIT_INLINE void inv_mix_columns_dsp(uint32_t *a, uint32_t *b)
{
    uint32_t x = low_halves(*a ^ *a >> 16, *b ^ *b >> 16);
    x = xtime4_dsp(xtime4_dsp(x));
    *a = mix_column_dsp(*a ^ low_half_twice(x));
    *b = mix_column_dsp(*b ^ high_half_twice(x));
}

#endif
