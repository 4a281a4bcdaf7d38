/* SPDX-License-Identifier: MIT */
/* Masks made of secret bits, of which no compiler makes a branch. */
#ifndef AESFIT_PARTS_MASK_H
#define AESFIT_PARTS_MASK_H

#include "../core.h"

/* All ones for bit 1, zero for bit 0. */
AESFIT_INLINE uint32_t mask32(uint32_t bit)
{
    return (uint32_t)0 - value_barrier(bit);
}

/* All ones or zero by bit n of x.  In ARM state that is two shifts, of which the compiler would
 * make a condition without the barrier behind the first; elsewhere one instruction may extract a
 * bit with its sign, so that the barrier stands behind the mask. */
AESFIT_INLINE uint32_t mask32_of(uint32_t x, unsigned n)
{
#if AESFIT_ARM_STATE
    return (uint32_t)0 - (value_barrier(x << (31 - n)) >> 31);
#else
    return value_barrier((uint32_t)0 - (x >> n & 1));
#endif
}

#endif
