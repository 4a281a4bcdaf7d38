/* SPDX-License-Identifier: MIT */
/* Key expansion: checks, then the core's own schedule. */
#include "core.h"
#include "parts/check.h"

/* `rounds` 0: the standard count. */
AESFIT_LOCAL int key_expand(aesfit_key *key, const aesfit_core *core, const uint8_t *bytes,
                            size_t key_bytes, unsigned directions, unsigned rounds)
{
    if (key == NULL || bytes == NULL)
        return AESFIT_ERR_NULL;
    key->directions = 0;
    if ((key_bytes != 16 || BOUND_LACKS_SIZE(1)) && (key_bytes != 24 || BOUND_LACKS_SIZE(2)) &&
        (key_bytes != 32 || BOUND_LACKS_SIZE(4)))
        return AESFIT_ERR_KEY_LENGTH;
    if (directions == 0 || (directions & ~(unsigned)AESFIT_BOUND_DIRECTIONS) != 0)
        return AESFIT_ERR_ARGUMENT;
    /* Where there is one direction alone no other is left: now the compiler knows. */
    unsigned wanted = AESFIT_BOUND_DIRECTIONS != AESFIT_BOTH ? AESFIT_BOUND_DIRECTIONS : directions;
#ifdef AESFIT_BOUND
    (void)core;
#else
    key->core = core;
#endif
    key->key_words = (uint8_t)(key_bytes / 4);
    key->rounds = (uint8_t)(rounds != 0 ? rounds : key_bytes / 4 + 6);
    key->features = 0;
    CORE_CALL(key, expand_key)(key, bytes, wanted);
    key->directions = (uint8_t)wanted;
    return AESFIT_OK;
}

/* The core to use for `core`, NULL meaning the default one. */
#ifdef AESFIT_BOUND
#define KEY_RESOLVE(core) ((void)0)
#else
#define KEY_RESOLVE(core)                                                                          \
    do {                                                                                           \
        if ((core) == NULL)                                                                        \
            (core) = aesfit_default_core();                                                        \
        if ((core) == NULL)                                                                        \
            return AESFIT_ERR_UNKNOWN_CORE;                                                        \
        if (!aesfit_core_available(core))                                                          \
            return AESFIT_ERR_UNAVAILABLE;                                                         \
    } while (0)
#endif

int aesfit_expand_key(aesfit_key *key, const aesfit_core *core, const uint8_t *bytes,
                      size_t key_bytes, unsigned directions)
{
    if (key != NULL)
        key->directions = 0;
    KEY_RESOLVE(core);
    return key_expand(key, core, bytes, key_bytes, directions, 0);
}

#ifndef AESFIT_BOUND
int aesfit_study_expand_key(aesfit_key *key, const aesfit_core *core, const uint8_t *bytes,
                            size_t key_bytes, unsigned directions, unsigned rounds)
{
    if (key != NULL)
        key->directions = 0;
    KEY_RESOLVE(core);
    if ((core->properties & AESFIT_STUDY_ROUNDS) == 0 || rounds < 1 || rounds > key_bytes / 4 + 6)
        return AESFIT_ERR_ROUNDS;
    return key_expand(key, core, bytes, key_bytes, directions, rounds);
}
#endif

#undef KEY_RESOLVE
