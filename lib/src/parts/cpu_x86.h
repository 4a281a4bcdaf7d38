/* SPDX-License-Identifier: MIT */
/* What this x86 processor and its operating system allow.
 *
 * __builtin_cpu_supports() reads what the compiler's run-time library found with CPUID and XGETBV
 * when the program started, so a question costs one load.  CPUID itself would cost about 2000
 * cycles per key in a virtual machine, where the hypervisor answers it. */
#ifndef AESFIT_PARTS_CPU_X86_H
#define AESFIT_PARTS_CPU_X86_H

#include "../core.h"

/* aesfit_key.features of the core aesni: VAES and VPCLMULQDQ on 512-bit registers. */
#define CPU_X86_VAES512 1u

/* 1: the paths on 512-bit registers are built.  Not on i386, whose eight registers leave nothing to
 * win, nor with AESFIT_NO_WIDE, which saves 110 KB. */
#if defined(__x86_64__) && !defined(AESFIT_NO_WIDE)
#define CPU_X86_WIDE 1
#else
#define CPU_X86_WIDE 0
#endif

/* AES round instructions, byte shuffles, carry-less products: all that the narrow paths use. */
AESFIT_INLINE int cpu_x86_has_aes(void)
{
    return __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul") &&
           __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1");
}

#if CPU_X86_WIDE
AESFIT_INLINE int cpu_x86_has_vaes(void)
{
#if defined(__clang__) && __clang_major__ < 19
    return 0; /* this clang cannot ask, and a hypervisor may hide it: stay with 128-bit registers */
#else
    return __builtin_cpu_supports("vaes");
#endif
}
#endif

/* avx512* are reported only where XCR0 says that the system saves the 512-bit registers. */
AESFIT_INLINE uint8_t cpu_x86_features(void)
{
#if CPU_X86_WIDE
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("vpclmulqdq") && cpu_x86_has_vaes())
        return CPU_X86_VAES512;
#endif
    return 0;
}

#endif
