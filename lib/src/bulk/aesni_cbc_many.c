/* SPDX-License-Identifier: MIT */
/* CBC encryption of up to 8 independent streams, one block of each in flight: the chains of
 * aesni_cbc.c side by side, so that the latency of one is filled by the others. */
#include "bulk.h"

#if defined(__x86_64__) || defined(__i386__)

#include "../parts/steps/aesni.h"
#include "../parts/cpu_x86.h"

/* n streams of `blocks` > 0 blocks; x[i] is stream i's state after the first AddRoundKey. */
AESNI_INLINE void aesni_many_chains(const aesfit_key *key, uint8_t *const *ivs, uint8_t *const *out,
                                    const uint8_t *const *in, size_t blocks, int n)
{
    const __m128i *k = aesni_keys(key, AESFIT_ENCRYPT);
    unsigned rounds = key->rounds;
    const __m128i first = k[0], last = k[rounds];
    __m128i x[AESNI_BLOCKS];
    size_t at = 0, end = 16 * (blocks - 1);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = _mm_xor_si128(first, _mm_xor_si128(aesni_load(ivs[i]), aesni_load(in[i])));
    for (; at < end; at += 16) {
        aesni_looped_n(k, rounds, x, n, AESFIT_ENCRYPT);
        AESNI_UNROLL
        for (int i = 0; i < n; i++) {
            __m128i next = _mm_xor_si128(first, aesni_load(in[i] + at + 16));
            x[i] = _mm_aesenclast_si128(x[i], _mm_xor_si128(last, next));
            aesni_store(out[i] + at, _mm_xor_si128(x[i], next));
        }
    }
    aesni_looped_n(k, rounds, x, n, AESFIT_ENCRYPT);
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        x[i] = _mm_aesenclast_si128(x[i], last);
        aesni_store(out[i] + at, x[i]);
        aesni_store(ivs[i], x[i]);
    }
}

AESNI_TARGET void aesfit_bulk_cbc_encrypt_many(const aesfit_key *key, uint8_t *const *ivs,
                                               uint8_t *const *out, const uint8_t *const *in,
                                               size_t blocks, size_t streams)
{
    if (blocks == 0)
        return;
#if CPU_X86_WIDE
    if (streams == 8 && (key->features & CPU_X86_VAES512) != 0) {
        aesfit_bulk_vaes_cbc_encrypt_8(key, ivs, out, in, blocks);
        return;
    }
#endif
#define AESNI_MANY(n)                                                                              \
    case n:                                                                                        \
        aesni_many_chains(key, ivs, out, in, blocks, n);                                           \
        break;
    switch (streams) {
        AESNI_MANY(1)
        AESNI_MANY(2)
        AESNI_MANY(3)
        AESNI_MANY(4)
        AESNI_MANY(5)
        AESNI_MANY(6)
        AESNI_MANY(7)
    default:
        aesni_many_chains(key, ivs, out, in, blocks, AESNI_BLOCKS);
    }
#undef AESNI_MANY
}

#endif
