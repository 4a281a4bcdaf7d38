/* SPDX-License-Identifier: MIT */
/* A product of 64 bits: a call of __muldi3 on processors without a long multiplication. */
#include <stdint.h>

void product64(uint64_t *out, const uint64_t *in);

void product64(uint64_t *out, const uint64_t *in)
{
    *out = in[0] * in[1];
}
