/* SPDX-License-Identifier: MIT */
/* wipe(): zeroes secrets; the barrier tells the compiler that the memory is read afterwards. */
#ifndef AESFIT_PARTS_WIPE_H
#define AESFIT_PARTS_WIPE_H

#include "../core.h"
#include "memory.h"

AESFIT_INLINE void wipe(void *memory, size_t bytes)
{
#if defined(__GNUC__)
    memset(memory, 0, bytes);
    __asm__ volatile("" : : "r"(memory) : "memory");
#else
    volatile uint8_t *p = (volatile uint8_t *)memory;
    while (bytes-- > 0)
        *p++ = 0;
#endif
}

#endif
