/* SPDX-License-Identifier: MIT */
/* Integers modulo 2^255 - 19 as ten words of 26 and 25 bits by turns. */
#ifndef FIELD_25519_H
#define FIELD_25519_H

#include <stdint.h>

typedef struct {
    int32_t limb[10];
} field;

static inline void field_carry(field *out, int64_t *sums)
{
    int64_t carry = 0;
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned at = 0; at < 10; at++) {
            unsigned bits = 26 - (at & 1);
            sums[at] += carry;
            carry = sums[at] >> bits;
            sums[at] -= carry * ((int64_t)1 << bits);
        }
        carry *= 19;
    }
    sums[0] += carry;
    for (unsigned at = 0; at < 10; at++)
        out->limb[at] = (int32_t)sums[at];
}

static inline void field_multiply(field *out, const field *a, const field *b)
{
    int64_t sums[10] = {0};
    for (unsigned i = 0; i < 10; i++) {
        for (unsigned j = 0; j < 10; j++) {
            int32_t factor = 1 + (int32_t)(i & j & 1);
            factor *= i + j >= 10 ? 19 : 1;
            sums[(i + j) % 10] += (int64_t)(a->limb[i] * factor) * b->limb[j];
        }
    }
    field_carry(out, sums);
}

static inline void field_add(field *out, const field *a, const field *b)
{
    for (unsigned at = 0; at < 10; at++)
        out->limb[at] = a->limb[at] + b->limb[at];
}

static inline void field_subtract(field *out, const field *a, const field *b)
{
    for (unsigned at = 0; at < 10; at++)
        out->limb[at] = a->limb[at] - b->limb[at];
}

static inline void field_swap(field *a, field *b, uint32_t bit)
{
    int32_t mask = (int32_t)(0 - bit);
    for (unsigned at = 0; at < 10; at++) {
        int32_t differ = mask & (a->limb[at] ^ b->limb[at]);
        a->limb[at] ^= differ;
        b->limb[at] ^= differ;
    }
}

#endif
