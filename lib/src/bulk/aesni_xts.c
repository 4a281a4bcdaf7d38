/* SPDX-License-Identifier: MIT */
/* XTS on 128-bit registers (IEEE 1619), 8 or 10 blocks in flight with their tweaks.
 *
 * A tweak is an element of GF(2)[x] / (x^128 + x^7 + x^2 + x + 1), lowest byte first.  Doubling it
 * shifts both 64-bit halves; the bits that leave them cross over, the upper one as 0x87.
 * - The bits that leave in 8 doublings are all there before the first, so only a shift and an XOR
 *   per block are chained; from batch to batch, times x^8 is a shift by one byte and a product.
 * - The two XORs with the tweak are joined with those of the first and the last round key: what is
 *   doubled is u = t ^ k[0].  (t x) ^ k[0] = (u << 1) ^ c, c = (k[0] << 1) ^ k[0], halves shifted
 *   separately, plus the crossing bits: BLENDVPD chooses c with or without them.
 * - Long messages have 10 blocks in flight, and BLENDVPD would take the place of an AESENC (Zen:
 *   the same units): t itself is doubled, with masks from shifts. */
#include "bulk.h"

#if defined(__x86_64__) || defined(__i386__)

#include "../parts/steps/aesni.h"

/* t x^8 */
AESNI_INLINE __m128i aesni_xts_times_x8(__m128i t)
{
    __m128i top = _mm_srli_si128(t, 15);
    __m128i folded = _mm_clmulepi64_si128(top, _mm_set_epi32(0, 0, 0, 0x87), 0);
    return _mm_xor_si128(_mm_slli_si128(t, 1), folded);
}

/* Bit 63 of each half of `choice`: a when 0, b when 1. */
AESNI_INLINE __m128i aesni_xts_choose(__m128i a, __m128i b, __m128i choice)
{
    return _mm_castpd_si128(
        _mm_blendv_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b), _mm_castsi128_pd(choice)));
}

/* The bits of either half, for the other: at the top in the order they leave. */
AESNI_INLINE __m128i aesni_xts_leaving(__m128i t)
{
    return _mm_shuffle_epi32(t, 0x4e);
}

/* What doubling adds after the shift: c, or c with a bit that left the other half. */
typedef struct aesni_xts_doubling {
    __m128i c, folded, leaving;
} aesni_xts_doubling;

AESNI_INLINE aesni_xts_doubling aesni_xts_prepare(__m128i t, __m128i k)
{
    aesni_xts_doubling d;
    d.c = _mm_xor_si128(_mm_add_epi64(k, k), k);
    d.folded = _mm_xor_si128(d.c, _mm_set_epi32(0, 1, 0, 0x87));
    d.leaving = aesni_xts_leaving(t);
    return d;
}

/* (t x^i) ^ k from (t x^(i - 1)) ^ k, 0 < i <= 10 */
AESNI_INLINE __m128i aesni_xts_double(aesni_xts_doubling d, __m128i u, int i)
{
    __m128i add = aesni_xts_choose(d.c, d.folded, _mm_slli_epi64(d.leaving, i - 1));
    return _mm_xor_si128(_mm_add_epi64(u, u), add);
}

/* n < 8 blocks from the tweak t on; returns the tweak after them. */
AESNI_INLINE __m128i aesni_xts_tail(const aesfit_key *key, __m128i t, uint8_t *out,
                                    const uint8_t *in, int n, unsigned direction)
{
    const __m128i *k = aesni_keys(key, direction);
    const __m128i both = _mm_xor_si128(k[0], k[key->rounds]);
    __m128i x[AESNI_BLOCKS], u[AESNI_BLOCKS + 1];
    aesni_xts_doubling d = aesni_xts_prepare(t, k[0]);
    u[0] = _mm_xor_si128(t, k[0]);
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        x[i] = _mm_xor_si128(u[i], aesni_load(in + 16 * i));
        u[i + 1] = aesni_xts_double(d, u[i], i + 1);
    }
    aesni_middle_n(k, key->rounds, x, n, direction);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        aesni_store(out + 16 * i, aesni_last(x[i], _mm_xor_si128(u[i], both), direction));
    return _mm_xor_si128(u[n], k[0]);
}

/* 8 blocks per iteration; `blocks` is a multiple of 8 above 0.  The tweaks of the next iteration
 * are computed between the rounds of this one. */
