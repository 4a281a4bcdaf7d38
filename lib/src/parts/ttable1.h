/* SPDX-License-Identifier: MIT */
/* Columns of a middle round from one table of 256 words per direction: the word of row 0, turned
 * for the other rows.  4 reads, 3 XOR, 3 rotations. */
#ifndef AESFIT_PARTS_TTABLE1_H
#define AESFIT_PARTS_TTABLE1_H

#include "bytes.h"
#include "read.h"
#include "td.h"
#include "te.h"

AESFIT_INLINE uint32_t ttable1_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ(te, (uint8_t)a) ^ rotl32(READ(te, (uint8_t)(b >> 8)), 8) ^
           rotl32(READ(te, (uint8_t)(c >> 16)), 16) ^ rotl32(READ(te, d >> 24), 24);
}

AESFIT_INLINE uint32_t ttable1_inv_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ(td, (uint8_t)a) ^ rotl32(READ(td, (uint8_t)(b >> 8)), 8) ^
           rotl32(READ(td, (uint8_t)(c >> 16)), 16) ^ rotl32(READ(td, d >> 24), 24);
}

#endif
