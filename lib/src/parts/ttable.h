/* SPDX-License-Identifier: MIT */
/* What the cores with word tables share: key expansion and rounds.  They differ in how a column
 * of a round is looked up, which they give as functions; being constant arguments of inlined
 * functions, those are inlined too.
 *
 * Decryption is the equivalent inverse cipher (FIPS 197, 5.3.5): its middle rounds look up
 * InvSubBytes and InvMixColumns together, and its round keys went through InvMixColumns. */
#ifndef AESFIT_PARTS_TTABLE_H
#define AESFIT_PARTS_TTABLE_H

#include "column_keys.h"

/* One column of a round, before AddRoundKey: row r comes from row r of the r-th argument. */
typedef uint32_t ttable_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/* schedule: round keys to encrypt with if asked for, then those to decrypt with if asked for, both
 * in the order of FIPS 197. */
AESFIT_INLINE void ttable_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions,
                                     column_keys_sub *sub, uint32_t (*inv_mix)(uint32_t))
{
    uint32_t *w = key->schedule;
    unsigned words = 4 * (key->rounds + 1u);
    column_keys_expand(w, bytes, key->key_words, words, sub);
    if ((directions & AESFIT_DECRYPT) != 0)
        column_keys_invert((directions & AESFIT_ENCRYPT) != 0 ? w + words : w, w, key->rounds,
                           inv_mix);
}

/* Two rounds per iteration, from s to t and back, so that no word is moved; the number of rounds
 * is even (no study rounds). */
AESFIT_INLINE void ttable_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks, ttable_column *middle, ttable_column *last)
{
    const uint32_t *end = key->schedule + 4 * key->rounds;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule;
        uint32_t s0 = load32_le(in) ^ k[0], s1 = load32_le(in + 4) ^ k[1];
        uint32_t s2 = load32_le(in + 8) ^ k[2], s3 = load32_le(in + 12) ^ k[3];
        uint32_t t0, t1, t2, t3;
        for (;;) {
            t0 = middle(s0, s1, s2, s3) ^ k[4];
            t1 = middle(s1, s2, s3, s0) ^ k[5];
            t2 = middle(s2, s3, s0, s1) ^ k[6];
            t3 = middle(s3, s0, s1, s2) ^ k[7];
            k += 8;
            if (k == end)
                break;
            s0 = middle(t0, t1, t2, t3) ^ k[0];
            s1 = middle(t1, t2, t3, t0) ^ k[1];
            s2 = middle(t2, t3, t0, t1) ^ k[2];
            s3 = middle(t3, t0, t1, t2) ^ k[3];
        }
        store32_le(out, last(t0, t1, t2, t3) ^ k[0]);
        store32_le(out + 4, last(t1, t2, t3, t0) ^ k[1]);
        store32_le(out + 8, last(t2, t3, t0, t1) ^ k[2]);
        store32_le(out + 12, last(t3, t0, t1, t2) ^ k[3]);
    }
}

AESFIT_INLINE void ttable_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks, ttable_column *middle, ttable_column *last)
{
    const uint32_t *first = key->schedule;
    if ((key->directions & AESFIT_ENCRYPT) != 0)
        first += 4 * (key->rounds + 1u);
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = first + 4 * key->rounds;
        uint32_t s0 = load32_le(in) ^ k[0], s1 = load32_le(in + 4) ^ k[1];
        uint32_t s2 = load32_le(in + 8) ^ k[2], s3 = load32_le(in + 12) ^ k[3];
        uint32_t t0, t1, t2, t3;
        for (;;) {
            k -= 8;
            t0 = middle(s0, s3, s2, s1) ^ k[4];
            t1 = middle(s1, s0, s3, s2) ^ k[5];
            t2 = middle(s2, s1, s0, s3) ^ k[6];
            t3 = middle(s3, s2, s1, s0) ^ k[7];
            if (k == first)
                break;
            s0 = middle(t0, t3, t2, t1) ^ k[0];
            s1 = middle(t1, t0, t3, t2) ^ k[1];
            s2 = middle(t2, t1, t0, t3) ^ k[2];
            s3 = middle(t3, t2, t1, t0) ^ k[3];
        }
        store32_le(out, last(t0, t3, t2, t1) ^ k[0]);
        store32_le(out + 4, last(t1, t0, t3, t2) ^ k[1]);
        store32_le(out + 8, last(t2, t1, t0, t3) ^ k[2]);
        store32_le(out + 12, last(t3, t2, t1, t0) ^ k[3]);
    }
}

#endif