AESNI_INLINE __m128i aesni_xts_batches(const aesfit_key *key, __m128i t, uint8_t *out,
                                       const uint8_t *in, size_t blocks, unsigned direction)
{
    const __m128i *k = aesni_keys(key, direction);
    const unsigned rounds = key->rounds;
    const __m128i both = _mm_xor_si128(k[0], k[rounds]);
    __m128i x[AESNI_BLOCKS], u[AESNI_BLOCKS], next[AESNI_BLOCKS];
    aesni_xts_doubling d = aesni_xts_prepare(t, k[0]);
    u[0] = _mm_xor_si128(t, k[0]);
    AESNI_UNROLL
    for (int i = 1; i < AESNI_BLOCKS; i++)
        u[i] = aesni_xts_double(d, u[i - 1], i);
    for (; blocks > 0; blocks -= AESNI_BLOCKS) {
        AESNI_UNROLL
        for (int i = 0; i < AESNI_BLOCKS; i++)
            x[i] = _mm_xor_si128(u[i], aesni_load(in + 16 * i));
        t = aesni_xts_times_x8(t);
        d.leaving = aesni_xts_leaving(t);
        next[0] = _mm_xor_si128(t, k[0]);
        aesni_round_n(x, AESNI_BLOCKS, k[1], direction);
        AESNI_UNROLL
        for (int r = 2; r < 10; r++) {
            aesni_round_n(x, AESNI_BLOCKS, k[r], direction);
            if (r - 1 < AESNI_BLOCKS)
                next[r - 1] = aesni_xts_double(d, next[r - 2], r - 1);
        }
        aesni_extra_n(k, rounds, x, AESNI_BLOCKS, direction);
        AESNI_UNROLL
        for (int i = 0; i < AESNI_BLOCKS; i++) {
            aesni_store(out + 16 * i, aesni_last(x[i], _mm_xor_si128(u[i], both), direction));
            u[i] = next[i];
        }
        in += 16 * AESNI_BLOCKS;
        out += 16 * AESNI_BLOCKS;
    }
    return t;
}

AESNI_INLINE void aesni_xts(const aesfit_key *key, uint8_t tweak[16], uint8_t *out,
                            const uint8_t *in, size_t blocks, unsigned direction)
{
    const size_t tail = blocks % AESNI_BLOCKS, whole = blocks - tail;
    __m128i t = aesni_load(tweak);
    if (whole > 0)
        t = aesni_xts_batches(key, t, out, in, whole, direction);
    in += 16 * whole;
    out += 16 * whole;
#define AESNI_XTS_TAIL(n)                                                                          \
    do {                                                                                           \
        t = aesni_xts_tail(key, t, out, in, n, direction);                                         \
        in += (size_t)16 * (n);                                                                    \
        out += (size_t)16 * (n);                                                                   \
    } while (0)
    AESNI_TAIL(tail, AESNI_XTS_TAIL);
#undef AESNI_XTS_TAIL
    aesni_store(tweak, t);
}

#if defined(__x86_64__)
/* Blocks, 1 KiB, from which on AESNI_WIDE at a time repay their first tweaks. */
enum { AESNI_XTS_LONG = 64 };

/* t x from t = t0 x^i, 0 <= i < 10; `leaving`: bits 32 to 63 of either half of t0, in both 32-bit
 * lanes of the other. */
AESNI_INLINE __m128i aesni_xts_double_beside(__m128i t, __m128i leaving, int i)
{
    __m128i mask = _mm_srai_epi32(_mm_slli_epi32(leaving, i), 31);
    __m128i crossing = _mm_and_si128(mask, _mm_set_epi32(0, 1, 0, 0x87));
    return _mm_xor_si128(_mm_add_epi64(t, t), crossing);
}

