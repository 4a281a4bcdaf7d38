/* SPDX-License-Identifier: MIT */
/* Long messages of GCM and XTS on 512-bit registers clear the stack that they used themselves:
 * their frames are deeper than clear.h reaches, and short messages should not pay for it.
 *
 * Such a path is VAES_DEEP, and its caller calls afterwards what VAES_CLEAR(name, bytes) defines.
 * `bytes` is a multiple of 64 above the path's frame (gcc 12 -O3, -fstack-usage). */
#ifndef AESFIT_PARTS_CLEAR_WIDE_H
#define AESFIT_PARTS_CLEAR_WIDE_H

#include "steps/vaes.h"

#if CPU_X86_WIDE

#if AESFIT_CLEAR > 0
#define VAES_DEEP AESFIT_NOINLINE static VAES_TARGET
#define VAES_CLEAR(name, bytes)                                                                    \
    AESFIT_NOINLINE static VAES_TARGET void name(void)                                             \
    {                                                                                              \
        __m512i below[(bytes) / 64];                                                               \
        AESNI_UNROLL                                                                               \
        for (int i = 0; i < (bytes) / 64; i++)                                                     \
            below[i] = _mm512_setzero_si512();                                                     \
        __asm__ volatile("" : : "r"(below) : "memory");                                            \
    }
#else
#define VAES_DEEP VAES_INLINE
#define VAES_CLEAR(name, bytes)                                                                    \
    AESFIT_INLINE void name(void)                                                                  \
    {                                                                                              \
    }
#endif

#endif
#endif
