/* SPDX-License-Identifier: MIT */
/* AES with the processor's instructions on 128-bit registers (Intel SDM, AESENC to AESIMC): keys
 * and rounds, shared by the core aesni and its bulk paths.
 *
 * key->schedule holds encryption round keys and, from aesni_decryption() on, decryption ones (the
 * equivalent inverse cipher of FIPS 197, 5.3.5: AESIMC applied to the middle keys), each in the
 * order of use.  One instruction has a latency of 3 to 8 cycles and one or two start per cycle, so
 * the paths keep 8 independent blocks in flight.  Where two start and the latency is 4 cycles, 8
 * are just enough and every delay is lost: long messages take 10, if there are registers for them.
 *
 * Every function carries its instruction sets as an attribute: no compiler flags are needed, and
 * the functions inline into wider targets too.  Where a count `n` or a direction is a parameter it
 * is a constant in each caller, and the loops over it vanish. */
#ifndef AESFIT_STEPS_AESNI_H
#define AESFIT_STEPS_AESNI_H

#include "../../core.h"
#include "../memory.h"
#include <immintrin.h>

#define AESNI_TARGET __attribute__((target("aes,pclmul,ssse3,sse4.1")))
#define AESNI_INLINE AESFIT_INLINE AESNI_TARGET
/* AESNI_UNROLL: the next loop, entirely; not for clang's sanitizers, whose checks would make the
 * compiler work for minutes. */
#if !defined(__clang__)
#define AESNI_UNROLL _Pragma("GCC unroll 16")
#elif __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer) ||           \
    __has_feature(memory_sanitizer)
#define AESNI_UNROLL
#else
#define AESNI_UNROLL _Pragma("clang loop unroll(full)")
#endif
/* AESNI_NO_UNROLL: the next loop, not at all. */
#if defined(__clang__)
#define AESNI_NO_UNROLL _Pragma("clang loop unroll(disable)")
#else
#define AESNI_NO_UNROLL _Pragma("GCC unroll 1")
#endif

enum { AESNI_BLOCKS = 8 }; /* in flight */

/* In flight in long messages. */
#if defined(__x86_64__)
enum { AESNI_WIDE = 10 };
#else
enum { AESNI_WIDE = AESNI_BLOCKS };
#endif

AESNI_INLINE __m128i aesni_load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

AESNI_INLINE void aesni_store(uint8_t *p, __m128i x)
{
    _mm_storeu_si128((__m128i *)(void *)p, x);
}

/* 0 to 15 bytes, the others zero; in pieces of 8, 4 and 1, each of which aesni_store_piece() writes
 * as one store, so that a load soon after it need not wait for the cache. */
AESNI_INLINE __m128i aesni_load_piece(const uint8_t *p, size_t bytes)
{
    uint64_t low = 0, rest = 0;
    uint32_t four;
    unsigned bits = 0;
    if ((bytes & 8) != 0) {
        memcpy(&low, p, 8);
        p += 8;
    }
    if ((bytes & 4) != 0) {
        memcpy(&four, p, 4);
        rest = four;
        bits = 32;
        p += 4;
    }
    for (size_t i = 0; i < (bytes & 3); i++, bits += 8)
        rest |= (uint64_t)p[i] << bits;
    if ((bytes & 8) != 0)
        return _mm_set_epi64x((long long)rest, (long long)low);
    return _mm_set_epi64x(0, (long long)rest);
}

/* Stores the first 0 to 15 bytes of x; returns them with zeros behind. */
AESNI_INLINE __m128i aesni_store_piece(uint8_t *p, size_t bytes, __m128i x)
{
    uint64_t low = 0, rest;
    uint32_t four;
    if ((bytes & 8) != 0) {
        _mm_storel_epi64((__m128i *)(void *)p, x);
        _mm_storel_epi64((__m128i *)(void *)&low, x);
        x = _mm_srli_si128(x, 8);
        p += 8;
    }
    _mm_storel_epi64((__m128i *)(void *)&rest, x);
    rest &= ((uint64_t)1 << 8 * (bytes & 7)) - 1;
    x = (bytes & 8) != 0 ? _mm_set_epi64x((long long)rest, (long long)low)
                         : _mm_set_epi64x(0, (long long)rest);
    if ((bytes & 4) != 0) {
        four = (uint32_t)rest;
        memcpy(p, &four, 4);
        rest >>= 32;
        p += 4;
    }
    for (size_t i = 0; i < (bytes & 3); i++, rest >>= 8)
        p[i] = (uint8_t)rest;
    return x;
}

