/* SPDX-License-Identifier: MIT */
/* The contract of a GHASH multiplier (SP 800-38D 6.4), same pattern as a core: one file
 * ghash/<name>.c with <name>_init and <name>_update (AESFIT_LOCAL) and, outside bound builds, one
 * `const aesfit_ghash aesfit_ghash_<name>`; one line in ghash/ghash.def.
 * A bound build defines AESFIT_BOUND_GHASH to the multiplier's name. */
#ifndef AESFIT_GHASH_H
#define AESFIT_GHASH_H

#include "../core.h"

/* Beyond AESFIT_CONSTANT_TIME: constant-time only where the processor's multiply is. */
#define AESFIT_CONSTANT_TIME_MULTIPLY 8u
/* The same of the lower word of a product, which is all that is used. */
#define AESFIT_CONSTANT_TIME_MULTIPLY_LOW 16u

struct aesfit_ghash {
    const char *name, *summary, *source, *needs;
    uint8_t properties;     /* one of AESFIT_CONSTANT_TIME..., or 0 */
    uint16_t key_bytes;     /* bytes of `state` used */
    uint16_t table_bytes;   /* constant tables, beside the key */
    int (*supported)(void); /* NULL: always */
    /* Prepares the hash key H = E(0); state holds AESFIT_GHASH_WORDS words, 16-byte aligned on
     * x86. */
    void (*init)(uint32_t *state, const uint8_t h[16]);
    /* y = (...((y ^ in[0]) H ^ in[1]) H ...) H over `blocks` blocks; y in the standard's order. */
    void (*update)(const uint32_t *state, uint8_t y[16], const uint8_t *in, size_t blocks);
};

#ifdef AESFIT_BOUND_GHASH
/* A context too small for the multiplier does not compile. */
typedef char ghash_words_are_enough
    [AESFIT_GHASH_WORDS >= AESFIT_PASTE(AESFIT_GHASH_KEY_, AESFIT_BOUND_GHASH) ? 1 : -1];
#else
/* 1 when the multiplier's key fits into aesfit_gcm_key.h. */
#define GHASH_HAS_ROOM(ghash) ((ghash)->key_bytes <= 4 * AESFIT_GHASH_WORDS)
#endif

/* GHASH_CALL(key, update)(key->h, y, in, blocks), key an aesfit_gcm_key. */
#ifdef AESFIT_BOUND_GHASH
#define GHASH_CALL(key, step) AESFIT_JOIN(AESFIT_BOUND_GHASH, step)
#else
#define GHASH_CALL(key, step) ((key)->ghash->step)
#endif

#endif
