/* SPDX-License-Identifier: MIT */
/* SubBytes on packed columns, from the byte-wide S-boxes. */
#ifndef AESFIT_PARTS_SUB_WORD_H
#define AESFIT_PARTS_SUB_WORD_H

#include "../core.h"
#include "inv_sbox.h"
#include "read.h"
#include "sbox.h"

/* SubBytes of a column whose row r is row r of the r-th argument, so that ShiftRows is only a
 * choice of arguments.  4 reads, 3 OR, 7 byte extractions and shifts. */
AESFIT_INLINE uint32_t sub_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (uint32_t)READ(sbox, (uint8_t)a) | (uint32_t)READ(sbox, (uint8_t)(b >> 8)) << 8 |
           (uint32_t)READ(sbox, (uint8_t)(c >> 16)) << 16 | (uint32_t)READ(sbox, d >> 24) << 24;
}

AESFIT_INLINE uint32_t inv_sub_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (uint32_t)READ(inv_sbox, (uint8_t)a) | (uint32_t)READ(inv_sbox, (uint8_t)(b >> 8)) << 8 |
           (uint32_t)READ(inv_sbox, (uint8_t)(c >> 16)) << 16 |
           (uint32_t)READ(inv_sbox, d >> 24) << 24;
}

/* SubWord of the key schedule (FIPS 197, 5.2), and a round constant added. */
AESFIT_INLINE uint32_t sub_word(uint32_t x, uint32_t constant)
{
    return sub_column(x, x, x, x) ^ constant;
}

#endif
