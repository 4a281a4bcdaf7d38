/* SPDX-License-Identifier: MIT */
/* XTS on 128-bit registers (IEEE 1619), 8 blocks in flight with their 8 tweaks.
 *
 * A tweak is an element of GF(2)[x] / (x^128 + x^7 + x^2 + x + 1), lowest byte first.  Eight
 * consecutive ones go on to the next eight without waiting for one another: times x^8 is a shift
 * by one byte, and the byte that leaves at the top comes back times 0x87 by a carry-less product.
 */
#include "bulk.h"

#if defined(__x86_64__) || defined(__i386__)

#include "../parts/aesni.h"
#include "../parts/cpu_x86.h"

/* t x: the carries of both halves, as masks, cross over. */
AESNI_INLINE __m128i aesni_xts_double(__m128i t)
{
    __m128i carry = _mm_shuffle_epi32(_mm_srai_epi32(t, 31), 0x13);
    carry = _mm_and_si128(carry, _mm_set_epi32(0, 1, 0, 0x87));
    return _mm_xor_si128(_mm_add_epi64(t, t), carry);
}

/* t x^8 */
AESNI_INLINE __m128i aesni_xts_times_x8(__m128i t)
{
    __m128i top = _mm_srli_si128(t, 15);
    __m128i folded = _mm_clmulepi64_si128(top, _mm_set_epi32(0, 0, 0, 0x87), 0);
    return _mm_xor_si128(_mm_slli_si128(t, 1), folded);
}

/* n blocks under n tweaks. */
AESNI_INLINE void aesni_xts_batch(const aesfit_key *key, const __m128i *t, uint8_t *out,
                                  const uint8_t *in, int n, unsigned direction)
{
    __m128i x[AESNI_BLOCKS];
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = _mm_xor_si128(t[i], aesni_load(in + 16 * i));
    aesni_crypt_n(aesni_keys(key, direction), key->rounds, x, n, direction);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        aesni_store(out + 16 * i, _mm_xor_si128(x[i], t[i]));
}

/* n <= 7 blocks from the tweak t on; returns the tweak after them. */
AESNI_INLINE __m128i aesni_xts_tail(const aesfit_key *key, __m128i first, uint8_t *out,
                                    const uint8_t *in, int n, unsigned direction)
{
    __m128i t[AESNI_BLOCKS];
    t[0] = first;
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        t[i + 1] = aesni_xts_double(t[i]);
    aesni_xts_batch(key, t, out, in, n, direction);
    return t[n];
}

AESNI_INLINE void aesni_xts(const aesfit_key *key, uint8_t tweak[16], uint8_t *out,
                            const uint8_t *in, size_t blocks, unsigned direction)
{
    __m128i next = aesni_load(tweak);
    if (blocks >= AESNI_BLOCKS) {
        __m128i t[AESNI_BLOCKS];
        t[0] = next;
        AESNI_UNROLL
        for (int i = 1; i < AESNI_BLOCKS; i++)
            t[i] = aesni_xts_double(t[i - 1]);
        for (; blocks >= AESNI_BLOCKS; blocks -= AESNI_BLOCKS) {
            aesni_xts_batch(key, t, out, in, AESNI_BLOCKS, direction);
            AESNI_UNROLL
            for (int i = 0; i < AESNI_BLOCKS; i++)
                t[i] = aesni_xts_times_x8(t[i]);
            in += 16 * AESNI_BLOCKS;
            out += 16 * AESNI_BLOCKS;
        }
        next = t[0];
    }
#define AESNI_XTS_TAIL(n) next = aesni_xts_tail(key, next, out, in, n, direction)
    AESNI_TAIL(blocks, AESNI_XTS_TAIL)
#undef AESNI_XTS_TAIL
    aesni_store(tweak, next);
}

AESNI_TARGET void aesfit_bulk_xts_encrypt(const aesfit_key *key, uint8_t tweak[16], uint8_t *out,
                                          const uint8_t *in, size_t blocks)
{
#if defined(__x86_64__)
    if (blocks > 2 && (key->features & CPU_X86_VAES512) != 0) {
        aesfit_bulk_vaes_xts_encrypt(key, tweak, out, in, blocks);
        return;
    }
#endif
    aesni_xts(key, tweak, out, in, blocks, AESFIT_ENCRYPT);
}

AESNI_TARGET void aesfit_bulk_xts_decrypt(const aesfit_key *key, uint8_t tweak[16], uint8_t *out,
                                          const uint8_t *in, size_t blocks)
{
#if defined(__x86_64__)
    if (blocks > 2 && (key->features & CPU_X86_VAES512) != 0) {
        aesfit_bulk_vaes_xts_decrypt(key, tweak, out, in, blocks);
        return;
    }
#endif
    aesni_xts(key, tweak, out, in, blocks, AESFIT_DECRYPT);
}

#endif
