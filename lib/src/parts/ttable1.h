/* SPDX-License-Identifier: MIT */
/* Columns of a middle round from one table of 256 words per direction: the word of row 0, turned
 * for the other rows.  4 reads, 3 XOR, 3 rotations. */
#ifndef AESFIT_PARTS_TTABLE1_H
#define AESFIT_PARTS_TTABLE1_H

#include "bytes.h"
#include "read.h"
#include "shape.h"
#include "td.h"
#include "te.h"

AESFIT_INLINE uint32_t ttable1_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ_HELD(te, word_index(a, 0)) ^ rotl32(READ_HELD(te, word_index(b, 1)), 8) ^
           rotl32(READ_HELD(te, word_index(c, 2)), 16) ^
           rotl32(READ_HELD(te, word_index(d, 3)), 24);
}

AESFIT_INLINE uint32_t ttable1_inv_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ_HELD(td, word_index(a, 0)) ^ rotl32(READ_HELD(td, word_index(b, 1)), 8) ^
           rotl32(READ_HELD(td, word_index(c, 2)), 16) ^
           rotl32(READ_HELD(td, word_index(d, 3)), 24);
}

#endif
