/* SPDX-License-Identifier: MIT */
/* Packed arithmetic in GF(2^8) = GF(2)[x] / (x^8 + x^4 + x^3 + x + 1): four bytes in a word. */
#ifndef AESFIT_PARTS_FIELD_H
#define AESFIT_PARTS_FIELD_H

#include "bytes.h"
#include "shape.h"

/* Doubles each of the four bytes.  No multiply, so constant-time everywhere: the polynomial is
 * masked by 0x80 - 0x01 = 0x7f, a subtraction that cannot borrow across bytes.
 * 2 AND, 2 XOR, 1 SUB and 2 shifts, which are free on ARM. */
AESFIT_INLINE uint32_t xtime4(uint32_t x)
{
    uint32_t top = x & shape_opaque(0x80808080u);
    return (x ^ top) << 1 ^ ((top - (top >> 7)) & shape_opaque(0x1b1b1b1bu));
}

/* MixColumns and InvMixColumns of one column, row 0 in the low byte: a rotation right by 8 bits
 * brings row r + 1 to row r. */

/* 4 XOR, 1 doubling, 3 rotations: 02 x_r + 03 x_(r+1) + x_(r+2) + x_(r+3). */
AESFIT_INLINE uint32_t mix_column(uint32_t x)
{
    uint32_t x2 = xtime4(x);
    return x2 ^ rotl32(x ^ x2, 24) ^ rotl32(x, 16) ^ rotl32(x, 8);
}

/* 8 XOR, 3 doublings, 3 rotations: 0e x_r + 0b x_(r+1) + 0d x_(r+2) + 09 x_(r+3). */
AESFIT_INLINE uint32_t inv_mix_column(uint32_t x)
{
    uint32_t x2 = xtime4(x), x4 = xtime4(x2), x8 = xtime4(x4), x9 = x ^ x8;
    return x2 ^ x4 ^ x8 ^ rotl32(x2 ^ x9, 24) ^ rotl32(x4 ^ x9, 16) ^ rotl32(x9, 8);
}

#endif
