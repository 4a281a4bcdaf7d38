/* SPDX-License-Identifier: MIT */
/* Hints that shape the code of ARM state (ARM7TDMI, ARM9TDMI), and bytes in words.
 *
 * A round of AES just fits the 14 registers of ARM state, provided that sums are made in the order
 * written (compilers reorder exclusive ors by other measures, and then spill), and that constants
 * which are no immediates are loaded once.  An empty assembler statement says so.  The hints
 * compute nothing and are nothing on other machines. */
#ifndef AESFIT_PARTS_SHAPE_H
#define AESFIT_PARTS_SHAPE_H

#include "../core.h"

#if defined(__GNUC__) && defined(__arm__) && !defined(__thumb__)
#define SHAPE_ARM 1
#else
#define SHAPE_ARM 0
#endif

/* Before AESFIT_LOCAL: a function kept out of line, so that rare paths take neither registers nor
 * code from the usual one. */
#if defined(__GNUC__)
#define SHAPE_APART __attribute__((noinline))
#else
#define SHAPE_APART
#endif

/* x, in a register; the compiler does not know what it is made of. */
AESFIT_INLINE uint32_t shape_opaque(uint32_t x)
{
#if SHAPE_ARM
    __asm__("" : "+r"(x));
#endif
    return x;
}

/* The same; and it is computed before whatever shape_ordered() stands behind it. */
AESFIT_INLINE uint32_t shape_ordered(uint32_t x)
{
#if SHAPE_ARM
    __asm__ volatile("" : "+r"(x));
#endif
    return x;
}

/* Byte n of x, 0 the lowest, as an index of a byte table: ARM state shifts right while it
 * addresses, so a byte inside costs one shift left, not a shift and a mask. */
AESFIT_INLINE uint32_t byte_of(uint32_t x, unsigned n)
{
    if (SHAPE_ARM && (n == 1 || n == 2))
        return shape_opaque(x << (24 - 8 * n)) >> 24;
    return (uint8_t)(x >> 8 * n);
}

/* The same, as an index of a word table, which takes up the shift of the address: the mask stands
 * in a register, so that shift and mask are one instruction. */
AESFIT_INLINE uint32_t word_index(uint32_t x, unsigned n)
{
    if (SHAPE_ARM && (n == 1 || n == 2))
        return x >> 8 * n & shape_opaque(0xff);
    return (uint8_t)(x >> 8 * n);
}

/* x, whose byte n is zero, with that byte set.  ARM state shifts one operand for nothing, so
 * bytes go one by one into the lowest, not two and two. */
AESFIT_INLINE uint32_t with_byte(uint32_t x, uint8_t byte, unsigned n)
{
    x |= (uint32_t)byte << 8 * n;
    return n == 3 ? x : shape_opaque(x);
}

#endif
