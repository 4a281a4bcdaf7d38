/* SPDX-License-Identifier: MIT */
/* SubBytes on packed columns, from the byte-wide S-boxes. */
#ifndef AESFIT_PARTS_SUB_WORD_H
#define AESFIT_PARTS_SUB_WORD_H

#include "inv_sbox.h"
#include "read.h"
#include "sbox.h"
#include "shape.h"

/* SubBytes of a column whose row r is row r of the r-th argument, so that ShiftRows is only a
 * choice of arguments.  4 reads, 3 OR. */
AESFIT_INLINE uint32_t sub_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t t = READ_HELD(sbox, byte_of(a, 0));
    t = with_byte(t, READ_HELD(sbox, byte_of(b, 1)), 1);
    t = with_byte(t, READ_HELD(sbox, byte_of(c, 2)), 2);
    return with_byte(t, READ_HELD(sbox, byte_of(d, 3)), 3);
}

AESFIT_INLINE uint32_t inv_sub_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t t = READ_HELD(inv_sbox, byte_of(a, 0));
    t = with_byte(t, READ_HELD(inv_sbox, byte_of(b, 1)), 1);
    t = with_byte(t, READ_HELD(inv_sbox, byte_of(c, 2)), 2);
    return with_byte(t, READ_HELD(inv_sbox, byte_of(d, 3)), 3);
}

/* SubWord of the key schedule (FIPS 197, 5.2), and a round constant added. */
AESFIT_INLINE uint32_t sub_word(uint32_t x, uint32_t constant)
{
    return sub_column(x, x, x, x) ^ constant;
}

#endif
