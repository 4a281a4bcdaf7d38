/* SPDX-License-Identifier: MIT */
/* The repair of KyberSlash: a product with a reciprocal, which fits a word. */
#include <stdint.h>

uint8_t message_bits(const uint16_t *coefficients);

uint8_t message_bits(const uint16_t *coefficients)
{
    uint8_t bits = 0;
    for (unsigned at = 0; at < 8; at++) {
        uint32_t t = (((uint32_t)coefficients[at] << 1) + 1665) * 80635;
        bits |= (uint8_t)(((t >> 28) & 1) << at);
    }
    return bits;
}
