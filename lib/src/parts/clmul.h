/* SPDX-License-Identifier: MIT */
/* GHASH arithmetic with PCLMULQDQ, one 128-bit lane.
 *
 * GHASH numbers bits from the left of each byte, the processor from the right.  Reversing the 16
 * bytes of a block leaves its bits exactly mirrored, and the mirror of GHASH's field is the field
 * of POLYVAL (RFC 8452, appendix A): the same product but for one factor x, which is multiplied
 * into H once (clmul_hash_key).  All values below are byte-reversed blocks.
 *
 * A product is three carry-less multiplications (Karatsuba): low halves, high halves, and the sums
 * of the halves.  Products of several blocks are added unreduced (`clmul_sum`); the reduction,
 * Montgomery's from the low end, comes once per sum: two multiplications by the field polynomial
 * x^128 + x^127 + x^126 + x^121 + 1.  Constant time: no branch, no table.
 *
 * The hash key (`clmul_key`, 512 bytes): powers of H in falling order, so that n blocks meet
 * H^n .. H^1 as one contiguous run, and behind them sums of halves.  The 512-bit path reads up to 7
 * places past H^1, beside zero data: they are sums, and all of one array. */
#ifndef AESFIT_PARTS_CLMUL_H
#define AESFIT_PARTS_CLMUL_H

#if defined(__x86_64__) || defined(__i386__)
#include "../core.h"
#include <immintrin.h>

enum {
    clmul_lanes = 8,   /* blocks per reduction of the 128-bit path: H^8 .. H^1 */
    clmul_powers = 20, /* of the 512-bit path: 16 blocks of data, 3 of associated data, lengths */
    clmul_sums = clmul_powers, /* where the sums begin */
};

typedef struct clmul_key {
    /* H^20 .. H^1 (the 128-bit path fills H^8 .. H^1 only), then the sums: high half ^ low half (in
     * both halves) of H^8 .. H^1. */
    __m128i powers[clmul_powers + clmul_lanes];
    uint32_t wide; /* 1: all powers are there */
    uint32_t unused[15];
} clmul_key;

typedef struct clmul_sum {
    __m128i low, middle, high;
} clmul_sum;

#define CLMUL_TARGET __attribute__((target("sse2,ssse3,pclmul")))
#define CLMUL_INLINE                                                                               \
    static inline __attribute__((always_inline, unused, target("sse2,ssse3,pclmul")))

CLMUL_INLINE __m128i clmul_reverse(__m128i block)
{
    return _mm_shuffle_epi8(block, _mm_set_epi32(0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f));
}

CLMUL_INLINE __m128i clmul_load(const uint8_t *block)
{
    return clmul_reverse(_mm_loadu_si128((const __m128i *)(const void *)block));
}

CLMUL_INLINE void clmul_store(uint8_t *block, __m128i x)
{
    _mm_storeu_si128((__m128i *)(void *)block, clmul_reverse(x));
}

CLMUL_INLINE __m128i clmul_swap(__m128i x)
{
    return _mm_shuffle_epi32(x, 0x4e);
}

CLMUL_INLINE __m128i clmul_halves(__m128i x) /* high ^ low, in both halves */
{
    return _mm_xor_si128(x, clmul_swap(x));
}

CLMUL_INLINE clmul_sum clmul_zero(void)
{
    clmul_sum sum = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    return sum;
}

/* sum += x h, where h_halves = clmul_halves(h). */
CLMUL_INLINE void clmul_add(clmul_sum *sum, __m128i x, __m128i h, __m128i h_halves)
{
    sum->low = _mm_xor_si128(sum->low, _mm_clmulepi64_si128(x, h, 0x00));
    sum->high = _mm_xor_si128(sum->high, _mm_clmulepi64_si128(x, h, 0x11));
    sum->middle = _mm_xor_si128(sum->middle, _mm_clmulepi64_si128(clmul_halves(x), h_halves, 0x00));
}

/* The low 64 bits of a value times the polynomial's terms x^57, x^62, x^63 (above its 1). */
CLMUL_INLINE __m128i clmul_fold(__m128i x)
{
    return _mm_clmulepi64_si128(x, _mm_set_epi32(0, 0, (int)0xc2000000u, 0), 0x00);
}

CLMUL_INLINE __m128i clmul_reduce(const clmul_sum *sum)
{
    __m128i middle = _mm_xor_si128(sum->middle, _mm_xor_si128(sum->low, sum->high));
    middle = _mm_xor_si128(middle, _mm_xor_si128(clmul_swap(sum->low), clmul_fold(sum->low)));
    return _mm_xor_si128(sum->high, _mm_xor_si128(clmul_swap(middle), clmul_fold(middle)));
}

CLMUL_INLINE __m128i clmul_multiply(__m128i x, __m128i h)
{
    clmul_sum sum = clmul_zero();
    clmul_add(&sum, x, h, clmul_halves(h));
    return clmul_reduce(&sum);
}

/* x H for the byte-reversed hash key: a shift by one bit and, if a bit fell out, the polynomial. */
CLMUL_INLINE __m128i clmul_hash_key(const uint8_t h[16])
{
    __m128i x = clmul_load(h);
    __m128i carry = _mm_slli_si128(_mm_srli_epi64(x, 63), 8);
    __m128i out = _mm_srai_epi32(_mm_shuffle_epi32(x, 0xff), 31);
    out = _mm_and_si128(out, _mm_set_epi32((int)0xc2000000u, 0, 0, 1));
    return _mm_xor_si128(_mm_or_si128(_mm_slli_epi64(x, 1), carry), out);
}

/* Where the powers for a run of `blocks` blocks begin. */
CLMUL_INLINE const __m128i *clmul_run(const clmul_key *key, size_t blocks)
{
    return key->powers + clmul_powers - blocks;
}

/* Adds block number `i` of a run of `blocks` (at most 8) blocks. */
CLMUL_INLINE void clmul_add_block(clmul_sum *sum, const clmul_key *key, __m128i x, size_t i,
                                  size_t blocks)
{
    size_t power = blocks - i;
    clmul_add(sum, x, key->powers[clmul_powers - power],
              key->powers[clmul_sums + clmul_lanes - power]);
}

#endif
#endif
