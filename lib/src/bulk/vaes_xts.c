/* SPDX-License-Identifier: MIT */
/* XTS on 512-bit registers: 48 blocks in flight with their tweaks, then a tail of up to 47 in one
 * batch.
 *
 * The tweaks t x^0 to t x^47 come straight from t by shifts of a different count in each lane;
 * from one batch to the next each register is multiplied by x^48, a shift by six bytes.  What
 * leaves a lane at the top comes back times 0x87 (aesni_xts.c) by a carry-less product.  The
 * second XOR with a tweak goes into the key of the last round. */
#include "bulk.h"

#if CPU_X86_WIDE

#include "../parts/clear_wide.h"

/* Lane by lane t x^count, 0 <= count < 64; both halves of a lane hold its count. */
VAES_INLINE __m512i vaes_xts_shift(__m512i t, __m512i count)
{
    const __m512i poly = _mm512_set1_epi64(0x87);
    __m512i swapped = _mm512_shuffle_epi32(t, _MM_PERM_BADC);
    /* A shift by 64 gives 0. */
    __m512i over = _mm512_srlv_epi64(swapped, _mm512_sub_epi64(_mm512_set1_epi64(64), count));
    __m512i shifted = _mm512_sllv_epi64(t, count);
    shifted = _mm512_mask_xor_epi64(shifted, 0xaa, shifted, over); /* low half into high half */
    return _mm512_xor_si512(shifted, _mm512_clmulepi64_epi128(over, poly, 0x00));
}

/* t x^48 */
VAES_INLINE __m512i vaes_xts_times_x48(__m512i t)
{
    __m512i top = _mm512_bsrli_epi128(t, 10);
    __m512i folded = _mm512_clmulepi64_epi128(top, _mm512_set1_epi64(0x87), 0x00);
    return _mm512_xor_si512(_mm512_bslli_epi128(t, 6), folded);
}

/* The first n registers of tweaks from `tweak` on. */
VAES_INLINE void vaes_xts_tweaks(__m512i *t, __m128i tweak, int n)
{
    __m512i all = _mm512_broadcast_i32x4(tweak);
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        const long long at = 4 * i;
        t[i] = vaes_xts_shift(
            all, _mm512_set_epi64(at + 3, at + 3, at + 2, at + 2, at + 1, at + 1, at, at));
    }
}

