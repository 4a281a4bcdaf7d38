/* SPDX-License-Identifier: MIT */
/* What a core or a GHASH multiplier says of itself. */
#include "ghash/ghash.h"

const char *aesfit_core_name(const aesfit_core *core)
{
    return core != NULL ? core->name : NULL;
}

int aesfit_core_available(const aesfit_core *core)
{
    return core != NULL && (core->supported == NULL || core->supported());
}

const char *aesfit_ghash_name(const aesfit_ghash *ghash)
{
    return ghash != NULL ? ghash->name : NULL;
}

int aesfit_ghash_available(const aesfit_ghash *ghash)
{
    return ghash != NULL && (ghash->supported == NULL || ghash->supported());
}
