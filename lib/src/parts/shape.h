/* SPDX-License-Identifier: MIT */
/* Hints that shape the code of ARM state (ARM7TDMI, ARM9TDMI) and Thumb-2 (Cortex-M3, M4), and
 * bytes in words.
 *
 * A round of AES just fits the 14 registers of these machines, provided that sums are made in the
 * order written (compilers reorder exclusive ors by other measures, and then spill or miss that a
 * shifted operand is free), and that constants which are no immediates are loaded once.  An empty
 * assembler statement says so.  The hints compute nothing and are nothing on other machines. */
#ifndef AESFIT_PARTS_SHAPE_H
#define AESFIT_PARTS_SHAPE_H

#include "../core.h"

#if defined(__GNUC__) && defined(__arm__) && !defined(__thumb__)
#define SHAPE_ARM 1
#else
#define SHAPE_ARM 0
#endif

#if defined(__GNUC__) && defined(__thumb2__)
#define SHAPE_THUMB2 1
#else
#define SHAPE_THUMB2 0
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
#if SHAPE_ARM || SHAPE_THUMB2
    __asm__("" : "+r"(x));
#endif
    return x;
}

/* The same; and it is computed before whatever shape_ordered() stands behind it. */
AESFIT_INLINE uint32_t shape_ordered(uint32_t x)
{
#if SHAPE_ARM || SHAPE_THUMB2
    __asm__ volatile("" : "+r"(x));
#endif
    return x;
}

/* Four words, all made before any is used: Thumb-2 machines overlap loads that follow one another
 * and wait a cycle for an address that was made just before. */
#if SHAPE_THUMB2
#define SHAPE_TOGETHER(a, b, c, d) __asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d))
#else
#define SHAPE_TOGETHER(a, b, c, d) ((void)0)
#endif

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

/* The word of four bytes (each at most 0xff), a the lowest.  One operand is shifted for nothing, so
 * they go one by one into the lowest, not two and two. */
AESFIT_INLINE uint32_t of_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = shape_opaque(a | b << 8);
    a = shape_opaque(a | c << 16);
    return a | d << 24;
}

#endif
