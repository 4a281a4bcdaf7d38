/* SPDX-License-Identifier: MIT */
/* Loads, stores and rotations that work at any alignment and byte order. */
#ifndef AESFIT_PARTS_BYTES_H
#define AESFIT_PARTS_BYTES_H

#include "../core.h"
#include "memory.h"

AESFIT_INLINE uint32_t rotl32(uint32_t x, unsigned n) /* 0 < n < 32 */
{
    return (x << n) | (x >> (32 - n));
}

AESFIT_INLINE uint32_t load32_le(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

AESFIT_INLINE void store32_le(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
    p[2] = (uint8_t)(x >> 16);
    p[3] = (uint8_t)(x >> 24);
}

AESFIT_INLINE uint32_t load32_be(const uint8_t *p)
{
    return (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
}

AESFIT_INLINE void store32_be(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

AESFIT_INLINE uint64_t load64_be(const uint8_t *p)
{
    return (uint64_t)load32_be(p) << 32 | load32_be(p + 4);
}

AESFIT_INLINE void store64_be(uint8_t *p, uint64_t x)
{
    store32_be(p, (uint32_t)(x >> 32));
    store32_be(p + 4, (uint32_t)x);
}

/* out = a ^ b, `bytes` bytes; out may be a or b. */
AESFIT_INLINE void xor_bytes(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(a[i] ^ b[i]);
}

/* out = a ^ b, one block; out may be a or b.  Words, because compilers turn the fixed-size copies
 * into single loads where the machine allows it. */
AESFIT_INLINE void xor_block(uint8_t *out, const uint8_t *a, const uint8_t *b)
{
    uint32_t x[4], y[4];
    memcpy(x, a, 16);
    memcpy(y, b, 16);
    for (int i = 0; i < 4; i++)
        x[i] ^= y[i];
    memcpy(out, x, 16);
}

#endif
