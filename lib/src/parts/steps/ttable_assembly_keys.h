/* SPDX-License-Identifier: MIT */
/* ttable_expand_key() with functions in assembly. */
#ifndef AESFIT_STEPS_TTABLE_ASSEMBLY_KEYS_H
#define AESFIT_STEPS_TTABLE_ASSEMBLY_KEYS_H

#include "sub_word.h"
#include "ttable.h"

/* A function for each size of key: it writes the round keys to w, with the S-box at box, from a key
 * at words. */
typedef void ttable_round_keys(uint32_t *w, const uint8_t *box, const uint8_t *key);
typedef struct ttable_assembly_keys {
    ttable_round_keys *of_128, *of_192, *of_256;
} ttable_assembly_keys;

/* Inlined where the functions are named, so that those for sizes which a bound build lacks are not
 * linked. */
AESFIT_INLINE void ttable_assembly_expand_key(aesfit_key *key, const uint8_t *bytes,
                                              unsigned directions, ttable_assembly_keys expand,
                                              columns_function *inv_mix)
{
    uint32_t *w = key->schedule;
    unsigned nk = key->key_words;
    if (!words_at(bytes, bytes)) { /* the first round keys are the key itself */
        memcpy(w, bytes, 4 * nk);
        bytes = (const uint8_t *)w;
    }
    if (!BOUND_LACKS_SIZE(1) && (BOUND_LACKS_SIZE(6) || nk == 4))
        expand.of_128(w, sbox, bytes);
    else if (!BOUND_LACKS_SIZE(2) && (BOUND_LACKS_SIZE(4) || nk == 6))
        expand.of_192(w, sbox, bytes);
    else if (!BOUND_LACKS_SIZE(4))
        expand.of_256(w, sbox, bytes);
    if (inv_mix != NULL && (directions & AESFIT_DECRYPT) != 0)
        column_keys_invert((directions & AESFIT_ENCRYPT) != 0 ? w + 4 * (key->rounds + 1u) : w, w,
                           key->rounds, inv_mix);
}

#endif
