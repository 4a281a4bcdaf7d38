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

/* All ones for bit 1, zero for bit 0; no compiler makes it a condition again. */
AESFIT_INLINE uint32_t mask32(uint32_t bit)
{
    return (uint32_t)0 - opaque32(bit);
}

#endif
