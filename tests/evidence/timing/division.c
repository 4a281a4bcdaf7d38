/* SPDX-License-Identifier: MIT */
/* KyberSlash: one bit of a message from a coefficient, with a division by a constant.  At -Os
 * compilers call a division, or use the processor's. */
#include <stdint.h>

uint8_t message_bits(const uint16_t *coefficients);

uint8_t message_bits(const uint16_t *coefficients)
{
    uint8_t bits = 0;
    for (unsigned at = 0; at < 8; at++) {
        uint32_t t = ((((uint32_t)coefficients[at] << 1) + 3329 / 2) / 3329) & 1;
        bits |= (uint8_t)(t << at);
    }
    return bits;
}
