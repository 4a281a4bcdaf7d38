/* SPDX-License-Identifier: MIT */
/* Key expansion: checks, then the core's own schedule. */
#define AESFIT_CORE_IS_KNOWN
#include "core.h"
#include "parts/check.h"
#include "parts/clear.h"

#ifdef AESFIT_BOUND
/* A context too small for the core does not compile. */
typedef char key_words_are_enough[AESFIT_KEY_WORDS >= AESFIT_LONGEST_SCHEDULE ? 1 : -1];
#else
/* 1 when the core's round keys fit into aesfit_key.schedule. */
AESFIT_LOCAL int key_has_room(const aesfit_core *core, size_t key_bytes, unsigned directions)
{
    aesfit_round_key_bytes needs = core->round_key_bytes[key_bytes / 8 - 2];
    size_t bytes = needs.encrypt;
    if (directions != AESFIT_ENCRYPT)
        bytes = directions == AESFIT_BOTH ? needs.both : needs.decrypt;
    return bytes <= 4 * (size_t)AESFIT_KEY_WORDS;
}
#endif

/* `rounds` 0: the standard count. */
CLEARED AESFIT_LOCAL int key_expand(aesfit_key *key, const aesfit_core *core,
                                    const uint8_t *raw_key, size_t key_bytes, unsigned directions,
                                    unsigned rounds)
{
    if (key == NULL || raw_key == NULL)
        return AESFIT_ERR_NULL;
    key->directions = 0;
    if ((key_bytes != 16 || BOUND_LACKS_SIZE(1)) && (key_bytes != 24 || BOUND_LACKS_SIZE(2)) &&
        (key_bytes != 32 || BOUND_LACKS_SIZE(4)))
        return AESFIT_ERR_KEY_LENGTH;
    CHECK_APART(key, sizeof *key, raw_key, key_bytes);
    if (directions == 0 || (directions & ~(unsigned)AESFIT_BOUND_DIRECTIONS) != 0)
        return AESFIT_ERR_ARGUMENT;
#if !AESFIT_KEYS_FOR_BOTH
    if (directions == AESFIT_BOTH)
        return AESFIT_ERR_ARGUMENT;
#endif
    /* Where there is one direction alone no other is left: now the compiler knows. */
    unsigned wanted = AESFIT_BOUND_DIRECTIONS != AESFIT_BOTH ? AESFIT_BOUND_DIRECTIONS : directions;
#ifdef AESFIT_BOUND
    (void)core;
#else
    if (core->decrypt == NULL && directions != AESFIT_ENCRYPT)
        return AESFIT_ERR_ARGUMENT;
    if (!key_has_room(core, key_bytes, directions))
        return AESFIT_ERR_KEY_LENGTH; /* built with a wrong AESFIT_KEY_WORDS */
    key->core = core;
#endif
    key->key_words = (uint8_t)(key_bytes / 4);
    key->rounds = (uint8_t)(rounds != 0 ? rounds : key_bytes / 4 + 6);
    key->features = 0;
    CORE_CALL(key, expand_key)(key, raw_key, wanted);
    key->directions = (uint8_t)wanted;
    return AESFIT_OK;
}

int aesfit_expand_key(aesfit_key *key, const aesfit_core *core, const uint8_t *raw_key,
                      size_t key_bytes, unsigned directions)
{
    if (key != NULL)
        key->directions = 0;
#ifndef AESFIT_BOUND
    if (!aesfit_core_available(core))
        return core == NULL ? AESFIT_ERR_UNKNOWN_CORE : AESFIT_ERR_UNAVAILABLE;
#endif
    return CLEAR_AFTER(clear_key, key_expand(key, core, raw_key, key_bytes, directions, 0));
}

#ifndef AESFIT_BOUND
int aesfit_study_expand_key(aesfit_key *key, const aesfit_core *core, const uint8_t *raw_key,
                            size_t key_bytes, unsigned directions, unsigned rounds)
{
    if (key != NULL)
        key->directions = 0;
    if (core == NULL) /* no default core takes any */
        return AESFIT_ERR_ROUNDS;
    if (!aesfit_core_available(core))
        return AESFIT_ERR_UNAVAILABLE;
    if ((core->properties & AESFIT_STUDY_ROUNDS) == 0 || rounds < 1 || rounds > key_bytes / 4 + 6)
        return AESFIT_ERR_ROUNDS;
    return CLEAR_AFTER(clear_key, key_expand(key, core, raw_key, key_bytes, directions, rounds));
}
#endif
