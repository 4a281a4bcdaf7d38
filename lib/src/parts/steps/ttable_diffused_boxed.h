/* SPDX-License-Identifier: MIT */
/* The columns of ttable_diffused.h from tables that hold the S-box too, in front of their words:
 * one address then does for a direction. */
#ifndef AESFIT_STEPS_TTABLE_DIFFUSED_BOXED_H
#define AESFIT_STEPS_TTABLE_DIFFUSED_BOXED_H

#include "packed_bytes.h"
#include "read.h"
#include "../tables/td_diffused_boxed.h"
#include "../tables/te_diffused_boxed.h"

/* A column of a middle round.  4 reads, 3 XOR. */
AESFIT_INLINE uint32_t diffused_boxed_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = READ(te_diffused_boxed, 64 + 4 * byte_of(a, 0));
    a ^= READ(te_diffused_boxed, 65 + 4 * byte_of(b, 1));
    a ^= READ(te_diffused_boxed, 66 + 4 * byte_of(c, 2));
    return a ^ READ(te_diffused_boxed, 67 + 4 * byte_of(d, 3));
}

AESFIT_INLINE uint32_t diffused_boxed_inv_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = READ(td_diffused_boxed, 64 + 4 * byte_of(a, 0));
    a ^= READ(td_diffused_boxed, 65 + 4 * byte_of(b, 1));
    a ^= READ(td_diffused_boxed, 66 + 4 * byte_of(c, 2));
    return a ^ READ(td_diffused_boxed, 67 + 4 * byte_of(d, 3));
}

/* A column of the last round: byte x stands in word x / 4.  4 reads, 3 OR. */
AESFIT_INLINE uint32_t diffused_boxed_last(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = byte_of(a, 0);
    b = byte_of(b, 1);
    c = byte_of(c, 2);
    d = byte_of(d, 3);
    return pack_bytes(READ(te_diffused_boxed, a / 4) >> 8 * (a % 4) & 0xff,
                      READ(te_diffused_boxed, b / 4) >> 8 * (b % 4) & 0xff,
                      READ(te_diffused_boxed, c / 4) >> 8 * (c % 4) & 0xff,
                      READ(te_diffused_boxed, d / 4) >> 8 * (d % 4) & 0xff);
}

AESFIT_INLINE uint32_t diffused_boxed_inv_last(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = byte_of(a, 0);
    b = byte_of(b, 1);
    c = byte_of(c, 2);
    d = byte_of(d, 3);
    return pack_bytes(READ(td_diffused_boxed, a / 4) >> 8 * (a % 4) & 0xff,
                      READ(td_diffused_boxed, b / 4) >> 8 * (b % 4) & 0xff,
                      READ(td_diffused_boxed, c / 4) >> 8 * (c % 4) & 0xff,
                      READ(td_diffused_boxed, d / 4) >> 8 * (d % 4) & 0xff);
}

#endif