/* All 16 bytes in reverse order: a big-endian number becomes the machine's. */
AESNI_INLINE __m128i aesni_reverse(__m128i x)
{
    return _mm_shuffle_epi8(x, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

/* Where decryption round keys start: behind room for the 15 encryption keys of AES-256.  A bound
 * build may have no room to spare, and there they end where the schedule ends. */
AESNI_INLINE unsigned aesni_decryption(const aesfit_key *key)
{
#ifdef AESFIT_BOUND
    return AESFIT_KEY_WORDS / 4 - (key->rounds + 1u);
#else
    (void)key;
    return 15;
#endif
}

/* Round keys in the order of use: k[0] is added first, k[rounds] last. */
AESNI_INLINE const __m128i *aesni_keys(const aesfit_key *key, unsigned direction)
{
    return (const __m128i *)(const void *)key->schedule +
           (direction == AESFIT_DECRYPT ? aesni_decryption(key) : 0);
}

AESNI_INLINE __m128i aesni_round(__m128i x, __m128i k, unsigned direction)
{
    return direction == AESFIT_DECRYPT ? _mm_aesdec_si128(x, k) : _mm_aesenc_si128(x, k);
}

AESNI_INLINE __m128i aesni_last(__m128i x, __m128i k, unsigned direction)
{
    return direction == AESFIT_DECRYPT ? _mm_aesdeclast_si128(x, k) : _mm_aesenclast_si128(x, k);
}

/* Rounds 1 to rounds - 1 of encrypting one block, without a loop: for whoever waits for the
 * latency. */
AESNI_INLINE __m128i aesni_middle1(const __m128i *k, unsigned rounds, __m128i x)
{
    AESNI_UNROLL
    for (int i = 1; i < 10; i++)
        x = _mm_aesenc_si128(x, k[i]);
    if (rounds > 10) {
        x = _mm_aesenc_si128(x, k[10]);
        x = _mm_aesenc_si128(x, k[11]);
        if (rounds > 12) {
            x = _mm_aesenc_si128(x, k[12]);
            x = _mm_aesenc_si128(x, k[13]);
        }
    }
    return x;
}

/* One middle round of n <= AESNI_WIDE blocks. */
AESNI_INLINE void aesni_round_n(__m128i *x, int n, __m128i k, unsigned direction)
{
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = aesni_round(x[i], k, direction);
}

/* Rounds 10 to rounds - 1, which only longer keys have, of n <= AESNI_WIDE blocks. */
AESNI_INLINE void aesni_extra_n(const __m128i *k, unsigned rounds, __m128i *x, int n,
                                unsigned direction)
{
    if (rounds == 10)
        return;
    aesni_round_n(x, n, k[10], direction);
    aesni_round_n(x, n, k[11], direction);
    if (rounds == 12)
        return;
    aesni_round_n(x, n, k[12], direction);
    aesni_round_n(x, n, k[13], direction);
}

/* Rounds 1 to rounds - 1 of n <= AESNI_WIDE blocks, written out. */
AESNI_INLINE void aesni_unrolled_n(const __m128i *k, unsigned rounds, __m128i *x, int n,
                                   unsigned direction)
{
    AESNI_UNROLL
    for (int r = 1; r < 10; r++)
        aesni_round_n(x, n, k[r], direction);
    aesni_extra_n(k, rounds, x, n, direction);
}

/* The same as a loop over the rounds, which is far less code. */
AESNI_INLINE void aesni_looped_n(const __m128i *k, unsigned rounds, __m128i *x, int n,
                                 unsigned direction)
{
    unsigned r = 1;
    AESNI_NO_UNROLL
    for (; r < 10; r += 3) {
        aesni_round_n(x, n, k[r], direction);
        aesni_round_n(x, n, k[r + 1], direction);
        aesni_round_n(x, n, k[r + 2], direction);
    }
    AESNI_NO_UNROLL
    for (; r < rounds; r++)
        aesni_round_n(x, n, k[r], direction);
}

/* The same: written out for the batches that long messages repeat, and for few blocks, beside which
 * the processor can start those of the next call; a loop in between. */
AESNI_INLINE void aesni_middle_n(const __m128i *k, unsigned rounds, __m128i *x, int n,
                                 unsigned direction)
{
    enum { few = 5 }; /* where a loop cost more than 3 % of a call on Zen 4 */
    if (n <= few || n == AESNI_WIDE)
        aesni_unrolled_n(k, rounds, x, n, direction);
    else
        aesni_looped_n(k, rounds, x, n, direction);
}

/* n <= AESNI_WIDE blocks at once. */
AESNI_INLINE void aesni_crypt_n(const __m128i *k, unsigned rounds, __m128i *x, int n,
                                unsigned direction)
{
    __m128i last = k[rounds];
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = _mm_xor_si128(x[i], k[0]);
    aesni_middle_n(k, rounds, x, n, direction);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = aesni_last(x[i], last, direction);
}

/* CALL(n) with n as a constant for a tail of 1 to 7 blocks. */
#define AESNI_TAIL(blocks, CALL)                                                                   \
    do {                                                                                           \
        switch (blocks) {                                                                          \
        case 7:                                                                                    \
            CALL(7);                                                                               \
            break;                                                                                 \
        case 6:                                                                                    \
            CALL(6);                                                                               \
            break;                                                                                 \
        case 5:                                                                                    \
            CALL(5);                                                                               \
            break;                                                                                 \
        case 4:                                                                                    \
            CALL(4);                                                                               \
            break;                                                                                 \
        case 3:                                                                                    \
            CALL(3);                                                                               \
            break;                                                                                 \
        case 2:                                                                                    \
            CALL(2);                                                                               \
            break;                                                                                 \
        case 1:                                                                                    \
            CALL(1);                                                                               \
            break;                                                                                 \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
    } while (0)

#endif
