/* SPDX-License-Identifier: MIT */
/* Packed arithmetic in GF(2^8) = GF(2)[x] / (x^8 + x^4 + x^3 + x + 1): four bytes in a word. */
#ifndef AESFIT_STEPS_FIELD_H
#define AESFIT_STEPS_FIELD_H

#include "../bytes.h"

/* Doubles each of the four bytes.  No multiply, so constant-time everywhere: the polynomial is
 * masked by 0x80 - 0x01 = 0x7f, a subtraction that cannot borrow across bytes.
 * 2 AND, 2 XOR, 1 SUB and 2 shifts, which are free on ARM. */
AESFIT_INLINE uint32_t xtime4(uint32_t x)
{
    uint32_t top = x & arm_value_barrier(0x80808080u);
    return (x ^ top) << 1 ^ ((top - (top >> 7)) & arm_value_barrier(0x1b1b1b1bu));
}

/* MixColumns and InvMixColumns of one column, row 0 in the low byte: a rotation right by 8 bits
 * brings row r + 1 to row r. */

/* 02 x_r + 03 x_(r+1) + x_(r+2) + x_(r+3), as 02 (x_r + x_(r+1)) + x_(r+1) + (x_(r+2) + x_(r+3)).
 * 3 XOR, 1 doubling, 2 rotations. */
AESFIT_INLINE uint32_t mix_column(uint32_t x)
{
    uint32_t next = rotl32(x, 24), sum = x ^ next;
    return xtime4(sum) ^ next ^ rotl32(sum, 16);
}

/* 0e x_r + 0b x_(r+1) + 0d x_(r+2) + 09 x_(r+3): MixColumns of x_r + 04 (x_r + x_(r+2)) (Daemen and
 * Rijmen, The Design of Rijndael, 4.1.3).  5 XOR, 3 doublings, 3 rotations. */
AESFIT_INLINE uint32_t inv_mix_column(uint32_t x)
{
    return mix_column(x ^ xtime4(xtime4(x ^ rotl32(x, 16))));
}

#endif
