/* SPDX-License-Identifier: MIT */
/* Code whose table reads the cache model does not cover, and code that has none. */
#include <stdint.h>

#include "tables.h" /* crc_words, of which one is taken as any table */

struct rc4 {
    uint8_t s[256], i, j;
};

void rc4(struct rc4 *state, const uint8_t in[64], uint8_t out[64]);
uint32_t scan(const uint8_t in[16]);
uint32_t often(const uint8_t in[16]);
uint32_t pairs(const uint8_t in[64]);
uint32_t plain(const uint8_t in[64]);

void rc4(struct rc4 *state, const uint8_t in[64], uint8_t out[64])
{
    for (unsigned n = 0; n < 64; n++) {
        const uint8_t a = state->s[++state->i];
        const uint8_t b = state->s[state->j = (uint8_t)(state->j + a)];
        state->s[state->i] = b;
        state->s[state->j] = a;
        out[n] = in[n] ^ state->s[(uint8_t)(a + b)];
    }
}

/* One entry after the other from a random one on. */
uint32_t scan(const uint8_t in[16])
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 64; i++)
        sum += crc_words[0][(in[0] + i) & 255];
    return sum;
}

/* As often as the input says. */
uint32_t often(const uint8_t in[16])
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 16u + (in[0] & 7u); i++)
        sum += crc_words[0][in[i & 15]];
    return sum;
}

/* Every other entry lies half a table from the one before. */
uint32_t pairs(const uint8_t in[64])
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 64; i++)
        sum += crc_words[0][in[i & ~1u] ^ (i & 1) << 7];
    return sum;
}

/* No table at all, which is not refused. */
uint32_t plain(const uint8_t in[64])
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 64; i++)
        sum = (sum << 1 | sum >> 31) ^ in[i];
    return sum;
}
