/* SPDX-License-Identifier: MIT */
/* Comparison in a time that depends on the length alone. */
#ifndef AESFIT_PARTS_COMPARE_H
#define AESFIT_PARTS_COMPARE_H

#include "../core.h"

/* 1 when a[0..bytes-1] and b[0..bytes-1] are the same, else 0; 1 for no bytes. */
AESFIT_INLINE uint32_t equal_bytes(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    uint32_t difference = 0; /* 0 to 255: the subtraction below borrows for 0 only */
    for (size_t i = 0; i < bytes; i++)
        difference |= (uint32_t)(a[i] ^ b[i]);
    return (value_barrier(difference) - 1) >> 31;
}

#endif
