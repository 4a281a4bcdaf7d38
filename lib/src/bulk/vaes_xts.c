/* SPDX-License-Identifier: MIT */
/* XTS on 512-bit registers: 32 blocks in flight with their 32 tweaks in eight registers.
 *
 * The tweaks t x^0 to t x^31 come straight from t by shifts of a different count in each lane;
 * from one batch to the next each register is multiplied by x^32, a shift by four bytes.  What
 * leaves a lane at the top comes back times 0x87 (aesni_xts.c) by a carry-less product. */
#include "bulk.h"

#if defined(__x86_64__)

#include "../parts/vaes.h"

enum { VAES_XTS_N = 8 }; /* registers in flight */

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

/* t x^32 */
VAES_INLINE __m512i vaes_xts_times_x32(__m512i t)
{
    __m512i top = _mm512_bsrli_epi128(t, 12);
    __m512i folded = _mm512_clmulepi64_epi128(top, _mm512_set1_epi64(0x87), 0x00);
    return _mm512_xor_si512(_mm512_bslli_epi128(t, 4), folded);
}

/* The first n registers of tweaks from `tweak` on. */
VAES_INLINE void vaes_xts_tweaks(__m512i *t, __m128i tweak, int n)
{
    __m512i all = _mm512_broadcast_i32x4(tweak);
    __m512i count = _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        t[i] = vaes_xts_shift(all, _mm512_add_epi64(count, _mm512_set1_epi64(4 * i)));
}

/* n registers, the last of them under a mask. */
VAES_INLINE void vaes_xts_batch(const vaes_keys *keys, const __m512i *t, uint8_t *out,
                                const uint8_t *in, int n, __mmask8 mask, unsigned direction)
{
    __m512i x[VAES_XTS_N];
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        x[i] = _mm512_xor_si512(t[i], vaes_load(in + 64 * i));
    x[n - 1] = _mm512_xor_si512(t[n - 1], vaes_load_part(in + 64 * (n - 1), mask));
    vaes_crypt_n(keys, x, n, direction);
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        vaes_store(out + 64 * i, _mm512_xor_si512(x[i], t[i]));
    vaes_store_part(out + 64 * (n - 1), mask, _mm512_xor_si512(x[n - 1], t[n - 1]));
}

VAES_INLINE void vaes_xts_tail(const vaes_keys *keys, __m128i tweak, uint8_t *out,
                               const uint8_t *in, int n, __mmask8 mask, unsigned direction)
{
    __m512i t[VAES_XTS_N];
    vaes_xts_tweaks(t, tweak, n);
    vaes_xts_batch(keys, t, out, in, n, mask, direction);
}

VAES_INLINE void vaes_xts(const aesfit_key *key, uint8_t tweak[16], uint8_t *out, const uint8_t *in,
                          size_t blocks, unsigned direction)
{
    const vaes_keys keys = vaes_load_keys(key, direction);
    __m128i next = aesni_load(tweak);
    if (blocks >= VAES_BLOCKS * VAES_XTS_N) {
        __m512i t[VAES_XTS_N];
        vaes_xts_tweaks(t, next, VAES_XTS_N);
        for (; blocks >= VAES_BLOCKS * VAES_XTS_N; blocks -= VAES_BLOCKS * VAES_XTS_N) {
            vaes_xts_batch(&keys, t, out, in, VAES_XTS_N, vaes_mask(VAES_BLOCKS), direction);
            AESNI_UNROLL
            for (int i = 0; i < VAES_XTS_N; i++)
                t[i] = vaes_xts_times_x32(t[i]);
            in += 64 * VAES_XTS_N;
            out += 64 * VAES_XTS_N;
        }
        next = _mm512_castsi512_si128(t[0]);
    }
    size_t registers = (blocks + 3) / 4;
    __mmask8 mask = vaes_mask(blocks - 4 * registers + 4);
#define VAES_XTS_TAIL(n) vaes_xts_tail(&keys, next, out, in, n, mask, direction)
    if (registers == 8)
        VAES_XTS_TAIL(8);
    AESNI_TAIL(registers, VAES_XTS_TAIL)
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
