/* SPDX-License-Identifier: MIT */
/* CTR on 512-bit registers: 48 blocks in flight, then a tail of up to 47 in one batch.  Counters
 * count in their lower 64 bits; aesni_ctr.c ends a run where those wrap.  Data go into the key of
 * the last round.
 *
 * A counter is big-endian and the machine is not.  In four batches of five the last byte of the
 * counter does not overflow, and bytes can be added in place; in the fifth, and in tails, 64-bit
 * additions are followed by a reversal of the bytes, a shuffle, of which there are few units. */
#include "bulk.h"

#if CPU_X86_WIDE

#include "../parts/steps/vaes.h"

/* n registers of counters from c, the same in all lanes, on. */
VAES_INLINE void vaes_ctr_counters(__m512i *x, __m512i c, int n)
{
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        __m512i step = _mm512_set_epi64(0, 4 * i + 3, 0, 4 * i + 2, 0, 4 * i + 1, 0, 4 * i);
        x[i] = vaes_reverse(_mm512_add_epi64(c, step));
    }
}

/* A full batch of counters. */
VAES_INLINE void vaes_ctr_many_counters(__m512i *x, __m512i c)
{
    if ((_mm_cvtsi128_si32(_mm512_castsi512_si128(c)) & 0xff) > 0x100 - VAES_BATCH) {
        vaes_ctr_counters(x, c, VAES_N);
        return;
    }
    c = vaes_reverse(c);
    AESNI_UNROLL
    for (int i = 0; i < VAES_N; i++) {
        const long long one = 1LL << 56, at = 4 * i * one; /* in the last byte */
        __m512i step = _mm512_set_epi64(at + 3 * one, 0, at + 2 * one, 0, at + one, 0, at, 0);
        x[i] = _mm512_add_epi8(c, step);
    }
}

VAES_INLINE void vaes_ctr_batch(const vaes_keys *keys, __m512i c, uint8_t *out, const uint8_t *in)
{
    __m512i x[VAES_N];
    vaes_ctr_many_counters(x, c);
    AESNI_UNROLL
    for (int i = 0; i < VAES_N; i++)
        x[i] = _mm512_xor_si512(keys->k[0], x[i]);
    vaes_middle_n(keys, x, VAES_N, AESFIT_ENCRYPT);
    AESNI_UNROLL
    for (int i = 0; i < VAES_N; i++) {
        __m512i last = _mm512_xor_si512(keys->last, vaes_load(in + 64 * i));
        vaes_store(out + 64 * i, vaes_last(x[i], last, AESFIT_ENCRYPT));
    }
}

/* n registers, `part` (1 to 4) blocks in the last. */
VAES_INLINE void vaes_ctr_tail(const aesfit_key *key, __m512i c, uint8_t *out, const uint8_t *in,
                               int n, size_t part)
{
    const __m128i *k = aesni_keys(key, AESFIT_ENCRYPT);
    const __m512i first = vaes_key(k[0]), last = vaes_key(k[key->rounds]);
    __m512i x[VAES_N], end = _mm512_xor_si512(last, vaes_load_part(in + 64 * (n - 1), part));
    vaes_ctr_counters(x, c, n);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = _mm512_xor_si512(first, x[i]);
    vaes_middle_once_n(k, key->rounds, x, n, AESFIT_ENCRYPT);
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++) {
        __m512i data = _mm512_xor_si512(last, vaes_load(in + 64 * i));
        vaes_store(out + 64 * i, vaes_last(x[i], data, AESFIT_ENCRYPT));
    }
    vaes_store_part(out + 64 * (n - 1), part, vaes_last(x[n - 1], end, AESFIT_ENCRYPT));
}

VAES_TARGET void aesfit_bulk_vaes_ctr(const aesfit_key *key, uint64_t high, uint64_t low,
                                      uint8_t *out, const uint8_t *in, size_t blocks)
{
    const __m128i counter = _mm_set_epi64x((long long)high, (long long)low);
    __m512i c = _mm512_broadcast_i32x4(counter);
    if (blocks >= VAES_BATCH) {
        const vaes_keys keys = vaes_load_keys(key, AESFIT_ENCRYPT);
        const __m512i batch = _mm512_broadcast_i32x4(_mm_set_epi64x(0, VAES_BATCH));
        for (; blocks >= VAES_BATCH; blocks -= VAES_BATCH) {
            vaes_ctr_batch(&keys, c, out, in);
            c = _mm512_add_epi64(c, batch);
            in += 16 * VAES_BATCH;
            out += 16 * VAES_BATCH;
        }
    }
#define VAES_CTR_TAIL(n, part) vaes_ctr_tail(key, c, out, in, n, part)
    VAES_TAIL(blocks, VAES_CTR_TAIL);
#undef VAES_CTR_TAIL
}

#endif
