/* SPDX-License-Identifier: MIT */
/* A block of ChaCha20 (RFC 8439, section 2.3). */
#include <stdint.h>

void chacha20(uint32_t *out, const uint32_t *in);

static uint32_t rotated(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

static void quarter(uint32_t *x, unsigned a, unsigned b, unsigned c, unsigned d)
{
    x[a] += x[b];
    x[d] = rotated(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = rotated(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = rotated(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = rotated(x[b] ^ x[c], 7);
}

void chacha20(uint32_t *out, const uint32_t *in)
{
    uint32_t x[16];
    for (unsigned at = 0; at < 16; at++)
        x[at] = in[at];
    for (unsigned round = 0; round < 10; round++) {
        for (unsigned at = 0; at < 4; at++)
            quarter(x, at, at + 4, at + 8, at + 12);
        for (unsigned at = 0; at < 4; at++)
            quarter(x, at, 4 + (at + 1) % 4, 8 + (at + 2) % 4, 12 + (at + 3) % 4);
    }
    for (unsigned at = 0; at < 16; at++)
        out[at] = x[at] + in[at];
}
