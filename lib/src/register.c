/* SPDX-License-Identifier: MIT */
/* The registers of cores and GHASH multipliers, made from their .def files.  A build that leaves
 * some out names its own files in AESFIT_CORES_DEF and AESFIT_GHASH_DEF. */
#include "ghash/ghash.h"

#ifndef AESFIT_CORES_DEF
#define AESFIT_CORES_DEF "cores/cores.def"
#endif
#ifndef AESFIT_GHASH_DEF
#define AESFIT_GHASH_DEF "ghash/ghash.def"
#endif

#define CORE(name) extern const aesfit_core aesfit_core_##name;
#include AESFIT_CORES_DEF
#undef CORE
#define GHASH(name) extern const aesfit_ghash aesfit_ghash_##name;
#include AESFIT_GHASH_DEF
#undef GHASH

#define CORE(name) &aesfit_core_##name,
static const aesfit_core *const register_cores[] = {
#include AESFIT_CORES_DEF
    NULL};
#undef CORE
#define GHASH(name) &aesfit_ghash_##name,
static const aesfit_ghash *const register_ghashes[] = {
#include AESFIT_GHASH_DEF
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

const char *aesfit_core_name(const aesfit_core *core)
{
    return core != NULL ? core->name : NULL;
}

int aesfit_core_available(const aesfit_core *core)
{
    return core != NULL && (core->supported == NULL || core->supported());
}

const aesfit_core *aesfit_default_core(void)
{
    const aesfit_core *aesni = aesfit_core_by_name("aesni");
    return aesfit_core_available(aesni) ? aesni : aesfit_core_by_name("fixslice");
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

const char *aesfit_ghash_name(const aesfit_ghash *ghash)
{
    return ghash != NULL ? ghash->name : NULL;
}

int aesfit_ghash_available(const aesfit_ghash *ghash)
{
    return ghash != NULL && ghash->key_bytes <= sizeof((aesfit_gcm_key *)NULL)->h &&
           (ghash->supported == NULL || ghash->supported());
}

const aesfit_ghash *aesfit_default_ghash(void)
{
    const aesfit_ghash *clmul = aesfit_ghash_by_name("clmul");
    return aesfit_ghash_available(clmul) ? clmul : aesfit_ghash_by_name("shift32");
}
