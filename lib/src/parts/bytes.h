/* SPDX-License-Identifier: MIT */
/* Loads, stores and rotations that work at any alignment and byte order. */
#ifndef AESFIT_PARTS_BYTES_H
#define AESFIT_PARTS_BYTES_H

#include "../core.h"
#include "memory.h"

AESFIT_INLINE uint32_t rotl32(uint32_t x, unsigned n) /* 0 < n < 32 */
{
    return (x << n) | (x >> (32 - n));
}

AESFIT_INLINE uint32_t load32_le(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

AESFIT_INLINE void store32_le(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
    p[2] = (uint8_t)(x >> 16);
    p[3] = (uint8_t)(x >> 24);
}

AESFIT_INLINE uint32_t load32_be(const uint8_t *p)
{
    return (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
}

AESFIT_INLINE void store32_be(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

AESFIT_INLINE uint64_t load64_be(const uint8_t *p)
{
    return (uint64_t)load32_be(p) << 32 | load32_be(p + 4);
}

AESFIT_INLINE void store64_be(uint8_t *p, uint64_t x)
{
    store32_be(p, (uint32_t)(x >> 32));
    store32_be(p + 4, (uint32_t)x);
}

/* Where one instruction loads a word from any address.  Elsewhere (ARMv4T, ARMv6-M, RISC-V and
 * whatever is not known here) that may trap, and words are used where the address allows it. */
#if defined(__i386__) || defined(__x86_64__) || defined(_M_IX86) || defined(_M_X64) ||             \
    defined(__aarch64__) || defined(__powerpc__) || defined(__s390x__) ||                          \
    defined(__ARM_FEATURE_UNALIGNED)
#define BYTES_ANY_ALIGNMENT 1
#else
#define BYTES_ANY_ALIGNMENT 0
#endif

/* 1 when a and b lie at words, as loads and stores of several words want it everywhere. */
AESFIT_INLINE int words_aligned(const uint8_t *a, const uint8_t *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & 3) == 0;
}

/* 1 when load_word() and store_word() may be used at a and b. */
AESFIT_INLINE int words_at(const uint8_t *a, const uint8_t *b)
{
    return BYTES_ANY_ALIGNMENT || words_aligned(a, b);
}

/* A word in the machine's byte order: for what does not depend on it, such as XOR. */
AESFIT_INLINE uint32_t load_word(const uint8_t *p)
{
    uint32_t x;
#if defined(__GNUC__) && !BYTES_ANY_ALIGNMENT
    p = (const uint8_t *)__builtin_assume_aligned(p, 4);
#endif
    memcpy(&x, p, 4);
    return x;
}

AESFIT_INLINE void store_word(uint8_t *p, uint32_t x)
{
#if defined(__GNUC__) && !BYTES_ANY_ALIGNMENT
    p = (uint8_t *)__builtin_assume_aligned(p, 4);
#endif
    memcpy(p, &x, 4);
}

/* out = a ^ b, `bytes` bytes; out may be a or b. */
AESFIT_INLINE void xor_bytes(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(a[i] ^ b[i]);
        AESFIT_BARRIER(i);
    }
}

/* out = a ^ b, one block, where words_at() all three; out may be a or b. */
AESFIT_INLINE void xor_four_words(uint8_t *out, const uint8_t *a, const uint8_t *b)
{
    uint32_t x0 = load_word(a) ^ load_word(b), x1 = load_word(a + 4) ^ load_word(b + 4);
    uint32_t x2 = load_word(a + 8) ^ load_word(b + 8), x3 = load_word(a + 12) ^ load_word(b + 12);
    store_word(out, x0);
    store_word(out + 4, x1);
    store_word(out + 8, x2);
    store_word(out + 12, x3);
}

#if AESFIT_SMALL_CODE
/* out = a ^ b, some bytes inside one block (0 to 16); out may be a or b. */
AESFIT_SHARED void xor_part(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t bytes)
{
    if (bytes == 16 && words_at(out, a) && words_at(out, b))
        xor_four_words(out, a, b);
    else
        xor_bytes(out, a, b, bytes);
}

/* The same, 0 to 15 bytes. */
AESFIT_INLINE void xor_tail(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t bytes)
{
    xor_part(out, a, b, bytes);
}
#else
/* out = a ^ b, 0 to 15 bytes, in pieces of fixed sizes: a loop over bytes can cost more than the
 * cipher. */
AESFIT_INLINE void xor_tail(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t bytes)
{
    uint32_t x[2], y[2];
    if ((bytes & 8) != 0) {
        memcpy(x, a, 8);
        memcpy(y, b, 8);
        x[0] ^= y[0];
        x[1] ^= y[1];
        memcpy(out, x, 8);
    }
    size_t done = bytes & 8;
    if ((bytes & 4) != 0) {
        memcpy(x, a + done, 4);
        memcpy(y, b + done, 4);
        x[0] ^= y[0];
        memcpy(out + done, x, 4);
    }
    for (done = bytes & 12; done < bytes; done++)
        out[done] = (uint8_t)(a[done] ^ b[done]);
}

AESFIT_SHARED void xor_part(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t bytes)
{
    if (bytes == 16 && words_at(out, a) && words_at(out, b))
        xor_four_words(out, a, b);
    else
        xor_tail(out, a, b, bytes);
}
#endif

/* out = a ^ b, one block; out may be a or b. */
AESFIT_INLINE void xor_block(uint8_t *out, const uint8_t *a, const uint8_t *b)
{
    if (BYTES_ANY_ALIGNMENT)
        xor_four_words(out, a, b);
    else
        xor_part(out, a, b, 16);
}

#endif
