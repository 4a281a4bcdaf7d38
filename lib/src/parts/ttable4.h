/* SPDX-License-Identifier: MIT */
/* Columns of a middle round from four tables of 256 words per direction, one per row.  One read
 * of each, 3 XOR. */
#ifndef AESFIT_PARTS_TTABLE4_H
#define AESFIT_PARTS_TTABLE4_H

#include "../core.h"
#include "read.h"
#include "td4.h"
#include "te4.h"

AESFIT_INLINE uint32_t ttable4_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ(te0, (uint8_t)a) ^ READ(te1, (uint8_t)(b >> 8)) ^ READ(te2, (uint8_t)(c >> 16)) ^
           READ(te3, d >> 24);
}

AESFIT_INLINE uint32_t ttable4_inv_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ(td0, (uint8_t)a) ^ READ(td1, (uint8_t)(b >> 8)) ^ READ(td2, (uint8_t)(c >> 16)) ^
           READ(td3, d >> 24);
}

#endif
