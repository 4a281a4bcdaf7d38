/* SPDX-License-Identifier: MIT */
/* A block of AES-128 with the S-box as a table, from expanded keys. */
#include <stdint.h>
#include "sbox.h"

void aes_encrypt(const uint8_t *round_keys, uint8_t *block);

static uint8_t doubled(uint8_t byte)
{
    return (uint8_t)(byte << 1 ^ (0 - (byte >> 7)) & 0x1b);
}

static void columns_mixed(uint8_t *s)
{
    for (unsigned at = 0; at < 16; at += 4) {
        uint8_t first = s[at], all = s[at] ^ s[at + 1] ^ s[at + 2] ^ s[at + 3];
        for (unsigned row = 0; row < 3; row++)
            s[at + row] ^= all ^ doubled(s[at + row] ^ s[at + row + 1]);
        s[at + 3] ^= all ^ doubled(s[at + 3] ^ first);
    }
}

void aes_encrypt(const uint8_t *round_keys, uint8_t *block)
{
    uint8_t s[16];
    for (unsigned at = 0; at < 16; at++)
        block[at] ^= round_keys[at];
    for (unsigned round = 1; round <= 10; round++) {
        for (unsigned at = 0; at < 16; at++)
            s[at] = sbox[block[(at + 4 * (at % 4)) % 16]];
        if (round < 10)
            columns_mixed(s);
        for (unsigned at = 0; at < 16; at++)
            block[at] = s[at] ^ round_keys[16 * round + at];
    }
}
