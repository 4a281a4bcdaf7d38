/* SPDX-License-Identifier: MIT */
/* What the cores with word tables share: key expansion and rounds.  They differ in how a column
 * of a round is looked up, which they give as functions; being constant arguments of inlined
 * functions, those are inlined too.
 *
 * Decryption is the equivalent inverse cipher (FIPS 197, 5.3.5): its middle rounds look up
 * InvSubBytes and InvMixColumns together, and its round keys went through InvMixColumns. */
#ifndef AESFIT_STEPS_TTABLE_H
#define AESFIT_STEPS_TTABLE_H

#include "column_keys.h"

/* schedule: round keys to encrypt with if asked for, then those to decrypt with if asked for, both
 * in the order of FIPS 197. */
AESFIT_INLINE void ttable_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions,
                                     column_keys_sub *sub, columns_function *inv_mix)
{
    uint32_t *w = key->schedule;
    unsigned words = 4 * (key->rounds + 1u);
    column_keys_expand(w, bytes, key->key_words, key->rounds, sub);
    if (inv_mix != NULL && (directions & AESFIT_DECRYPT) != 0)
        column_keys_invert((directions & AESFIT_ENCRYPT) != 0 ? w + words : w, w, key->rounds,
                           inv_mix);
}

/* The state and the round key at k.  On Thumb-2 the four words of the key are loaded one after the
 * other behind the round, where compilers would load each where it is added: 4 loads then take 5
 * cycles, not 8. */
AESFIT_INLINE columns ttable_add_key(columns s, const uint32_t *k)
{
    AESFIT_ORDERED_BARRIER4(s.c0, s.c1, s.c2, s.c3);
    columns key = columns_get(k);
    AESFIT_ORDERED_BARRIER4(key.c0, key.c1, key.c2, key.c3);
    return columns_add(s, key);
}

/* From the state s, to which the round key at k is added already, to the end.  Two rounds per
 * iteration, from s to t and back, so that no word is moved; the number of rounds is even (no study
 * rounds). */
AESFIT_INLINE columns ttable_rounds(columns s, const uint32_t *k, const uint32_t *end,
                                    columns_gathering *middle, columns_gathering *last)
{
    columns t;
    for (;;) {
        t = ttable_add_key(columns_gather(s, middle), k + 4);
        k += 8;
        if (k == end)
            break;
        s = ttable_add_key(columns_gather(t, middle), k);
    }
    return ttable_add_key(columns_gather(t, last), k);
}

AESFIT_INLINE void ttable_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks, columns_gathering *middle, columns_gathering *last)
{
    const uint32_t *end = key->schedule + 4 * key->rounds;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule;
        columns s = ttable_add_key(columns_load(in), k);
        columns_store(out, ttable_rounds(s, k, end, middle, last));
    }
}

AESFIT_INLINE void ttable_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks, columns_gathering *middle, columns_gathering *last)
{
    const uint32_t *first = key->schedule;
    if ((key->directions & AESFIT_ENCRYPT) != 0)
        first += 4 * (key->rounds + 1u);
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = first + 4 * key->rounds;
        columns s = ttable_add_key(columns_load(in), k), t;
        for (;;) {
            k -= 8;
            t = ttable_add_key(columns_gather_back(s, middle), k + 4);
            if (k == first)
                break;
            s = ttable_add_key(columns_gather_back(t, middle), k);
        }
        columns_store(out, ttable_add_key(columns_gather_back(t, last), k));
    }
}

#endif
