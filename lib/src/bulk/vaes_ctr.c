/* SPDX-License-Identifier: MIT */
/* CTR on 512-bit registers: 32 blocks in flight.  Counters count in their lower 64 bits;
 * aesni_ctr.c ends a run where those wrap.
 *
 * A counter is big-endian and the machine is not.  In seven batches of eight the last byte of the
 * counter does not overflow, and bytes can be added in place; in the eighth, and in tails, 64-bit
 * additions are followed by a reversal of the bytes, a shuffle, of which there are few units. */
#include "bulk.h"

#if defined(__x86_64__)

#include "../parts/vaes.h"

enum { VAES_CTR_N = 8, VAES_CTR_BLOCKS = VAES_BLOCKS * VAES_CTR_N }; /* in flight */

/* 4 i + 0, 1, 2, 3 in the lanes: at the lower end of a number, and in the last byte. */
VAES_INLINE __m512i vaes_ctr_step(int i)
{
    return _mm512_set_epi64(0, 4 * i + 3, 0, 4 * i + 2, 0, 4 * i + 1, 0, 4 * i);
}

VAES_INLINE __m512i vaes_ctr_byte_step(int i)
{
    const long long first = 4LL * i << 56, one = 1LL << 56;
    return _mm512_set_epi64(first + 3 * one, 0, first + 2 * one, 0, first + one, 0, first, 0);
}

/* n registers of counters from c, the same in all lanes, on. */
VAES_INLINE void vaes_ctr_counters(__m512i *x, __m512i c, int n)
{
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = vaes_reverse(_mm512_add_epi64(c, vaes_ctr_step(i)));
}

VAES_INLINE void vaes_ctr_full_counters(__m512i *x, __m512i c)
{
    if ((_mm_cvtsi128_si32(_mm512_castsi512_si128(c)) & 0xff) > 0x100 - VAES_CTR_BLOCKS) {
        vaes_ctr_counters(x, c, VAES_CTR_N);
        return;
    }
    c = vaes_reverse(c);
    AESNI_UNROLL
    for (int i = 0; i < VAES_CTR_N; i++)
        x[i] = _mm512_add_epi8(c, vaes_ctr_byte_step(i));
}

/* n registers, the last of them under a mask; x holds their counters. */
VAES_INLINE void vaes_ctr_batch(const vaes_keys *keys, __m512i *x, uint8_t *out, const uint8_t *in,
                                int n, __mmask8 mask)
{
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = _mm512_xor_si512(x[i], keys->k[0]);
    vaes_middle_n(keys, x, n, AESFIT_ENCRYPT);
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        __m512i data = i < n - 1 ? vaes_load(in + 64 * i) : vaes_load_part(in + 64 * i, mask);
        x[i] = vaes_last(x[i], _mm512_xor_si512(keys->last, data), AESFIT_ENCRYPT);
    }
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        vaes_store(out + 64 * i, x[i]);
    vaes_store_part(out + 64 * (n - 1), mask, x[n - 1]);
}

VAES_TARGET void aesfit_bulk_vaes_ctr(const aesfit_key *key, const uint8_t counter[16],
                                      uint8_t *out, const uint8_t *in, size_t blocks)
{
    const vaes_keys keys = vaes_load_keys(key, AESFIT_ENCRYPT);
    const __m512i batch = _mm512_broadcast_i32x4(_mm_set_epi64x(0, VAES_CTR_BLOCKS));
    __m512i c = _mm512_broadcast_i32x4(aesni_reverse(aesni_load(counter))), x[VAES_CTR_N];
    for (; blocks >= VAES_CTR_BLOCKS; blocks -= VAES_CTR_BLOCKS) {
        vaes_ctr_full_counters(x, c);
        vaes_ctr_batch(&keys, x, out, in, VAES_CTR_N, vaes_mask(VAES_BLOCKS));
        c = _mm512_add_epi64(c, batch);
        in += 16 * VAES_CTR_BLOCKS;
        out += 16 * VAES_CTR_BLOCKS;
    }
    size_t registers = (blocks + 3) / 4;
    __mmask8 mask = vaes_mask(blocks - 4 * registers + 4);
#define VAES_CTR_TAIL(n)                                                                           \
    do {                                                                                           \
        vaes_ctr_counters(x, c, n);                                                                \
        vaes_ctr_batch(&keys, x, out, in, n, mask);                                                \
    } while (0)
    if (registers == 8)
        VAES_CTR_TAIL(8);
    AESNI_TAIL(registers, VAES_CTR_TAIL)
#undef VAES_CTR_TAIL
}

#endif
