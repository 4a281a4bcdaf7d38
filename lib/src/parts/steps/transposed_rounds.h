/* SPDX-License-Identifier: MIT */
/* Keys, encryption and decryption of blocks by rows, for all cores whose schedule they share. */
#ifndef AESFIT_STEPS_TRANSPOSED_ROUNDS_H
#define AESFIT_STEPS_TRANSPOSED_ROUNDS_H

#include "transposed_keys.h"

/* schedule: four rows per round key. */
AESFIT_INLINE void transposed_keys_expand(aesfit_key *key, const uint8_t *bytes)
{
    uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
#if (AESFIT_BOUND_KEY_SIZES & 6) != 0
    if (key->key_words != 4) {
        transposed_expand_long(k, bytes, key->key_words, key->rounds);
        return;
    }
#endif
    transposed_rows a = transposed_load(bytes);
    transposed_put(k, a);
    for (unsigned step = 0; k != last; step++) {
        a = transposed_step(a, step);
        transposed_put(k += 4, a);
    }
}

/* From the state s, to which the round key at k is added already, to the end. */
AESFIT_INLINE transposed_rows transposed_rounds(transposed_rows s, const uint32_t *k,
                                                const uint32_t *last)
{
    while ((k += 4) != last) {
        s = transposed_sub_shift(s);
        s = transposed_add(transposed_mix(s), transposed_get(k));
    }
    return transposed_add(transposed_sub_shift(s), transposed_get(k));
}

AESFIT_INLINE void transposed_encrypt_blocks(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
        transposed_rows s = transposed_add(transposed_load(in), transposed_get(k));
        transposed_store(out, transposed_rounds(s, k, last));
    }
}

AESFIT_INLINE void transposed_decrypt_blocks(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *first = key->schedule, *k = first + 4 * key->rounds;
        transposed_rows s = transposed_add(transposed_load(in), transposed_get(k));
        while ((k -= 4) != first)
            s = transposed_inv_mix(transposed_add(transposed_inv_sub_shift(s), transposed_get(k)));
        transposed_store(out, transposed_add(transposed_inv_sub_shift(s), transposed_get(k)));
    }
}

#endif
