/* SPDX-License-Identifier: MIT */
/* MixColumns and InvMixColumns of a column as Bertoni et al., CHES 2002, section 4, count them in
 * Gladman's code; field.h has the library's own, which need fewer sums.  Row 0 in the low byte.
 *
 * Two macros, defined before this header is included, change what the paper says makes columns
 * slow or fast, and nothing else:
 *   AESFIT_ROTATIONS_APART      a rotation is an instruction of its own: ARM does not fold it into
 *                               the sum that reads it;
 *   AESFIT_TEMPORARIES          where InvMixColumns keeps its four temporaries: 1 (if undefined)
 *                               wherever the compiler likes, 2 in memory, 0 it has none. */
#ifndef AESFIT_STEPS_COLUMNS_PRINTED_H
#define AESFIT_STEPS_COLUMNS_PRINTED_H

#include "printed.h"

#ifndef AESFIT_TEMPORARIES
#define AESFIT_TEMPORARIES 1
#endif

AESFIT_INLINE uint32_t printed_rotated(uint32_t x, unsigned n)
{
#ifdef AESFIT_ROTATIONS_APART
    return ordered_barrier(rotl32(x, n));
#else
    return rotl32(x, n);
#endif
}

/* 4 XOR, 1 doubling, 3 rotations. */
AESFIT_INLINE uint32_t printed_mix_column(uint32_t x)
{
    uint32_t twice = printed_twice(x), y = printed_sum(x, twice);
    y = printed_sum(twice, printed_rotated(y, 24));
    y = printed_sum(y, printed_rotated(x, 16));
    return printed_sum(y, printed_rotated(x, 8));
}

#if AESFIT_TEMPORARIES == 0
/* Sums of x, 2x, 4x and 8x as they are made: x and y are all there is.
 * 10 XOR, 3 doublings, 8 rotations. */
AESFIT_INLINE uint32_t printed_inv_mix_column(uint32_t x)
{
    uint32_t y = printed_sum(printed_rotated(x, 24), printed_rotated(x, 16));
    y = printed_sum(y, printed_rotated(x, 8));
    x = printed_twice(x);
    y = printed_sum(printed_sum(y, x), printed_rotated(x, 24));
    x = printed_twice(x);
    y = printed_sum(printed_sum(y, x), printed_rotated(x, 16));
    x = printed_twice(x);
    y = printed_sum(printed_sum(y, x), printed_rotated(x, 24));
    return printed_sum(printed_sum(y, printed_rotated(x, 16)), printed_rotated(x, 8));
}
#else
#if AESFIT_TEMPORARIES == 2
#define PRINTED_TEMPORARY volatile uint32_t
#else
#define PRINTED_TEMPORARY uint32_t
#endif
/* Four temporaries, of which each sum reads some.  8 XOR, 3 doublings, 3 rotations. */
AESFIT_INLINE uint32_t printed_inv_mix_column(uint32_t x)
{
    PRINTED_TEMPORARY by2 = printed_twice(x);
    PRINTED_TEMPORARY by4 = printed_twice(by2);
    PRINTED_TEMPORARY by8 = printed_twice(by4);
    PRINTED_TEMPORARY by9 = printed_sum(by8, x);
    uint32_t y = printed_sum(by2, by4);
    y = printed_sum(y, by8);
    y = printed_sum(y, printed_rotated(printed_sum(by2, by9), 24));
    y = printed_sum(y, printed_rotated(printed_sum(by4, by9), 16));
    return printed_sum(y, printed_rotated(by9, 8));
}
#undef PRINTED_TEMPORARY
#endif

#endif
