/* SPDX-License-Identifier: MIT */
/* CBC encryption of exactly 8 independent streams, two in each of four 256-bit registers: the
 * chains of aesni_cbc_many.c with half the instructions, so that the latency of the rounds alone
 * decides, and nothing that is in a round's way on a full unit. */
#include "bulk.h"

#if CPU_X86_WIDE

#include "../parts/steps/vaes.h"

enum { VAES_MANY_PAIRS = 4 };

VAES_INLINE __m256i vaes_many_both(__m128i x)
{
    return _mm256_broadcastsi128_si256(x);
}

VAES_INLINE __m256i vaes_many_pair(const uint8_t *a, const uint8_t *b)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(aesni_load(a)), aesni_load(b), 1);
}

VAES_INLINE void vaes_many_store(uint8_t *a, uint8_t *b, __m256i x)
{
    aesni_store(a, _mm256_castsi256_si128(x));
    aesni_store(b, _mm256_extracti128_si256(x, 1));
}

VAES_INLINE void vaes_many_round(__m256i *x, __m128i k)
{
    AESNI_UNROLL
    for (int i = 0; i < VAES_MANY_PAIRS; i++)
        x[i] = _mm256_aesenc_epi128(x[i], vaes_many_both(k));
}

VAES_INLINE void vaes_many_middle(__m256i *x, const __m128i *k, unsigned rounds)
{
    AESNI_UNROLL
    for (int r = 1; r < 10; r++)
        vaes_many_round(x, k[r]);
    if (rounds > 10) {
        vaes_many_round(x, k[10]);
        vaes_many_round(x, k[11]);
        if (rounds > 12) {
            vaes_many_round(x, k[12]);
            vaes_many_round(x, k[13]);
        }
    }
}

/* blocks > 0; x[i] holds the states of streams 2i and 2i + 1 after the first AddRoundKey. */
VAES_TARGET void aesfit_bulk_vaes_cbc_encrypt_8(const aesfit_key *key, uint8_t *const *ivs,
                                                uint8_t *const *out, const uint8_t *const *in,
                                                size_t blocks)
{
    const __m128i *k = aesni_keys(key, AESFIT_ENCRYPT);
    const __m256i first = vaes_many_both(k[0]), last = vaes_many_both(k[key->rounds]);
    __m256i x[VAES_MANY_PAIRS];
    size_t at = 0, end = 16 * (blocks - 1);
    AESNI_UNROLL
    for (int i = 0; i < VAES_MANY_PAIRS; i++)
        x[i] = _mm256_xor_si256(_mm256_xor_si256(first, vaes_many_pair(ivs[2 * i], ivs[2 * i + 1])),
                                vaes_many_pair(in[2 * i], in[2 * i + 1]));
    for (; at < end; at += 16) {
        vaes_many_middle(x, k, key->rounds);
        AESNI_UNROLL
        for (int i = 0; i < VAES_MANY_PAIRS; i++) {
            __m256i next = vaes_many_pair(in[2 * i] + at + 16, in[2 * i + 1] + at + 16);
            next = _mm256_xor_si256(first, next);
            x[i] = _mm256_aesenclast_epi128(x[i], _mm256_xor_si256(last, next));
            vaes_many_store(out[2 * i] + at, out[2 * i + 1] + at, _mm256_xor_si256(x[i], next));
        }
    }
    vaes_many_middle(x, k, key->rounds);
    AESNI_UNROLL
    for (int i = 0; i < VAES_MANY_PAIRS; i++) {
        x[i] = _mm256_aesenclast_epi128(x[i], last);
        vaes_many_store(out[2 * i] + at, out[2 * i + 1] + at, x[i]);
        vaes_many_store(ivs[2 * i], ivs[2 * i + 1], x[i]);
    }
}

#endif
