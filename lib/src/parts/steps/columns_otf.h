/* SPDX-License-Identifier: MIT */
/* What the cores with columns and round keys on the fly share: the keys that are kept, and
 * encryption.  They differ in a middle round, which they give as a function from columns to
 * columns (SubBytes, ShiftRows, MixColumns); being a constant argument of an inlined function, it
 * is inlined too.  Keys move in as many variables as they have columns. */
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

/* Longer keys: a loop spans as many round keys as repeat, so that each is made in place. */
AESFIT_INLINE void columns_otf_encrypt192(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks, columns_otf_round *middle)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        column_keys_long k = column_keys_get(key->schedule, 6);
        columns s = columns_add(columns_load(in), k.a);
        for (unsigned step = 0;;) {
            k.a = column_keys_next_a(k, step++, sub_word);
            s = columns_add(middle(s), column_keys_straddle(k.b, k.a));
            k.b = column_keys_next_b192(k);
            s = columns_add(middle(s), column_keys_join(k.a, k.b));
            k.a = column_keys_next_a(k, step++, sub_word);
            if (step == 8)
                break;
            s = columns_add(middle(s), k.a);
            k.b = column_keys_next_b192(k);
        }
        columns_store(out, columns_add(columns_gather(s, sub_column), k.a));
    }
}

AESFIT_INLINE void columns_otf_encrypt256(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks, columns_otf_round *middle)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        column_keys_long k = column_keys_get(key->schedule, 8);
        columns s = columns_add(columns_load(in), k.a);
        for (unsigned step = 0;;) {
            s = columns_add(middle(s), k.b);
            k.a = column_keys_next_a(k, step++, sub_word);
            if (step == 7)
                break;
            s = columns_add(middle(s), k.a);
            k.b = column_keys_next_b256(k, sub_word);
        }
        columns_store(out, columns_add(columns_gather(s, sub_column), k.a));
    }
}

/* Decryption of longer keys differs in SubWord as it is on the columns kept (`sub`), in a middle
 * round, to which the round key belongs, and in what the first and the last round key go through
 * whole (`outer`). */
typedef columns columns_otf_round_back(columns s, columns k);

AESFIT_INLINE uint32_t columns_otf_as_it_is(uint32_t column)
{
    return column;
}

AESFIT_INLINE void columns_otf_decrypt192(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks, column_keys_sub *sub,
                                          columns_otf_round_back *middle, columns_function *outer)
{
    const uint32_t *end = columns_otf_end(key);
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        column_keys_long k = column_keys_get(end, 6);
        columns s = columns_add(columns_load(in), columns_map(k.a, outer));
        for (unsigned step = 8;;) {
            k.a = column_keys_previous_a(k, --step, sub);
            s = middle(s, column_keys_join(k.a, k.b));
            k.b = column_keys_previous_b192(k);
            s = middle(s, column_keys_straddle(k.b, k.a));
            k.a = column_keys_previous_a(k, --step, sub);
            if (step == 0)
                break;
            s = middle(s, k.a);
            k.b = column_keys_previous_b192(k);
        }
        s = columns_gather_back(s, inv_sub_column);
        columns_store(out, columns_add(s, columns_map(k.a, outer)));
    }
}

AESFIT_INLINE void columns_otf_decrypt256(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks, column_keys_sub *sub,
                                          columns_otf_round_back *middle, columns_function *outer)
{
    const uint32_t *end = columns_otf_end(key);
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        column_keys_long k = column_keys_get(end, 8);
        columns s = columns_add(columns_load(in), columns_map(k.a, outer));
        for (unsigned step = 7;;) {
            s = middle(s, k.b);
            k.a = column_keys_previous_a(k, --step, sub);
            if (step == 0)
                break;
            s = middle(s, k.a);
            k.b = column_keys_previous_b256(k, sub);
        }
        s = columns_gather_back(s, inv_sub_column);
        columns_store(out, columns_add(s, columns_map(k.a, outer)));
    }
}

#endif
