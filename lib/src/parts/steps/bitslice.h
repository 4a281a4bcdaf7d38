/* SPDX-License-Identifier: MIT */
/* Bit-slicing of two blocks in eight words.
 *
 * Word b holds bit b of all 32 bytes.  Within a word, byte r is row r of the state (byte 0 the
 * lowest), and in it bit 2 c + lane is column c of block `lane`.  So the next row is a rotation by
 * 8, and the next column a rotation by 2 within each byte.
 *
 * A column loaded little-endian has its rows in its bytes already.  What is left is, in each of
 * the four byte positions, to transpose an 8 x 8 matrix of bits: 8 words by 8 bits. */
#ifndef AESFIT_STEPS_BITSLICE_H
#define AESFIT_STEPS_BITSLICE_H

#include "../bytes.h"

/* Exchanges the bits of *a at mask << shift with those of *b at mask.  3 XOR, 1 AND, 2 shifts. */
AESFIT_INLINE void bitslice_swap(uint32_t *a, uint32_t *b, uint32_t mask, unsigned shift)
{
    uint32_t t = ((*a >> shift) ^ *b) & mask;
    *b ^= t;
    *a ^= t << shift;
}

/* Transposes word index and bit index, both within bytes; its own inverse.  12 swaps. */
AESFIT_INLINE void bitslice_transpose(uint32_t q[8])
{
    bitslice_swap(&q[0], &q[1], 0x55555555u, 1);
    bitslice_swap(&q[2], &q[3], 0x55555555u, 1);
    bitslice_swap(&q[4], &q[5], 0x55555555u, 1);
    bitslice_swap(&q[6], &q[7], 0x55555555u, 1);
    bitslice_swap(&q[0], &q[2], 0x33333333u, 2);
    bitslice_swap(&q[1], &q[3], 0x33333333u, 2);
    bitslice_swap(&q[4], &q[6], 0x33333333u, 2);
    bitslice_swap(&q[5], &q[7], 0x33333333u, 2);
    bitslice_swap(&q[0], &q[4], 0x0f0f0f0fu, 4);
    bitslice_swap(&q[1], &q[5], 0x0f0f0f0fu, 4);
    bitslice_swap(&q[2], &q[6], 0x0f0f0f0fu, 4);
    bitslice_swap(&q[3], &q[7], 0x0f0f0f0fu, 4);
}

AESFIT_INLINE void bitslice_load(uint32_t q[8], const uint8_t *block0, const uint8_t *block1)
{
    q[0] = load32_le(block0);
    q[1] = load32_le(block1);
    q[2] = load32_le(block0 + 4);
    q[3] = load32_le(block1 + 4);
    q[4] = load32_le(block0 + 8);
    q[5] = load32_le(block1 + 8);
    q[6] = load32_le(block0 + 12);
    q[7] = load32_le(block1 + 12);
    bitslice_transpose(q);
}

AESFIT_INLINE void bitslice_store(uint8_t *block0, uint8_t *block1, uint32_t q[8])
{
    bitslice_transpose(q);
    store32_le(block0, q[0]);
    store32_le(block1, q[1]);
    store32_le(block0 + 4, q[2]);
    store32_le(block1 + 4, q[3]);
    store32_le(block0 + 8, q[4]);
    store32_le(block1 + 8, q[5]);
    store32_le(block0 + 12, q[6]);
    store32_le(block1 + 12, q[7]);
}

/* Row i becomes row i + rows, column c column c + right; 0 < rows, right 0 to 3.  Every byte is
 * rotated right by 2 * right bits and the word by 8 * rows: the upper and the lower part of
 * each byte make two different rotations of the word, 8 bits apart.  2 AND, 1 XOR and rotations,
 * which are free on ARM, the last one in what the caller does next. */
AESFIT_INLINE uint32_t bitslice_rotate(uint32_t x, unsigned rows, unsigned right)
{
    switch (right) {
    case 1:
        return rotl32((x & 0xfcfcfcfcu) ^ rotl32(x & 0x03030303u, 8), 30 - 8 * rows);
    case 2:
        return rotl32((x & 0xf0f0f0f0u) ^ rotl32(x & 0x0f0f0f0fu, 8), 28 - 8 * rows);
    case 3:
        return rotl32((x & 0xc0c0c0c0u) ^ rotl32(x & 0x3f3f3f3fu, 8), 26 - 8 * rows);
    default:
        return rotl32(x, 32 - 8 * rows);
    }
}

#endif
