/* SPDX-License-Identifier: MIT */
/* A conditional move by a mask of a secret condition: the pattern of CVE-2026-23519. */
#include <stdint.h>

void cmov(uint32_t *to, const uint32_t *from, uint8_t condition);

void cmov(uint32_t *to, const uint32_t *from, uint8_t condition)
{
    uint32_t mask = 0 - (uint32_t)(condition != 0);
    for (unsigned at = 0; at < 8; at++)
        to[at] = (to[at] & ~mask) | (from[at] & mask);
}
