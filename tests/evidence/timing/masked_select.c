/* SPDX-License-Identifier: MIT */
/* One of two values by a mask that the compiler knows to be all zeros or all ones. */
#include <stdint.h>

uint32_t masked_select(uint32_t bit, uint32_t one, uint32_t zero);

uint32_t masked_select(uint32_t bit, uint32_t one, uint32_t zero)
{
    uint32_t mask = 0 - (bit & 1);
    return (one & mask) | (zero & ~mask);
}
