/* SPDX-License-Identifier: MIT */
/* Values that the optimiser must take as they come. */
#ifndef AESFIT_PARTS_OPAQUE_H
#define AESFIT_PARTS_OPAQUE_H

#include "../core.h"

/* Hides where x comes from: the optimiser could otherwise turn masks back into branches, or a
 * constant into immediates where one register serves better. */
AESFIT_INLINE uint32_t opaque32(uint32_t x)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(x));
#endif
    return x;
}

/* The same; and it is computed before whatever ordered32() stands behind it, so that of two sums
 * that share terms neither runs ahead, and no term is kept for the other. */
AESFIT_INLINE uint32_t ordered32(uint32_t x)
{
#if defined(__GNUC__)
    __asm__ volatile("" : "+r"(x));
#endif
    return x;
}

/* All ones for bit 1, zero for bit 0; no compiler makes it a condition again. */
AESFIT_INLINE uint32_t mask32(uint32_t bit)
{
    return (uint32_t)0 - opaque32(bit);
}

/* All ones or zero by bit n of x.  In ARM state that is two shifts, of which the compiler would
 * make a condition were not the first one hidden; elsewhere one instruction may extract a bit with
 * its sign, so that only the mask is hidden. */
AESFIT_INLINE uint32_t mask32_of(uint32_t x, unsigned n)
{
#if defined(__arm__) && !defined(__thumb__)
    return (uint32_t)0 - (opaque32(x << (31 - n)) >> 31);
#else
    return opaque32((uint32_t)0 - (x >> n & 1));
#endif
}

#endif
