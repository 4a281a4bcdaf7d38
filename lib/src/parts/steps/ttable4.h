/* SPDX-License-Identifier: MIT */
/* Columns of a middle round from four tables of 256 words per direction, one per row.  One read
 * of each, 3 XOR. */
#ifndef AESFIT_STEPS_TTABLE4_H
#define AESFIT_STEPS_TTABLE4_H

#include "../../core.h"
#include "packed_bytes.h"
#include "read.h"
#include "../tables/td4.h"
#include "../tables/te4.h"

AESFIT_INLINE uint32_t ttable4_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ_HELD(te0, word_index(a, 0)) ^ READ_HELD(te1, word_index(b, 1)) ^
           READ_HELD(te2, word_index(c, 2)) ^ READ_HELD(te3, word_index(d, 3));
}

AESFIT_INLINE uint32_t ttable4_inv_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ_HELD(td0, word_index(a, 0)) ^ READ_HELD(td1, word_index(b, 1)) ^
           READ_HELD(td2, word_index(c, 2)) ^ READ_HELD(td3, word_index(d, 3));
}

#endif
