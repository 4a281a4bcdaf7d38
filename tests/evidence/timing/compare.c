/* SPDX-License-Identifier: MIT */
/* Two tags compared as memcmp() may do it: up to the first byte that differs. */
#include <stdint.h>

int compare(const uint8_t *a, const uint8_t *b);

int compare(const uint8_t *a, const uint8_t *b)
{
    for (unsigned at = 0; at < 16; at++) {
        if (a[at] != b[at])
            return 1;
    }
    return 0;
}
