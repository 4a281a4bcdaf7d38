/* SPDX-License-Identifier: MIT */
/* What cores share whose S-boxes are in the table of words: that of encryption is byte 1 of each
 * word, that of decryption stands behind the table (td_boxed.h).  One address then does for a
 * direction. */
#ifndef AESFIT_STEPS_TTABLE1_BOXED_H
#define AESFIT_STEPS_TTABLE1_BOXED_H

#include "../tables/td_boxed.h"
#include "ttable1.h"

/* SubBytes of a column from byte 1 of the table's words, and byte 2, which equals it. */
AESFIT_INLINE uint32_t ttable1_boxed_last(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = word_index(a, 0);
    b = word_index(b, 1);
    c = word_index(c, 2);
    d = word_index(d, 3);
    READ_FOUR(te, a, b, c, d);
    return (a >> 8 & 0xff) | (b & 0xff00) | (c & 0xff0000) | (d << 8 & 0xff000000u);
}

AESFIT_INLINE uint32_t ttable1_boxed_inv_mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = READ(td_boxed, word_index(a, 0));
    b = READ(td_boxed, word_index(b, 1));
    c = READ(td_boxed, word_index(c, 2));
    return ttable1_sum(a, b, c, READ(td_boxed, word_index(d, 3)));
}

/* Byte n of a word, the lowest is 0, substituted. */
AESFIT_INLINE uint32_t ttable1_boxed_inv_byte(uint32_t x, unsigned n)
{
    x = word_index(x, n);
    return READ(td_boxed, 256 + x / 4) >> 8 * (x % 4) & 0xff;
}

AESFIT_INLINE uint32_t ttable1_boxed_inv_last(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return pack_bytes(ttable1_boxed_inv_byte(a, 0), ttable1_boxed_inv_byte(b, 1),
                      ttable1_boxed_inv_byte(c, 2), ttable1_boxed_inv_byte(d, 3));
}

#endif
