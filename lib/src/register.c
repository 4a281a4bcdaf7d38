/* SPDX-License-Identifier: MIT */
/* The registers of cores and GHASH multipliers that are built (aesfit_config.h).  Only those who
 * ask for one by name or number link this file, and with it every core. */
#include "ghash/ghash.h"

#define REGISTER_0(object)
#define REGISTER_1(object) &object,
#define REGISTER_(built, object) REGISTER_##built(object)
#define REGISTER_IF(built, object) REGISTER_(built, object)

#define CORE(name) REGISTER_IF(AESFIT_CORE_##name, aesfit_core_##name)
static const aesfit_core *const register_cores[] = {
#include "cores/cores.def"
    NULL};
#undef CORE
#define GHASH(name) REGISTER_IF(AESFIT_GHASH_##name, aesfit_ghash_##name)
static const aesfit_ghash *const register_ghashes[] = {
#include "ghash/ghash.def"
    NULL};
#undef GHASH

static int register_same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

size_t aesfit_core_count(void)
{
    return sizeof register_cores / sizeof register_cores[0] - 1;
}

const aesfit_core *aesfit_core_at(size_t index)
{
    return index < aesfit_core_count() ? register_cores[index] : NULL;
}

const aesfit_core *aesfit_core_by_name(const char *name)
{
    for (size_t i = aesfit_core_count(); name != NULL && i-- > 0;) /* the defaults come last */
        if (register_same(register_cores[i]->name, name))
            return register_cores[i];
    return NULL;
}

size_t aesfit_ghash_count(void)
{
    return sizeof register_ghashes / sizeof register_ghashes[0] - 1;
}

const aesfit_ghash *aesfit_ghash_at(size_t index)
{
    return index < aesfit_ghash_count() ? register_ghashes[index] : NULL;
}

const aesfit_ghash *aesfit_ghash_by_name(const char *name)
{
    for (size_t i = 0; name != NULL && i < aesfit_ghash_count(); i++)
        if (register_same(register_ghashes[i]->name, name))
            return register_ghashes[i];
    return NULL;
}
