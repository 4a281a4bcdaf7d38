/* SPDX-License-Identifier: MIT */
/* AES on 512-bit registers (Intel SDM, VAESENC; AVX-512): four blocks in each, a round key
 * broadcast to all four.  Only for keys with CPU_X86_VAES512 in their features; same keys and same
 * conventions as aesni.h.  Tails are read and written in whole blocks and never under
 * a mask: a load waits for a masked store to the same place to reach the cache, where a plain one
 * forwards, and a message that is worked on in place again would pay for it each time. */
#ifndef AESFIT_STEPS_VAES_H
#define AESFIT_STEPS_VAES_H

#include "../cpu_x86.h"
#include "aesni.h"

#if CPU_X86_WIDE

#define VAES_TARGET                                                                                \
    __attribute__((target("aes,pclmul,ssse3,sse4.1,avx2,avx512f,avx512bw,avx512dq,avx512vl,"       \
                          "vaes,vpclmulqdq")))
#define VAES_INLINE AESFIT_INLINE VAES_TARGET

enum {
    VAES_BLOCKS = 4, /* in one register */
    VAES_N = 12,     /* registers in flight: two start per cycle on some, with a latency of 4 */
    VAES_BATCH = VAES_BLOCKS * VAES_N
};

VAES_INLINE __m512i vaes_load(const uint8_t *p)
{
    return _mm512_loadu_si512((const void *)p);
}

VAES_INLINE void vaes_store(uint8_t *p, __m512i x)
{
    _mm512_storeu_si512((void *)p, x);
}

/* 1 to 4 blocks; the other lanes are zero. */
VAES_INLINE __m512i vaes_load_part(const uint8_t *p, size_t blocks)
{
    __m512i x;
    if (blocks == VAES_BLOCKS)
        return vaes_load(p);
    x = _mm512_zextsi128_si512(aesni_load(p));
    if (blocks > 1)
        x = _mm512_inserti32x4(x, aesni_load(p + 16), 1);
    if (blocks > 2)
        x = _mm512_inserti32x4(x, aesni_load(p + 32), 2);
    return x;
}

VAES_INLINE void vaes_store_part(uint8_t *p, size_t blocks, __m512i x)
{
    if (blocks == VAES_BLOCKS) {
        vaes_store(p, x);
        return;
    }
    aesni_store(p, _mm512_castsi512_si128(x));
    if (blocks > 1)
        aesni_store(p + 16, _mm512_extracti32x4_epi32(x, 1));
    if (blocks > 2)
        aesni_store(p + 32, _mm512_extracti32x4_epi32(x, 2));
}

/* aesni_reverse() of each block. */
VAES_INLINE __m512i vaes_reverse(__m512i x)
{
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(order));
}

VAES_INLINE __m512i vaes_key(__m128i k)
{
    return _mm512_broadcast_i32x4(k);
}

VAES_INLINE __m512i vaes_round(__m512i x, __m512i k, unsigned direction)
{
    return direction == AESFIT_DECRYPT ? _mm512_aesdec_epi128(x, k) : _mm512_aesenc_epi128(x, k);
}

VAES_INLINE __m512i vaes_last(__m512i x, __m512i k, unsigned direction)
{
    return direction == AESFIT_DECRYPT ? _mm512_aesdeclast_epi128(x, k)
                                       : _mm512_aesenclast_epi128(x, k);
}

VAES_INLINE void vaes_round_n(__m512i *x, int n, __m512i k, unsigned direction)
{
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = vaes_round(x[i], k, direction);
}

/* Round keys in registers: in a loop over many blocks this saves a load per round and batch. */
typedef struct vaes_keys {
    __m512i k[14], last; /* k[10] to k[13] only of longer keys */
    unsigned rounds;
} vaes_keys;

VAES_INLINE vaes_keys vaes_load_keys(const aesfit_key *key, unsigned direction)
{
    const __m128i *k = aesni_keys(key, direction);
    vaes_keys keys;
    keys.rounds = key->rounds;
    keys.last = vaes_key(k[key->rounds]);
    AESNI_UNROLL
    for (unsigned r = 0; r < 14; r++)
        keys.k[r] = r < 10 || r < keys.rounds ? vaes_key(k[r]) : _mm512_setzero_si512();
    return keys;
}

