/* SPDX-License-Identifier: MIT */
/* The four bytes of a word: one of them as the index of a table, and a word of four. */
#ifndef AESFIT_STEPS_PACKED_BYTES_H
#define AESFIT_STEPS_PACKED_BYTES_H

#include "../../core.h"

/* Byte n of x, 0 the lowest, as an index of a byte table: ARM state shifts right while it
 * addresses, so a byte inside costs one shift left, not a shift and a mask. */
AESFIT_INLINE uint32_t byte_of(uint32_t x, unsigned n)
{
    if (AESFIT_ARM_STATE && (n == 1 || n == 2))
        return value_barrier(x << (24 - 8 * n)) >> 24;
    return (uint8_t)(x >> 8 * n);
}

/* The same, as an index of a word table: the address takes up the shift, and with the mask in a
 * register, shift and mask are one instruction. */
AESFIT_INLINE uint32_t word_index(uint32_t x, unsigned n)
{
    if (AESFIT_ARM_STATE && (n == 1 || n == 2))
        return x >> 8 * n & value_barrier(0xff);
    return (uint8_t)(x >> 8 * n);
}

/* The word of four bytes (each at most 0xff), a the lowest.  ARM shifts one operand for free, so OR
 * the bytes in one at a time. */
AESFIT_INLINE uint32_t pack_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = arm_value_barrier(a | b << 8);
    a = arm_value_barrier(a | c << 16);
    return a | d << 24;
}

#endif
