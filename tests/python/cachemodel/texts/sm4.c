/* SPDX-License-Identifier: MIT */
/* SM4 (GB/T 32907-2016; RFC 8998, appendix A.1, has an example) by its S-box and by one table. */
#include <stdint.h>

#include "tables.h" /* sm4_sbox[256]; sm4_words[256]: L of the S-box in the top byte */

void sm4_expand(const uint8_t key[16], uint32_t rk[32]);
void sm4_by_sbox(const uint32_t rk[32], const uint8_t in[16], uint8_t out[16]);
void sm4_by_table(const uint32_t rk[32], const uint8_t in[16], uint8_t out[16]);

static uint32_t rotate(uint32_t x, unsigned left)
{
    return x << left | x >> (32 - left);
}

static uint32_t load(const uint8_t *in)
{
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

static uint32_t substitute(uint32_t x)
{
    return (uint32_t)sm4_sbox[x >> 24] << 24 | (uint32_t)sm4_sbox[x >> 16 & 255] << 16 |
           (uint32_t)sm4_sbox[x >> 8 & 255] << 8 | sm4_sbox[x & 255];
}

void sm4_expand(const uint8_t key[16], uint32_t rk[32])
{
    uint32_t k[4] = {load(key) ^ 0xa3b1bac6, load(key + 4) ^ 0x56aa3350, load(key + 8) ^ 0x677d9197,
                     load(key + 12) ^ 0xb27022dc};
    for (unsigned i = 0; i < 32; i++) {
        uint32_t constant = 0;
        for (unsigned j = 0; j < 4; j++)
            constant = constant << 8 | ((4 * i + j) * 7 & 255);
        const uint32_t s = substitute(k[(i + 1) % 4] ^ k[(i + 2) % 4] ^ k[(i + 3) % 4] ^ constant);
        rk[i] = k[i % 4] ^= s ^ rotate(s, 13) ^ rotate(s, 23);
    }
}

static uint32_t by_sbox(uint32_t x)
{
    const uint32_t s = substitute(x);
    return s ^ rotate(s, 2) ^ rotate(s, 10) ^ rotate(s, 18) ^ rotate(s, 24);
}

static uint32_t by_table(uint32_t x)
{
    return sm4_words[x >> 24] ^ rotate(sm4_words[x >> 16 & 255], 24) ^
           rotate(sm4_words[x >> 8 & 255], 16) ^ rotate(sm4_words[x & 255], 8);
}

static inline __attribute__((always_inline)) void
encrypt(uint32_t (*step)(uint32_t), const uint32_t rk[32], const uint8_t in[16], uint8_t out[16])
{
    uint32_t x[4] = {load(in), load(in + 4), load(in + 8), load(in + 12)};
    for (unsigned i = 0; i < 32; i += 4) {
        x[0] ^= step(x[1] ^ x[2] ^ x[3] ^ rk[i]);
        x[1] ^= step(x[2] ^ x[3] ^ x[0] ^ rk[i + 1]);
        x[2] ^= step(x[3] ^ x[0] ^ x[1] ^ rk[i + 2]);
        x[3] ^= step(x[0] ^ x[1] ^ x[2] ^ rk[i + 3]);
    }
    for (unsigned i = 0; i < 16; i++)
        out[i] = (uint8_t)(x[3 - i / 4] >> (24 - 8 * (i % 4)));
}

void sm4_by_sbox(const uint32_t rk[32], const uint8_t in[16], uint8_t out[16])
{
    encrypt(by_sbox, rk, in, out);
}

void sm4_by_table(const uint32_t rk[32], const uint8_t in[16], uint8_t out[16])
{
    encrypt(by_table, rk, in, out);
}
