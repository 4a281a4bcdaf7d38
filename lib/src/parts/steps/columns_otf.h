/* SPDX-License-Identifier: MIT */
/* What the cores with columns and round keys on the fly share: the keys that are kept, and
 * encryption.  They differ in a middle round, which they give as a function from columns to
 * columns (SubBytes, ShiftRows, MixColumns); being a constant argument of an inlined function, it
 * is inlined too.  128-bit keys move in four variables, longer ones in a window. */
#ifndef AESFIT_STEPS_COLUMNS_OTF_H
#define AESFIT_STEPS_COLUMNS_OTF_H

#include "column_keys.h"
#include "sub_word.h"

typedef columns columns_otf_round(columns s);

/* schedule: Nk columns of key if encryption was asked for, then Nk columns of the schedule's end
 * (column i at i mod Nk) if decryption was.  Returns where the latter stand, NULL without. */
AESFIT_INLINE uint32_t *columns_otf_expand_key(aesfit_key *key, const uint8_t *bytes,
                                               unsigned directions)
{
    uint32_t *w = key->schedule, *end;
    unsigned nk = key->key_words;
    for (unsigned i = 0; i < nk; i++)
        w[i] = load32_le(bytes + 4 * i);
    if ((directions & AESFIT_DECRYPT) == 0)
        return NULL;
    end = (directions & AESFIT_ENCRYPT) != 0 ? w + nk : w;
    column_keys_run(end, w, nk, key->rounds, sub_word);
    return end;
}

/* The columns that decryption starts from. */
AESFIT_INLINE const uint32_t *columns_otf_end(const aesfit_key *key)
{
    return key->schedule + ((key->directions & AESFIT_ENCRYPT) != 0 ? key->key_words : 0);
}

AESFIT_INLINE void columns_otf_encrypt128(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks, columns_otf_round *middle)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        columns k = columns_get(key->schedule), s = columns_add(columns_load(in), k);
        unsigned last = key->rounds - 1u;
        for (unsigned round = 0; round != last; round++) {
            s = middle(s);
            k = column_keys_step(k, round, sub_word);
            s = columns_add(s, k);
        }
        k = column_keys_step(k, last, sub_word);
        columns_store(out, columns_add(columns_gather(s, sub_column), k));
    }
}

/* Longer keys: a call per round key keeps the code small. */
AESFIT_NOINLINE AESFIT_LOCAL columns columns_otf_next(column_keys_window *window)
{
    return column_keys_next(window, sub_word);
}

AESFIT_INLINE void columns_otf_encrypt_longer(const aesfit_key *key, uint8_t *out,
                                              const uint8_t *in, size_t blocks,
                                              columns_otf_round *middle)
{
    column_keys_window window;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        column_keys_first(&window, key->schedule, key->key_words);
        columns s = columns_add(columns_load(in), columns_otf_next(&window));
        for (unsigned round = key->rounds; round > 1; round--) {
            s = middle(s);
            s = columns_add(s, columns_otf_next(&window));
        }
        s = columns_gather(s, sub_column);
        columns_store(out, columns_add(s, columns_otf_next(&window)));
    }
    wipe(&window, sizeof window);
}

#endif
