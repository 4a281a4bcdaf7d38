/* SPDX-License-Identifier: MIT */
/* CTR on 512-bit registers: 32 blocks in flight.  Counters have their bytes reversed and count in
 * their lower 64 bits; aesni_ctr.c ends a run where those wrap. */
#include "bulk.h"

#if defined(__x86_64__)

#include "../parts/vaes.h"

enum { VAES_CTR_N = 8 }; /* registers in flight */

/* n registers, the last of them under a mask; c holds the first four counters. */
VAES_INLINE void vaes_ctr_batch(const aesfit_key *key, __m512i c, uint8_t *out, const uint8_t *in,
                                int n, __mmask8 mask)
{
    const __m512i four = _mm512_broadcast_i32x4(_mm_set_epi64x(0, VAES_BLOCKS));
    __m512i x[VAES_CTR_N];
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        x[i] = vaes_reverse(c);
        c = _mm512_add_epi64(c, four);
    }
    vaes_crypt_n(aesni_keys(key, AESFIT_ENCRYPT), key->rounds, x, n, AESFIT_ENCRYPT);
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        x[i] = _mm512_xor_si512(x[i], vaes_load(in + 64 * i));
    x[n - 1] = _mm512_xor_si512(x[n - 1], vaes_load_part(in + 64 * (n - 1), mask));
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        vaes_store(out + 64 * i, x[i]);
    vaes_store_part(out + 64 * (n - 1), mask, x[n - 1]);
}

VAES_TARGET void aesfit_bulk_vaes_ctr(const aesfit_key *key, const uint8_t counter[16],
                                      uint8_t *out, const uint8_t *in, size_t blocks)
{
    __m512i c = _mm512_broadcast_i32x4(aesni_reverse(aesni_load(counter)));
    const __m512i batch = _mm512_broadcast_i32x4(_mm_set_epi64x(0, VAES_BLOCKS * VAES_CTR_N));
    c = _mm512_add_epi64(c, _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0));
    for (; blocks >= VAES_BLOCKS * VAES_CTR_N; blocks -= VAES_BLOCKS * VAES_CTR_N) {
        vaes_ctr_batch(key, c, out, in, VAES_CTR_N, vaes_mask(VAES_BLOCKS));
        c = _mm512_add_epi64(c, batch);
        in += 64 * VAES_CTR_N;
        out += 64 * VAES_CTR_N;
    }
    size_t registers = (blocks + 3) / 4;
    __mmask8 mask = vaes_mask(blocks - 4 * registers + 4);
#define VAES_CTR_TAIL(n) vaes_ctr_batch(key, c, out, in, n, mask)
    if (registers == 8)
        VAES_CTR_TAIL(8);
    AESNI_TAIL(registers, VAES_CTR_TAIL)
#undef VAES_CTR_TAIL
}

#endif