/* AESNI_WIDE blocks per iteration; `blocks` is a multiple of that above 0. */
AESNI_INLINE __m128i aesni_xts_wide_batches(const aesfit_key *key, __m128i t, uint8_t *out,
                                            const uint8_t *in, size_t blocks, unsigned direction)
{
    const __m128i *k = aesni_keys(key, direction);
    const unsigned rounds = key->rounds;
    const __m128i both = _mm_xor_si128(k[0], k[rounds]);
    const aesni_xts_doubling d = aesni_xts_prepare(t, k[0]);
    __m128i x[AESNI_WIDE], tweaks[2 * AESNI_WIDE], next = _mm_xor_si128(t, k[0]);
    size_t now = 0;
    AESNI_UNROLL
    for (int i = 0; i < AESNI_WIDE; i++) {
        tweaks[i] = next;
        next = aesni_xts_double(d, next, i + 1);
    }
    next = _mm_xor_si128(next, k[0]);
    for (; blocks > 0; blocks -= AESNI_WIDE) {
        const __m128i *u = tweaks + now, leaving = _mm_shuffle_epi32(next, 0x5f);
        __m128i *v = tweaks + (now = AESNI_WIDE - now);
        /* Hidden, or the compiler writes each tweak twice, once to a fixed place. */
        AESFIT_BARRIER(v);
        t = next;
        AESNI_UNROLL
        for (int i = 0; i < AESNI_WIDE; i++)
            x[i] = _mm_xor_si128(u[i], aesni_load(in + 16 * i));
        AESNI_UNROLL
        for (int r = 1; r < 10; r++) {
            aesni_round_n(x, AESNI_WIDE, k[r], direction);
            v[r - 1] = _mm_xor_si128(next, k[0]);
            next = aesni_xts_double_beside(next, leaving, r - 1);
        }
        v[9] = _mm_xor_si128(next, k[0]);
        next = aesni_xts_double_beside(next, leaving, 9);
        aesni_extra_n(k, rounds, x, AESNI_WIDE, direction);
        AESNI_UNROLL
        for (int i = 0; i < AESNI_WIDE; i++)
            aesni_store(out + 16 * i, aesni_last(x[i], _mm_xor_si128(u[i], both), direction));
        in += 16 * AESNI_WIDE;
        out += 16 * AESNI_WIDE;
    }
    return t;
}

/* Apart, so that short messages, which take the rest, do not pay for the stack frame. */
AESFIT_NOINLINE AESFIT_LOCAL AESNI_TARGET void
aesni_xts_long_encrypt(const aesfit_key *key, uint8_t tweak[16], uint8_t *out, const uint8_t *in,
                       size_t blocks)
{
    const size_t tail = blocks % AESNI_WIDE, whole = blocks - tail;
    aesni_store(tweak,
                aesni_xts_wide_batches(key, aesni_load(tweak), out, in, whole, AESFIT_ENCRYPT));
    aesfit_bulk_xts_encrypt(key, tweak, out + 16 * whole, in + 16 * whole, tail);
}

AESFIT_NOINLINE AESFIT_LOCAL AESNI_TARGET void
aesni_xts_long_decrypt(const aesfit_key *key, uint8_t tweak[16], uint8_t *out, const uint8_t *in,
                       size_t blocks)
{
    const size_t tail = blocks % AESNI_WIDE, whole = blocks - tail;
    aesni_store(tweak,
                aesni_xts_wide_batches(key, aesni_load(tweak), out, in, whole, AESFIT_DECRYPT));
    aesfit_bulk_xts_decrypt(key, tweak, out + 16 * whole, in + 16 * whole, tail);
}
#endif

AESNI_TARGET void aesfit_bulk_xts_encrypt(const aesfit_key *key, uint8_t tweak[16], uint8_t *out,
                                          const uint8_t *in, size_t blocks)
{
#if CPU_X86_WIDE
    if (bulk_is_wide(key, blocks, BULK_WIDE_FROM)) {
        aesfit_bulk_vaes_xts_encrypt(key, tweak, out, in, blocks);
        return;
    }
#endif
#if defined(__x86_64__)
    if (blocks >= AESNI_XTS_LONG) {
        aesni_xts_long_encrypt(key, tweak, out, in, blocks);
        return;
    }
#endif
    aesni_xts(key, tweak, out, in, blocks, AESFIT_ENCRYPT);
}

AESNI_TARGET void aesfit_bulk_xts_decrypt(const aesfit_key *key, uint8_t tweak[16], uint8_t *out,
                                          const uint8_t *in, size_t blocks)
{
#if CPU_X86_WIDE
    if (bulk_is_wide(key, blocks, BULK_WIDE_FROM)) {
        aesfit_bulk_vaes_xts_decrypt(key, tweak, out, in, blocks);
        return;
    }
#endif
#if defined(__x86_64__)
    if (blocks >= AESNI_XTS_LONG) {
        aesni_xts_long_decrypt(key, tweak, out, in, blocks);
        return;
    }
#endif
    aesni_xts(key, tweak, out, in, blocks, AESFIT_DECRYPT);
}

#endif
