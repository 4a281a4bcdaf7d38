/* SPDX-License-Identifier: MIT */
/* GHASH with the processor's carry-less multiplication (PCLMULQDQ; VPCLMULQDQ with AVX-512 where
 * the processor has it).
 *
 * Source: Gueron and Kounavis, "Intel Carry-Less Multiplication Instruction and its Usage for
 * Computing the GCM Mode" (aggregated reduction), in the bit order of POLYVAL (RFC 8452,
 * appendix A); parts/clmul.h explains both.
 * Cost: 3 multiplications a block and 2 per reduction, which comes every 8 blocks (16 with
 * AVX-512, four at a time).  The key holds H^8 .. H^1 (7 products), with AVX-512 H^20 .. H^1 (5
 * dependent products).
 * Constant-time: yes; no secret-dependent branch or address.
 * bulk/aesni_gcm.c and bulk/vaes_gcm.c interleave the same arithmetic with AES. */
#include "ghash.h"

#if defined(__x86_64__) || defined(__i386__)
#include "../parts/vclmul.h"

CLMUL_TARGET static void clmul_init_powers(clmul_key *key, const uint8_t h[16])
{
    __m128i *one = key->powers + clmul_powers - 1; /* H^n is one[1 - n] */
    *one = clmul_hash_key(h);
    for (int n = 2; n <= clmul_lanes; n++)
        one[1 - n] = clmul_multiply(one[1 - n / 2], one[1 - (n - n / 2)]);
    for (int i = 0; i < clmul_lanes; i++)
        key->powers[clmul_sums + i] = clmul_halves(key->powers[clmul_powers - clmul_lanes + i]);
}

CLMUL_TARGET static void clmul_update_narrow(const clmul_key *key, uint8_t y[16], const uint8_t *in,
                                             size_t blocks)
{
    __m128i hash = clmul_load(y);
    while (blocks > 0) {
        size_t run = blocks < clmul_lanes ? blocks : (size_t)clmul_lanes;
        clmul_sum sum = clmul_zero();
        clmul_add_block(&sum, key, _mm_xor_si128(hash, clmul_load(in)), 0, run);
        for (size_t i = 1; i < run; i++)
            clmul_add_block(&sum, key, clmul_load(in + 16 * i), i, run);
        hash = clmul_reduce(&sum);
        in += 16 * run;
        blocks -= run;
    }
    clmul_store(y, hash);
}

#if CPU_X86_WIDE
/* Doubles the run of powers four times; every step is four products at once. */
VCLMUL_TARGET static void clmul_init_wide(clmul_key *key, const uint8_t h[16])
{
    __m128i h1 = clmul_hash_key(h), h2 = clmul_multiply(h1, h1);
    __m256i pair = _mm256_set_m128i(h1, h2); /* lanes in the order of the key: falling powers */
    __m512i low = _mm512_inserti64x4(_mm512_setzero_si512(), pair, 1);
    __m512i to4 = vclmul_multiply(_mm512_castsi256_si512(pair), vclmul_broadcast(h2));
    to4 = _mm512_inserti64x4(low, _mm512_castsi512_si256(to4), 0);
    __m512i to8 = vclmul_multiply(to4, _mm512_shuffle_i32x4(to4, to4, 0));
    __m512i h8 = _mm512_shuffle_i32x4(to8, to8, 0);
    __m512i to12 = vclmul_multiply(to4, h8), to16 = vclmul_multiply(to8, h8);
    __m512i to20 = vclmul_multiply(to12, h8);
    __m128i *powers = key->powers;
    _mm512_storeu_si512(powers, to20);
    _mm512_storeu_si512(powers + 4, to16);
    _mm512_storeu_si512(powers + 8, to12);
    _mm512_storeu_si512(powers + 12, to8);
    _mm512_storeu_si512(powers + 16, to4);
    _mm512_storeu_si512(powers + clmul_sums, vclmul_halves(to8));
    _mm512_storeu_si512(powers + clmul_sums + 4, vclmul_halves(to4));
}

/* blocks: a multiple of 16, at least 16. */
VCLMUL_TARGET static void clmul_update_wide(const clmul_key *key, uint8_t y[16], const uint8_t *in,
                                            size_t blocks)
{
    const __m128i *powers = clmul_run(key, vclmul_stride);
    __m512i hash = _mm512_zextsi128_si512(clmul_load(y));
    vclmul_sum sum;
    for (;; blocks -= vclmul_stride, in += 16 * vclmul_stride) {
        sum = vclmul_zero();
        for (int i = 0; i < 4; i++) {
            __m512i x = vclmul_reverse(_mm512_loadu_si512(in + 64 * i));
            x = i == 0 ? _mm512_xor_si512(x, hash) : x;
            __m512i h = blocks > vclmul_stride ? vclmul_broadcast(powers[4 * i])
                                               : _mm512_loadu_si512(powers + 4 * i);
            vclmul_add(&sum, x, h, vclmul_halves(h));
        }
        if (blocks == vclmul_stride)
            break;
        hash = vclmul_reduce_lanes(&sum);
    }
    clmul_store(y, vclmul_reduce(&sum));
}
#endif

#if CPU_X86_WIDE
/* Without VAES, unlike CPU_X86_VAES512: the powers may be there for more processors than use them.
 */
AESFIT_LOCAL int clmul_is_wide(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("vpclmulqdq");
}
#endif

AESFIT_LOCAL void clmul_init(uint32_t *state, const uint8_t h[16])
{
    clmul_key *key = (clmul_key *)(void *)state;
    key->wide = 0;
#if CPU_X86_WIDE
    if (clmul_is_wide()) {
        key->wide = 1;
        clmul_init_wide(key, h);
        return;
    }
#endif
    clmul_init_powers(key, h);
}

AESFIT_LOCAL void clmul_update(const uint32_t *state, uint8_t y[16], const uint8_t *in,
                               size_t blocks)
{
    const clmul_key *key = (const clmul_key *)(const void *)state;
#if CPU_X86_WIDE
    size_t wide = key->wide != 0 ? blocks - blocks % vclmul_stride : 0;
    if (wide > 0)
        clmul_update_wide(key, y, in, wide);
    in += 16 * wide;
    blocks -= wide;
#endif
    clmul_update_narrow(key, y, in, blocks);
}

#ifndef AESFIT_BOUND_GHASH
AESFIT_LOCAL int clmul_supported(void)
{
    return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("ssse3");
}

const aesfit_ghash aesfit_ghash_clmul = {
    .name = "clmul",
    .summary = "carry-less multiply instruction, 8 or 16 blocks per reduction",
    .source = "Gueron and Kounavis, Intel Carry-Less Multiplication; RFC 8452, appendix A",
    .needs = "PCLMULQDQ, SSSE3",
    .properties = AESFIT_CONSTANT_TIME,
    .key_bytes = sizeof(clmul_key),
    .table_bytes = 0,
    .supported = clmul_supported,
    .init = clmul_init,
    .update = clmul_update,
};
#endif
#endif
