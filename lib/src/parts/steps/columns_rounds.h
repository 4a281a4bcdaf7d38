/* SPDX-License-Identifier: MIT */
/* The rounds of study cores whose state is four columns, and whose decryption is the straight
 * inverse cipher on the same round keys.  The steps are constant arguments, so they are inlined.
 * sbox_columns.c writes the same rounds out: compilers give it other registers from here. */
#ifndef AESFIT_STEPS_COLUMNS_ROUNDS_H
#define AESFIT_STEPS_COLUMNS_ROUNDS_H

#include "columns.h"

/* SubBytes and ShiftRows, or their inverse, of the whole state. */
typedef columns columns_sub_shift(columns s);

AESFIT_INLINE void columns_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks, columns_sub_shift *sub_shift,
                                   columns_function *mix)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
        columns s = columns_add(columns_load(in), columns_get(k));
        while ((k += 4) != last) {
            s = columns_map(sub_shift(s), mix);
            s = columns_add(s, columns_get(k));
        }
        columns_store(out, columns_add(sub_shift(s), columns_get(k)));
    }
}

AESFIT_INLINE void columns_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks, columns_sub_shift *inv_sub_shift,
                                   columns_function *inv_mix)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *first = key->schedule, *k = first + 4 * key->rounds;
        columns s = columns_add(columns_load(in), columns_get(k));
        while ((k -= 4) != first) {
            s = columns_add(inv_sub_shift(s), columns_get(k));
            s = columns_map(s, inv_mix);
        }
        columns_store(out, columns_add(inv_sub_shift(s), columns_get(k)));
    }
}

#endif
