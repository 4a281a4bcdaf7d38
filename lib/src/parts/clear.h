/* SPDX-License-Identifier: MIT */
/* What a call leaves behind is cleared before it returns.  Compilers spill round keys and states to
 * the stack, where no wipe() reaches them, and leave them in registers that a function need not
 * preserve.
 *
 * A public function that is given a key is two functions: a worker (CLEARED, never inlined, so its
 * frame is gone when it returns) does everything, and the public one passes its status through
 * CLEAR_AFTER(), which is a call of a third.  That one is called where the worker was, so its array
 * lies where the worker's frames were, and it zeroes them.  Where compilers can, it zeroes the
 * registers too (AESFIT_ZEROED_REGISTERS), the status excepted.  What the public function holds
 * itself is public: arguments and the status.
 *
 * How far depends on what was called: see clear_key() and so on.  The sizes are multiples of 32
 * above what such calls reach below the public function, with any core, on any microcontroller of
 * platforms/ at its flags.  Their frame is the least stack that these calls need.
 * Whether it suffices is proved of images (`aesfit prove`), and run where these cannot be lifted
 * (tests/c/test_clear.c). */
#ifndef AESFIT_PARTS_CLEAR_H
#define AESFIT_PARTS_CLEAR_H

#include "wipe.h"

#if defined(__x86_64__) && !defined(AESFIT_BOUND)
#include "cpu_x86.h"
#define CLEAR_HIGH_REGISTERS CPU_X86_WIDE
#else
#define CLEAR_HIGH_REGISTERS 0
#endif

#if defined(AESFIT_CLEAR_BYTES)
/* An array of negative size, which is an error, where it is no multiple of 32 above 0. */
#define CLEAR_SIZE(bytes)                                                                          \
    (AESFIT_CLEAR_BYTES % 32 == 0 && AESFIT_CLEAR_BYTES > 0 ? AESFIT_CLEAR_BYTES : -4)
#elif !AESFIT_SMALL_CODE && defined(__i386__) /* 8 registers: more is spilled */
#define CLEAR_SIZE(bytes) (4 * (bytes))
#elif !AESFIT_SMALL_CODE /* loops unrolled, words of 64 and 128 bits */
#define CLEAR_SIZE(bytes) (2 * (bytes))
#elif defined(AESFIT_BOUND) && UINTPTR_MAX > 0xffffffff /* registers of 64 bits */
#define CLEAR_SIZE(bytes) (2 * (bytes))
#elif defined(AESFIT_BOUND)
#define CLEAR_SIZE(bytes) (bytes)
#elif UINTPTR_MAX > 0xffffffff /* modes of the library have room for the lanes of every core */
#define CLEAR_SIZE(bytes) (2 * (bytes) + 384)
#else
#define CLEAR_SIZE(bytes) ((bytes) + 384)
#endif

/* AVX-512 has 16 more registers, which vzeroupper leaves as they are.  The paths on 512-bit
 * registers, which no bound build has, use them. */
AESFIT_INLINE void clear_high_registers(void)
{
#if CLEAR_HIGH_REGISTERS
#define CLEAR_HIGH(n) "vpxord %%xmm" #n ", %%xmm" #n ", %%xmm" #n "\n"
    if (__builtin_cpu_supports("avx512vl"))
        __asm__ volatile(CLEAR_HIGH(16) CLEAR_HIGH(17) CLEAR_HIGH(18) CLEAR_HIGH(19) CLEAR_HIGH(20)
                             CLEAR_HIGH(21) CLEAR_HIGH(22) CLEAR_HIGH(23) CLEAR_HIGH(24)
                                 CLEAR_HIGH(25) CLEAR_HIGH(26) CLEAR_HIGH(27) CLEAR_HIGH(28)
                                     CLEAR_HIGH(29) CLEAR_HIGH(30) CLEAR_HIGH(31)::);
#undef CLEAR_HIGH
#endif
}

AESFIT_INLINE void clear_words(uint32_t *words, size_t bytes)
{
#if AESFIT_SMALL_CODE
    uint32_t *p = words, *end = words + bytes / 4;
    do { /* memset() of small C libraries writes byte by byte */
        p[0] = p[1] = 0;
#ifndef __OPTIMIZE_SIZE__
        p[2] = p[3] = p[4] = p[5] = p[6] = p[7] = 0;
        p += 6;
#endif
        p += 2;
        AESFIT_BARRIER(p);
    } while (p != end);
    __asm__ volatile("" : : "r"(words) : "memory");
#else
    wipe(words, bytes);
#endif
    clear_high_registers();
    AESFIT_USE_REGISTERS;
}

#if AESFIT_CLEAR > 0
#define CLEARED AESFIT_NOINLINE
#define CLEAR_AFTER(clear, call) clear(call)

/* Key set-up; and CCMP, whose CCM has cleared its own already. */
AESFIT_CLEARING int clear_key(int status)
{
    uint32_t below[CLEAR_SIZE(256) / 4];
    clear_words(below, sizeof below);
    return status;
}

/* Modes of blocks, MACs, key wrap, streams. */
AESFIT_CLEARING int clear_blocks(int status)
{
    uint32_t below[CLEAR_SIZE(512) / 4];
    clear_words(below, sizeof below);
    return status;
}

/* CCM and GCM. */
AESFIT_CLEARING int clear_aead(int status)
{
    uint32_t below[CLEAR_SIZE(640) / 4];
    clear_words(below, sizeof below);
    return status;
}
#else
#define CLEARED
#define CLEAR_AFTER(clear, call) (call)
#endif

/* The same for bare blocks. */
#if AESFIT_CLEAR > 1
#define CLEARED_BLOCKS CLEARED
#define CLEAR_BLOCKS(call) CLEAR_AFTER(clear_blocks, call)
#else
#define CLEARED_BLOCKS
#define CLEAR_BLOCKS(call) (call)
#endif

#endif
