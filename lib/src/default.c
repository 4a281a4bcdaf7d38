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
#if AESFIT_CORE_fixslice
#define DEFAULT_PORTABLE(kind) (&aesfit_core_fixslice##kind)
#else
#define DEFAULT_PORTABLE(kind) NULL
#endif

const aesfit_core *aesfit_default_core(void)
{
    const aesfit_core *core = DEFAULT_INSTRUCTIONS();
    return aesfit_core_available(core) ? core : DEFAULT_PORTABLE();
}

const aesfit_core *aesfit_default_encrypt_core(void)
{
    const aesfit_core *core = DEFAULT_INSTRUCTIONS(_encrypt);
    return aesfit_core_available(core) ? core : DEFAULT_PORTABLE(_encrypt);
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
