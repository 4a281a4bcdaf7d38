/* SPDX-License-Identifier: MIT */
/* Two tags compared as a whole: what differs is collected. */
#include <stdint.h>

int compare(const uint8_t *a, const uint8_t *b);

int compare(const uint8_t *a, const uint8_t *b)
{
    uint32_t differ = 0;
    for (unsigned at = 0; at < 16; at++)
        differ |= (uint32_t)(a[at] ^ b[at]);
    return (int)((differ + 255) >> 8);
}
