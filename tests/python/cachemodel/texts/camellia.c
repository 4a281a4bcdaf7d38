/* SPDX-License-Identifier: MIT */
/* Camellia with keys of 128 bits (RFC 3713) by its S-box and by four tables of words.
 *
 * Subkeys come in the order of use: kw1 kw2 k1 .. k6 ke1 ke2 k7 .. k12 ke3 ke4 k13 .. k18 kw3 kw4.
 */
#include <stdint.h>

#include "tables.h" /* camellia_sbox[256]; camellia_words[4][256]: SBOX1 to 4 times columns of P */

void camellia_by_sbox(const uint64_t subkeys[26], const uint8_t in[16], uint8_t out[16]);
void camellia_by_tables(const uint64_t subkeys[26], const uint8_t in[16], uint8_t out[16]);

typedef uint64_t (*round_function)(uint64_t x);

static uint64_t load(const uint8_t *in)
{
    uint64_t x = 0;
    for (unsigned i = 0; i < 8; i++)
        x = x << 8 | in[i];
    return x;
}

static unsigned left1(unsigned byte)
{
    return (byte << 1 | byte >> 7) & 255;
}

static uint64_t by_sbox(uint64_t x)
{
    uint8_t t[8], y[8];
    for (unsigned i = 0; i < 8; i++)
        t[i] = (uint8_t)(x >> (56 - 8 * i));
    t[0] = camellia_sbox[t[0]];
    t[1] = (uint8_t)left1(camellia_sbox[t[1]]);
    t[2] = (uint8_t)(camellia_sbox[t[2]] >> 1 | camellia_sbox[t[2]] << 7);
    t[3] = camellia_sbox[left1(t[3])];
    t[4] = (uint8_t)left1(camellia_sbox[t[4]]);
    t[5] = (uint8_t)(camellia_sbox[t[5]] >> 1 | camellia_sbox[t[5]] << 7);
    t[6] = camellia_sbox[left1(t[6])];
    t[7] = camellia_sbox[t[7]];
    y[0] = t[0] ^ t[2] ^ t[3] ^ t[5] ^ t[6] ^ t[7];
    y[1] = t[0] ^ t[1] ^ t[3] ^ t[4] ^ t[6] ^ t[7];
    y[2] = t[0] ^ t[1] ^ t[2] ^ t[4] ^ t[5] ^ t[7];
    y[3] = t[1] ^ t[2] ^ t[3] ^ t[4] ^ t[5] ^ t[6];
    y[4] = t[0] ^ t[1] ^ t[5] ^ t[6] ^ t[7];
    y[5] = t[1] ^ t[2] ^ t[4] ^ t[6] ^ t[7];
    y[6] = t[2] ^ t[3] ^ t[4] ^ t[5] ^ t[7];
    y[7] = t[0] ^ t[3] ^ t[4] ^ t[5] ^ t[6];
    return load(y);
}

static uint64_t by_tables(uint64_t x)
{
    const uint32_t l = (uint32_t)(x >> 32), r = (uint32_t)x;
    uint32_t u = camellia_words[0][l >> 24] ^ camellia_words[1][l >> 16 & 255] ^
                 camellia_words[2][l >> 8 & 255] ^ camellia_words[3][l & 255];
    const uint32_t d = u ^ camellia_words[0][r & 255] ^ camellia_words[1][r >> 24] ^
                       camellia_words[2][r >> 16 & 255] ^ camellia_words[3][r >> 8 & 255];
    u = d ^ (u >> 8 | u << 24);
    return (uint64_t)d << 32 | u;
}

static uint32_t rotate1(uint32_t x)
{
    return x << 1 | x >> 31;
}

static uint64_t mix(uint64_t x, uint64_t key)
{
    uint32_t l = (uint32_t)(x >> 32), r = (uint32_t)x;
    r ^= rotate1(l & (uint32_t)(key >> 32));
    l ^= r | (uint32_t)key;
    return (uint64_t)l << 32 | r;
}

static uint64_t unmix(uint64_t x, uint64_t key)
{
    uint32_t l = (uint32_t)(x >> 32), r = (uint32_t)x;
    l ^= r | (uint32_t)key;
    r ^= rotate1(l & (uint32_t)(key >> 32));
    return (uint64_t)l << 32 | r;
}

static inline __attribute__((always_inline)) void encrypt(round_function f, const uint64_t *key,
                                                          const uint8_t in[16], uint8_t out[16])
{
    uint64_t a = load(in) ^ *key++, b = load(in + 8) ^ *key++;
    for (unsigned part = 0; part < 3; part++) {
        for (unsigned i = 0; i < 3; i++) {
            b ^= f(a ^ *key++);
            a ^= f(b ^ *key++);
        }
        if (part < 2) {
            a = mix(a, *key++);
            b = unmix(b, *key++);
        }
    }
    b ^= *key++;
    a ^= *key;
    for (unsigned i = 0; i < 16; i++)
        out[i] = (uint8_t)((i < 8 ? b : a) >> (56 - 8 * (i % 8)));
}

void camellia_by_sbox(const uint64_t subkeys[26], const uint8_t in[16], uint8_t out[16])
{
    encrypt(by_sbox, subkeys, in, out);
}

void camellia_by_tables(const uint64_t subkeys[26], const uint8_t in[16], uint8_t out[16])
{
    encrypt(by_tables, subkeys, in, out);
}