/* a ^ b ^ c */
VAES_INLINE __m512i vaes_xts_xor3(__m512i a, __m512i b, __m512i c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

/* t holds the tweaks of this batch, afterwards those of the next, which are made between the
 * rounds of this one. */
VAES_INLINE void vaes_xts_batch(const vaes_keys *keys, __m512i *t, uint8_t *out, const uint8_t *in,
                                unsigned direction)
{
    __m512i x[VAES_N], last[VAES_N];
    AESNI_UNROLL
    for (int i = 0; i < VAES_N; i++)
        x[i] = vaes_xts_xor3(keys->k[0], t[i], vaes_load(in + 64 * i));
    AESNI_UNROLL
    for (int r = 1; r < 10; r++) {
        vaes_round_n(x, VAES_N, keys->k[r], direction);
        AESNI_UNROLL
        for (int i = (r - 1) * VAES_N / 9; i < r * VAES_N / 9; i++) {
            last[i] = _mm512_xor_si512(keys->last, t[i]);
            t[i] = vaes_xts_times_x48(t[i]);
        }
    }
    vaes_extra_n(keys, x, VAES_N, direction);
    AESNI_UNROLL
    for (int i = 0; i < VAES_N; i++)
        vaes_store(out + 64 * i, vaes_last(x[i], last[i], direction));
}

/* n registers, `part` (1 to 4) blocks in the last. */
VAES_INLINE void vaes_xts_tail(const aesfit_key *key, __m128i tweak, uint8_t *out,
                               const uint8_t *in, int n, size_t part, unsigned direction)
{
    const __m128i *k = aesni_keys(key, direction);
    const __m512i first = vaes_key(k[0]), last = vaes_key(k[key->rounds]);
    __m512i x[VAES_N], t[VAES_N];
    vaes_xts_tweaks(t, tweak, n);
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        x[i] = vaes_xts_xor3(first, t[i], vaes_load(in + 64 * i));
    x[n - 1] = vaes_xts_xor3(first, t[n - 1], vaes_load_part(in + 64 * (n - 1), part));
    vaes_middle_once_n(k, key->rounds, x, n, direction);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = vaes_last(x[i], _mm512_xor_si512(last, t[i]), direction);
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        vaes_store(out + 64 * i, x[i]);
    vaes_store_part(out + 64 * (n - 1), part, x[n - 1]);
}

/* All batches; returns the tweak of what is left, less than a batch. */
VAES_INLINE __m128i vaes_xts_batches(const aesfit_key *key, __m128i tweak, uint8_t *out,
                                     const uint8_t *in, size_t batches, unsigned direction)
{
    const vaes_keys keys = vaes_load_keys(key, direction);
    __m512i t[VAES_N];
    vaes_xts_tweaks(t, tweak, VAES_N);
    for (; batches > 0; batches--) {
        vaes_xts_batch(&keys, t, out, in, direction);
        in += 16 * VAES_BATCH;
        out += 16 * VAES_BATCH;
    }
    return _mm512_castsi512_si128(t[0]);
}

VAES_CLEAR(vaes_xts_clear, 1344)

VAES_DEEP __m128i vaes_xts_long_encrypt(const aesfit_key *key, __m128i tweak, uint8_t *out,
                                        const uint8_t *in, size_t batches)
{
    return vaes_xts_batches(key, tweak, out, in, batches, AESFIT_ENCRYPT);
}

VAES_DEEP __m128i vaes_xts_long_decrypt(const aesfit_key *key, __m128i tweak, uint8_t *out,
                                        const uint8_t *in, size_t batches)
{
    return vaes_xts_batches(key, tweak, out, in, batches, AESFIT_DECRYPT);
}

VAES_INLINE void vaes_xts(const aesfit_key *key, uint8_t tweak[16], uint8_t *out, const uint8_t *in,
                          size_t blocks, unsigned direction)
{
    __m128i next = aesni_load(tweak);
    const size_t batches = blocks / VAES_BATCH;
    if (batches > 0) {
        next = direction == AESFIT_ENCRYPT ? vaes_xts_long_encrypt(key, next, out, in, batches)
                                           : vaes_xts_long_decrypt(key, next, out, in, batches);
        vaes_xts_clear();
        blocks -= VAES_BATCH * batches;
        in += 16 * VAES_BATCH * batches;
        out += 16 * VAES_BATCH * batches;
    }
#define VAES_XTS_TAIL(n, part) vaes_xts_tail(key, next, out, in, n, part, direction)
    VAES_TAIL(blocks, VAES_XTS_TAIL);
#undef VAES_XTS_TAIL
    __m512i after =
        vaes_xts_shift(_mm512_broadcast_i32x4(next), _mm512_set1_epi64((long long)blocks));
    aesni_store(tweak, _mm512_castsi512_si128(after));
}

VAES_TARGET void aesfit_bulk_vaes_xts_encrypt(const aesfit_key *key, uint8_t tweak[16],
                                              uint8_t *out, const uint8_t *in, size_t blocks)
{
    vaes_xts(key, tweak, out, in, blocks, AESFIT_ENCRYPT);
}

VAES_TARGET void aesfit_bulk_vaes_xts_decrypt(const aesfit_key *key, uint8_t tweak[16],
                                              uint8_t *out, const uint8_t *in, size_t blocks)
{
    vaes_xts(key, tweak, out, in, blocks, AESFIT_DECRYPT);
}

#endif
