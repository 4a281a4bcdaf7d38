/* SPDX-License-Identifier: MIT */
/* Sums and doublings made where they are written and nowhere else, for steps as a paper prints
 * them: compilers of today find sums that two lines share, which its counts do not have.  They
 * are made in order, too: left to themselves, compilers put off sums and keep their terms in
 * memory. */
#ifndef AESFIT_STEPS_PRINTED_H
#define AESFIT_STEPS_PRINTED_H

#include "field.h"

AESFIT_INLINE uint32_t printed_sum(uint32_t x, uint32_t y)
{
    return ordered_barrier(x ^ y);
}

AESFIT_INLINE uint32_t printed_twice(uint32_t x)
{
    return ordered_barrier(xtime4(x));
}

#endif
