/* SPDX-License-Identifier: MIT */
/* SubBytes on packed columns, from the byte-wide S-boxes. */
#ifndef AESFIT_STEPS_SUB_WORD_H
#define AESFIT_STEPS_SUB_WORD_H

#include "../tables/inv_sbox.h"
#include "packed_bytes.h"
#include "read.h"
#include "../tables/sbox.h"

/* SubBytes of a column whose row r is row r of the r-th argument, so that ShiftRows is only a
 * choice of arguments.  4 reads, 3 OR. */
AESFIT_INLINE uint32_t sub_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = byte_of(a, 0);
    b = byte_of(b, 1);
    c = byte_of(c, 2);
    d = byte_of(d, 3);
    READ_FOUR(sbox, a, b, c, d);
    return pack_bytes(a, b, c, d);
}

AESFIT_INLINE uint32_t inv_sub_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = byte_of(a, 0);
    b = byte_of(b, 1);
    c = byte_of(c, 2);
    d = byte_of(d, 3);
    READ_FOUR(inv_sbox, a, b, c, d);
    return pack_bytes(a, b, c, d);
}

/* SubWord of the key schedule (FIPS 197, 5.2), and a round constant added. */
AESFIT_INLINE uint32_t sub_word(uint32_t x, uint32_t constant)
{
    return sub_column(x, x, x, x) ^ constant;
}

#endif
