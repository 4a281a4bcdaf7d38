/* SPDX-License-Identifier: MIT */
/* GHASH arithmetic with VPCLMULQDQ, four 128-bit lanes of an AVX-512 register at once;
 * parts/clmul.h explains the representation and the key.
 *
 * A group is four blocks.  A sum of groups is reduced either to one block (vclmul_reduce: the
 * lanes met H^n, H^(n-1), ... and are added up first), or lane by lane (vclmul_reduce_lanes: all
 * lanes met the same power).  The second is how long messages run: lane l is a Horner chain of
 * its own, every 16 blocks cost one multiplication's latency and no lane crossing, and only the
 * last 16 blocks multiply lane l by the H^-l that is due, that is by their own powers. */
#ifndef AESFIT_PARTS_VCLMUL_H
#define AESFIT_PARTS_VCLMUL_H

#include "clmul.h"
#include "cpu_x86.h"

#if CPU_X86_WIDE

#define VCLMUL_TARGET                                                                              \
    __attribute__((target("sse2,ssse3,pclmul,avx2,avx512f,avx512bw,avx512vl,vpclmulqdq")))
#define VCLMUL_INLINE                                                                              \
    static inline __attribute__((always_inline, unused,                                            \
                                 target("sse2,ssse3,pclmul,avx2,avx512f,avx512bw,avx512vl,"        \
                                        "vpclmulqdq")))

enum { vclmul_stride = 16 }; /* blocks per reduction of the 512-bit path */

typedef struct vclmul_sum {
    __m512i low, middle, high;
} vclmul_sum;

VCLMUL_INLINE __m512i vclmul_reverse(__m512i blocks)
{
    return _mm512_shuffle_epi8(blocks, _mm512_broadcast_i32x4(_mm_set_epi32(
                                           0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f)));
}

VCLMUL_INLINE __m512i vclmul_swap(__m512i x)
{
    return _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)0x4e);
}

VCLMUL_INLINE __m512i vclmul_halves(__m512i x)
{
    return _mm512_xor_si512(x, vclmul_swap(x));
}

VCLMUL_INLINE __m512i vclmul_xor3(__m512i a, __m512i b, __m512i c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

VCLMUL_INLINE __m512i vclmul_broadcast(__m128i x)
{
    return _mm512_broadcast_i32x4(x);
}

VCLMUL_INLINE vclmul_sum vclmul_zero(void)
{
    vclmul_sum sum = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
    return sum;
}

/* sum += x h, where h_halves = vclmul_halves(h). */
VCLMUL_INLINE void vclmul_add(vclmul_sum *sum, __m512i x, __m512i h, __m512i h_halves)
{
    sum->low = _mm512_xor_si512(sum->low, _mm512_clmulepi64_epi128(x, h, 0x00));
    sum->high = _mm512_xor_si512(sum->high, _mm512_clmulepi64_epi128(x, h, 0x11));
    sum->middle =
        _mm512_xor_si512(sum->middle, _mm512_clmulepi64_epi128(vclmul_halves(x), h_halves, 0x00));
}

VCLMUL_INLINE __m512i vclmul_fold(__m512i x)
{
    return _mm512_clmulepi64_epi128(x, _mm512_set1_epi64((long long)0xc200000000000000u), 0x00);
}

/* Each lane by itself. */
VCLMUL_INLINE __m512i vclmul_reduce_lanes(const vclmul_sum *sum)
{
    __m512i middle = vclmul_xor3(sum->middle, sum->low, sum->high);
    middle = vclmul_xor3(middle, vclmul_swap(sum->low), vclmul_fold(sum->low));
    return vclmul_xor3(sum->high, vclmul_swap(middle), vclmul_fold(middle));
}

VCLMUL_INLINE __m128i vclmul_add_lanes(__m512i x)
{
    __m256i pair = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(pair), _mm256_extracti128_si256(pair, 1));
}

/* All four lanes together, to one block. */
VCLMUL_INLINE __m128i vclmul_reduce(const vclmul_sum *sum)
{
    clmul_sum narrow = {vclmul_add_lanes(sum->low), vclmul_add_lanes(sum->middle),
                        vclmul_add_lanes(sum->high)};
    return clmul_reduce(&narrow);
}

VCLMUL_INLINE __m512i vclmul_multiply(__m512i x, __m512i h)
{
    vclmul_sum sum = vclmul_zero();
    vclmul_add(&sum, x, h, vclmul_halves(h));
    return vclmul_reduce_lanes(&sum);
}

/* Adds the group x, whose lanes meet powers[0] .. powers[3]. */
VCLMUL_INLINE void vclmul_add_group(vclmul_sum *sum, __m512i x, const __m128i *powers)
{
    __m512i h = _mm512_loadu_si512(powers);
    vclmul_add(sum, x, h, vclmul_halves(h));
}

#endif
#endif
