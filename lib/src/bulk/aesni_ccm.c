/* SPDX-License-Identifier: MIT */
/* CCM's data: CTR and CBC-MAC side by side.  The MAC is one chain of dependent rounds, as in
 * aesni_cbc.c, and the counter blocks fit into its gaps, so both together take the time of the
 * MAC.  When decrypting, the keystream is made one block ahead of the MAC that needs it. */
#include "bulk.h"

#if defined(__x86_64__) || defined(__i386__)

#include "../parts/steps/aesni.h"

/* The counter, bytes reversed; its last 64 bits do not wrap in CCM. */
AESNI_INLINE __m128i aesni_ccm_next(__m128i c)
{
    return _mm_add_epi64(c, _mm_set_epi64x(0, 1));
}

/* x[0] is the MAC, x[1] a counter block. */
AESNI_TARGET void aesfit_bulk_ccm_encrypt(const aesfit_key *key, uint8_t counter[16],
                                          uint8_t mac[16], uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
    const __m128i *k = aesni_keys(key, AESFIT_ENCRYPT);
    unsigned rounds = key->rounds;
    __m128i c = aesni_reverse(aesni_load(counter)), x[2];
    const __m128i first = k[0], last = k[rounds];
    if (blocks == 0)
        return;
    __m128i plain = aesni_load(in);
    x[0] = _mm_xor_si128(_mm_xor_si128(aesni_load(mac), first), plain);
    for (; blocks > 0; blocks--) {
        /* The last block's successor is nothing: zero cancels in what follows the loop. */
        __m128i next = blocks > 1 ? _mm_xor_si128(first, aesni_load(in += 16)) : first;
        x[1] = _mm_xor_si128(first, aesni_reverse(c));
        aesni_middle_n(k, rounds, x, 2, AESFIT_ENCRYPT);
        x[0] = _mm_aesenclast_si128(x[0], _mm_xor_si128(last, next));
        x[1] = _mm_aesenclast_si128(x[1], _mm_xor_si128(last, plain));
        aesni_store(out, x[1]);
        out += 16;
        plain = _mm_xor_si128(next, first);
        c = aesni_ccm_next(c);
    }
    aesni_store(mac, _mm_xor_si128(x[0], first));
    aesni_store(counter, aesni_reverse(c));
}

AESNI_TARGET void aesfit_bulk_ccm_decrypt(const aesfit_key *key, uint8_t counter[16],
                                          uint8_t mac[16], uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
    const __m128i *k = aesni_keys(key, AESFIT_ENCRYPT);
    unsigned rounds = key->rounds;
    const __m128i first = k[0], last = k[rounds];
    __m128i c = aesni_reverse(aesni_load(counter)), after, keystream, x[2];
    if (blocks == 0)
        return;
    after = _mm_add_epi64(c, _mm_set_epi64x(0, (long long)blocks));
    x[0] = aesni_reverse(c);
    x[1] = aesni_reverse(c = aesni_ccm_next(c));
    aesni_crypt_n(k, rounds, x, 2, AESFIT_ENCRYPT);
    keystream = x[1];
    x[0] = _mm_xor_si128(x[0], aesni_load(in));
    aesni_store(out, x[0]);
    x[0] = _mm_xor_si128(_mm_xor_si128(x[0], first), aesni_load(mac));
    for (; blocks > 1; blocks--) {
        __m128i plain = _mm_xor_si128(keystream, aesni_load(in += 16));
        aesni_store(out += 16, plain);
        x[1] = _mm_xor_si128(first, aesni_reverse(c = aesni_ccm_next(c)));
        aesni_middle_n(k, rounds, x, 2, AESFIT_ENCRYPT);
        x[0] = _mm_aesenclast_si128(x[0], _mm_xor_si128(_mm_xor_si128(last, first), plain));
        keystream = _mm_aesenclast_si128(x[1], last);
    }
    x[0] = aesni_middle1(k, rounds, x[0]);
    aesni_store(mac, _mm_aesenclast_si128(x[0], last));
    aesni_store(counter, aesni_reverse(after));
}

#endif
