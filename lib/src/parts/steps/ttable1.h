/* SPDX-License-Identifier: MIT */
/* Columns of a middle round from one table of 256 words per direction: the word of row 0, rotated
 * for the other rows.  4 reads, 3 XOR, 3 rotations. */
#ifndef AESFIT_STEPS_TTABLE1_H
#define AESFIT_STEPS_TTABLE1_H

#include "../bytes.h"
#include "packed_bytes.h"
#include "read.h"
#include "../tables/td.h"
#include "../tables/te.h"

/* The sum of the words of the four rows, each rotated into place. */
AESFIT_INLINE uint32_t ttable1_sum(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = arm_value_barrier(a ^ rotl32(b, 8));
    a = arm_value_barrier(a ^ rotl32(c, 16));
    return arm_value_barrier(a ^ rotl32(d, 24));
}

AESFIT_INLINE uint32_t ttable1_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = word_index(a, 0);
    b = word_index(b, 1);
    c = word_index(c, 2);
    d = word_index(d, 3);
    READ_FOUR(te, a, b, c, d);
    return ttable1_sum(a, b, c, d);
}

AESFIT_INLINE uint32_t ttable1_inv_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = word_index(a, 0);
    b = word_index(b, 1);
    c = word_index(c, 2);
    d = word_index(d, 3);
    READ_FOUR(td, a, b, c, d);
    return ttable1_sum(a, b, c, d);
}

#endif
