/* SPDX-License-Identifier: MIT */
/* Packed arithmetic in GF(2^8) = GF(2)[x] / (x^8 + x^4 + x^3 + x + 1): four bytes in a word. */
#ifndef AESFIT_PARTS_FIELD_H
#define AESFIT_PARTS_FIELD_H

#include "../core.h"

/* Doubles each of the four bytes.  No multiply, so constant-time everywhere: the top bits
 * become 0x7f per byte by a subtraction that cannot borrow across bytes.
 * 2 AND, 2 XOR, 1 SUB, 2 shifts and 1 AND of the polynomial (shifts are free on ARM). */
AESFIT_INLINE uint32_t xtime4(uint32_t x)
{
    uint32_t top = x & 0x80808080u;
    return ((x ^ top) << 1) ^ ((top - (top >> 7)) & 0x1b1b1b1bu);
}

#endif