/* Rounds 10 to rounds - 1, which only longer keys have, of n registers. */
VAES_INLINE void vaes_extra_n(const vaes_keys *keys, __m512i *x, int n, unsigned direction)
{
    if (keys->rounds == 10)
        return;
    vaes_round_n(x, n, keys->k[10], direction);
    vaes_round_n(x, n, keys->k[11], direction);
    if (keys->rounds == 12)
        return;
    vaes_round_n(x, n, keys->k[12], direction);
    vaes_round_n(x, n, keys->k[13], direction);
}

/* Rounds 1 to rounds - 1 of n registers. */
VAES_INLINE void vaes_middle_n(const vaes_keys *keys, __m512i *x, int n, unsigned direction)
{
    AESNI_UNROLL
    for (int r = 1; r < 10; r++)
        vaes_round_n(x, n, keys->k[r], direction);
    vaes_extra_n(keys, x, n, direction);
}

/* n <= 12 registers of 4 blocks at once. */
VAES_INLINE void vaes_crypt_n(const vaes_keys *keys, __m512i *x, int n, unsigned direction)
{
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = _mm512_xor_si512(x[i], keys->k[0]);
    vaes_middle_n(keys, x, n, direction);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = vaes_last(x[i], keys->last, direction);
}

/* Rounds 1 to rounds - 1 with keys from memory, for what is done once in a call: a loop, which is
 * less code. */
VAES_INLINE void vaes_middle_once_n(const __m128i *k, unsigned rounds, __m512i *x, int n,
                                    unsigned direction)
{
    unsigned r = 1;
    AESNI_NO_UNROLL
    for (; r < 10; r += 3) {
        vaes_round_n(x, n, vaes_key(k[r]), direction);
        vaes_round_n(x, n, vaes_key(k[r + 1]), direction);
        vaes_round_n(x, n, vaes_key(k[r + 2]), direction);
    }
    AESNI_NO_UNROLL
    for (; r < rounds; r++)
        vaes_round_n(x, n, vaes_key(k[r]), direction);
}

/* n registers of 4 blocks at once, with keys from memory. */
VAES_INLINE void vaes_crypt_once_n(const aesfit_key *key, __m512i *x, int n, unsigned direction)
{
    const __m128i *k = aesni_keys(key, direction);
    const __m512i first = vaes_key(k[0]), last = vaes_key(k[key->rounds]);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = _mm512_xor_si512(x[i], first);
    vaes_middle_once_n(k, key->rounds, x, n, direction);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = vaes_last(x[i], last, direction);
}

/* CALL(n, part) for a tail of 1 to 47 blocks: n registers, `part` (1 to 4) blocks in the last. */
#define VAES_TAIL(blocks, CALL)                                                                    \
    do {                                                                                           \
        size_t tail_registers = ((blocks) + 3) / 4;                                                \
        size_t tail_part = (blocks) + 4 - 4 * tail_registers;                                      \
        switch (tail_registers) {                                                                  \
            VAES_TAIL_CASE(12, CALL)                                                               \
            VAES_TAIL_CASE(11, CALL)                                                               \
            VAES_TAIL_CASE(10, CALL)                                                               \
            VAES_TAIL_CASE(9, CALL)                                                                \
            VAES_TAIL_CASE(8, CALL)                                                                \
            VAES_TAIL_CASE(7, CALL)                                                                \
            VAES_TAIL_CASE(6, CALL)                                                                \
            VAES_TAIL_CASE(5, CALL)                                                                \
            VAES_TAIL_CASE(4, CALL)                                                                \
            VAES_TAIL_CASE(3, CALL)                                                                \
            VAES_TAIL_CASE(2, CALL)                                                                \
            VAES_TAIL_CASE(1, CALL)                                                                \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
    } while (0)
#define VAES_TAIL_CASE(n, CALL)                                                                    \
    case n:                                                                                        \
        CALL(n, tail_part);                                                                        \
        break;

#endif
#endif
