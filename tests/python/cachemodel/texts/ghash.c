/* SPDX-License-Identifier: MIT */
/* The library's GHASH by a table of 16 multiples, as a function of one block. */
#define AESFIT_BOUND_GHASH table4
#include "ghash/table4.c"

void ghash_key(const uint8_t h[16], uint32_t state[64]);
void ghash_block(const uint32_t state[64], const uint8_t in[16], uint8_t y[16]);

void ghash_key(const uint8_t h[16], uint32_t state[64])
{
    table4_init(state, h);
}

void ghash_block(const uint32_t state[64], const uint8_t in[16], uint8_t y[16])
{
    table4_update(state, y, in, 1);
}
