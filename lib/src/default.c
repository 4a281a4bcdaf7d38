/* SPDX-License-Identifier: MIT */
/* The default cores and GHASH multipliers, constant-time all of them: a program that names none
 * links these alone. */
#include "ghash/ghash.h"

/* The instructions where this processor has them, else the core without tables. */
#if AESFIT_CORE_aesni
#define DEFAULT_INSTRUCTIONS(kind) (&aesfit_core_aesni##kind)
#else
#define DEFAULT_INSTRUCTIONS(kind) NULL
#endif

/* That core in assembly for the instruction sets on which it was measured and proved: the smallest
 * within 5 % of the fastest (docs/cores.md).  In a library that is compiled for size, the smallest
 * of all, which is the C except on ARMv7-M. */
#if AESFIT_DEFAULT_IN_C
#define DEFAULT_TABLELESS(kind) DEFAULT_PORTABLE(kind)
#elif AESFIT_TAKES_ARMV7M && __ARM_ARCH_PROFILE == 'M' && AESFIT_CORE_fixslice_4k_armv7m
#define DEFAULT_TABLELESS(kind) (&aesfit_core_fixslice_4k_armv7m##kind)
#elif defined(__OPTIMIZE_SIZE__)
#define DEFAULT_TABLELESS(kind) DEFAULT_PORTABLE(kind)
#elif AESFIT_TAKES_ARMV6M && AESFIT_CORE_fixslice_armv6m
#define DEFAULT_TABLELESS(kind) (&aesfit_core_fixslice_armv6m##kind)
#elif AESFIT_TAKES_ARMV4 && __ARM_ARCH == 4 && AESFIT_CORE_fixslice_armv4
#define DEFAULT_TABLELESS(kind) (&aesfit_core_fixslice_armv4##kind)
#elif AESFIT_TAKES_RV32 && AESFIT_CORE_fixslice_rv32
#define DEFAULT_TABLELESS(kind) (&aesfit_core_fixslice_rv32##kind)
#else
#define DEFAULT_TABLELESS(kind) DEFAULT_PORTABLE(kind)
#endif
#if AESFIT_CORE_fixslice
#define DEFAULT_PORTABLE(kind) (&aesfit_core_fixslice##kind)
#else
#define DEFAULT_PORTABLE(kind) NULL
#endif

const aesfit_core *aesfit_default_core(void)
{
    const aesfit_core *core = DEFAULT_INSTRUCTIONS();
    return aesfit_core_available(core) ? core : DEFAULT_TABLELESS();
}

const aesfit_core *aesfit_default_encrypt_core(void)
{
    const aesfit_core *core = DEFAULT_INSTRUCTIONS(_encrypt);
    return aesfit_core_available(core) ? core : DEFAULT_TABLELESS(_encrypt);
}

const aesfit_ghash *aesfit_default_ghash(void)
{
#if AESFIT_GHASH_clmul
    if (aesfit_ghash_available(&aesfit_ghash_clmul))
        return &aesfit_ghash_clmul;
#endif
#if AESFIT_GHASH_shift32
    return &aesfit_ghash_shift32;
#else
    return NULL;
#endif
}
