/* SPDX-License-Identifier: MIT */
/* The compression function of SHA-256 (FIPS 180-4, section 6.2.2). */
#include <stdint.h>

void sha256_compress(uint32_t *state, const uint32_t *block);

static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

void sha256_compress(uint32_t *state, const uint32_t *block)
{
    uint32_t w[16], s[8];
    for (unsigned at = 0; at < 16; at++)
        w[at] = block[at];
    for (unsigned at = 0; at < 8; at++)
        s[at] = state[at];
    for (unsigned at = 0; at < 64; at++) {
        uint32_t a = s[0], e = s[4];
        uint32_t sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
        uint32_t t1 = s[7] + sum1 + ((e & s[5]) ^ (~e & s[6])) + k[at] + w[at % 16];
        uint32_t sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
        uint32_t t2 = sum0 + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        uint32_t x = w[(at + 1) % 16], y = w[(at + 14) % 16];
        w[at % 16] += (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) + w[(at + 9) % 16] +
                      (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
        for (unsigned to = 7; to > 0; to--)
            s[to] = s[to - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (unsigned at = 0; at < 8; at++)
        state[at] += s[at];
}
