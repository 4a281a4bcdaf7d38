/* SPDX-License-Identifier: MIT */
/* aesni: the AES instructions of x86 processors.
 *
 * Idea: a round is one instruction, so blocks are kept in flight, 8 or 10 on 128-bit registers and
 * 48 on 512-bit ones (VAES), to hide its latency; a tail of up to 8 blocks is a batch of its own.
 * Key expansion: AESENCLAST of a block of four equal columns is SubWord, since ShiftRows moves
 * nothing there, and adds the round constant on the way; a byte shuffle before it is RotWord and
 * the copying of the word to all columns.  AESKEYGENASSIST does the same more slowly.
 * Source: Intel SDM volume 2, AESENC to AESIMC; FIPS 197, 5.2 and 5.3.5.
 * Cost: one instruction per round and block; key expansion has a chain of 10 (8, 13) steps of
 * shuffle, AESENCLAST and XOR.
 * Constant-time: yes. */
#include "../core.h"

#if defined(__x86_64__) || defined(__i386__)

#include "../bulk/bulk.h"
#include "../parts/steps/aesni.h"
#include "../parts/cpu_x86.h"
#include "../parts/tables/rcon.h"

enum { aesni_lanes = AESNI_BLOCKS };

/* SubWord of the word that `columns` shuffles into all four columns, plus `add` in each. */
AESNI_INLINE __m128i aesni_sub_word(__m128i k, __m128i columns, __m128i add)
{
    return _mm_aesenclast_si128(_mm_shuffle_epi8(k, columns), add);
}

/* Word i becomes the sum of words 0 to i. */
AESNI_INLINE __m128i aesni_running_sum(__m128i k)
{
    k = _mm_xor_si128(k, _mm_slli_si128(k, 4));
    return _mm_xor_si128(k, _mm_slli_si128(k, 8));
}

AESNI_INLINE void aesni_expand128(__m128i *w, const uint8_t *bytes)
{
    const __m128i rot_word3 = _mm_set1_epi32(0x0c0f0e0d);
    __m128i a = aesni_load(bytes);
    w[0] = a;
    AESNI_UNROLL
    for (int i = 0; i < 10; i++) {
        __m128i t = aesni_sub_word(a, rot_word3, _mm_set1_epi32(rcon[i]));
        w[i + 1] = a = _mm_xor_si128(aesni_running_sum(a), t);
    }
}

/* The next six words: four in *a, two in the low half of *b. */
AESNI_INLINE void aesni_step192(__m128i *a, __m128i *b, int step)
{
    const __m128i rot_word1 = _mm_set1_epi32(0x04070605);
    __m128i t = aesni_sub_word(*b, rot_word1, _mm_set1_epi32(rcon[step]));
    *a = _mm_xor_si128(aesni_running_sum(*a), t);
    *b = _mm_xor_si128(*b, _mm_slli_si128(*b, 4));
    *b = _mm_xor_si128(*b, _mm_shuffle_epi32(*a, 0xff));
}

/* Two steps make three round keys. */
AESNI_INLINE void aesni_expand192(__m128i *w, const uint8_t *bytes)
{
    __m128i a = aesni_load(bytes), b = _mm_loadl_epi64((const __m128i *)(const void *)(bytes + 16));
    w[0] = a;
    AESNI_UNROLL
    for (int i = 0; i < 4; i++) {
        __m128i before = b;
        aesni_step192(&a, &b, 2 * i);
        w[3 * i + 1] = _mm_unpacklo_epi64(before, a);
        w[3 * i + 2] = _mm_alignr_epi8(b, a, 8);
        aesni_step192(&a, &b, 2 * i + 1);
        w[3 * i + 3] = a;
    }
}

AESNI_INLINE void aesni_expand256(__m128i *w, const uint8_t *bytes)
{
    const __m128i rot_word3 = _mm_set1_epi32(0x0c0f0e0d), word3 = _mm_set1_epi32(0x0f0e0d0c);
    __m128i a = aesni_load(bytes), b = aesni_load(bytes + 16);
    w[0] = a;
    w[1] = b;
    AESNI_UNROLL
    for (int i = 0; i < 7; i++) {
        __m128i t = aesni_sub_word(b, rot_word3, _mm_set1_epi32(rcon[i]));
        w[2 * i + 2] = a = _mm_xor_si128(aesni_running_sum(a), t);
        if (i == 6)
            break;
        t = aesni_sub_word(a, word3, _mm_setzero_si128());
        w[2 * i + 3] = b = _mm_xor_si128(aesni_running_sum(b), t);
    }
}

/* Decryption keys from encryption keys: reversed, InvMixColumns of all but the outer two.  From
 * both ends at once, so that it works in place. */
AESNI_INLINE void aesni_invert(__m128i *d, const __m128i *w, int rounds)
{
    __m128i first = w[0];
    d[0] = w[rounds];
    d[rounds] = first;
    AESNI_UNROLL
    for (int i = 1; i <= rounds / 2; i++) {
        __m128i low = _mm_aesimc_si128(w[i]);
        d[i] = _mm_aesimc_si128(w[rounds - i]);
        d[rounds - i] = low;
    }
}

/* Encryption keys are made where decryption keys belong when only those are asked for. */
AESFIT_LOCAL AESNI_TARGET void aesni_expand_key(aesfit_key *key, const uint8_t *bytes,
                                                unsigned directions)
{
    __m128i *d = (__m128i *)(void *)key->schedule + aesni_decryption(key);
    __m128i *w = directions == AESFIT_DECRYPT ? d : (__m128i *)(void *)key->schedule;
#ifndef AESFIT_BOUND
    key->features = cpu_x86_features();
#endif
#if (AESFIT_BOUND_KEY_SIZES & 1) != 0
    if (key->key_words == 4) {
        aesni_expand128(w, bytes);
        if (directions & AESFIT_DECRYPT)
            aesni_invert(d, w, 10);
        return;
    }
#endif
#if (AESFIT_BOUND_KEY_SIZES & 2) != 0
    if (key->key_words == 6) {
        aesni_expand192(w, bytes);
        if (directions & AESFIT_DECRYPT)
            aesni_invert(d, w, 12);
        return;
    }
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    aesni_expand256(w, bytes);
    if (directions & AESFIT_DECRYPT)
        aesni_invert(d, w, 14);
#endif
}

/* n blocks, all loaded before any is stored. */
AESNI_INLINE void aesni_batch(const aesfit_key *key, uint8_t *out, const uint8_t *in, int n,
                              unsigned direction)
{
    __m128i x[AESNI_WIDE];
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = aesni_load(in + 16 * i);
    aesni_crypt_n(aesni_keys(key, direction), key->rounds, x, n, direction);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        aesni_store(out + 16 * i, x[i]);
}

AESNI_INLINE void aesni_blocks(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                               size_t blocks, unsigned direction)
{
    /* 10 at the end are better off as 8 and 2, whose rounds overlap. */
#define AESNI_BATCH(n)                                                                             \
    do {                                                                                           \
        aesni_batch(key, out, in, n, direction);                                                   \
        in += (size_t)16 * (n);                                                                    \
        out += (size_t)16 * (n);                                                                   \
    } while (0)
    for (; blocks > AESNI_WIDE; blocks -= AESNI_WIDE)
        AESNI_BATCH(AESNI_WIDE);
    if (blocks >= AESNI_BLOCKS) {
        AESNI_BATCH(AESNI_BLOCKS);
        blocks -= AESNI_BLOCKS;
    }
    AESNI_TAIL(blocks, AESNI_BATCH);
#undef AESNI_BATCH
}

/* A bound build is one file and stays with 128-bit registers. */
#if CPU_X86_WIDE && !defined(AESFIT_BOUND)
#define AESNI_HAND_OVER(key, out, in, blocks, path)                                                \
    do {                                                                                           \
        if (bulk_is_wide(key, blocks, BULK_WIDE_FROM)) {                                           \
            aesfit_bulk_vaes_##path(key, out, in, blocks);                                         \
            return;                                                                                \
        }                                                                                          \
    } while (0)
#else
#define AESNI_HAND_OVER(key, out, in, blocks, path) ((void)0)
#endif

AESFIT_LOCAL AESNI_TARGET void aesni_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             size_t blocks)
{
    AESNI_HAND_OVER(key, out, in, blocks, encrypt);
    aesni_blocks(key, out, in, blocks, AESFIT_ENCRYPT);
}

AESFIT_LOCAL AESNI_TARGET void aesni_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             size_t blocks)
{
    AESNI_HAND_OVER(key, out, in, blocks, decrypt);
    aesni_blocks(key, out, in, blocks, AESFIT_DECRYPT);
}

#undef AESNI_HAND_OVER

#ifndef AESFIT_BOUND
AESFIT_LOCAL int aesni_supported(void)
{
    return cpu_x86_has_aes();
}

static const aesfit_bulk aesni_bulk = {
    .cbc_encrypt = aesfit_bulk_cbc_encrypt,
    .cbc_decrypt = aesfit_bulk_cbc_decrypt,
    .cbc_encrypt_many = aesfit_bulk_cbc_encrypt_many,
    .ctr = aesfit_bulk_ctr,
    .xts_encrypt = aesfit_bulk_xts_encrypt,
    .xts_decrypt = aesfit_bulk_xts_decrypt,
    .cbc_mac = aesfit_bulk_cbc_mac,
    .ccm_encrypt = aesfit_bulk_ccm_encrypt,
    .ccm_decrypt = aesfit_bulk_ccm_decrypt,
    .gcm_ghash = &aesfit_ghash_clmul,
    .gcm_encrypt = aesfit_bulk_gcm_encrypt,
    .gcm_decrypt = aesfit_bulk_gcm_decrypt,
    .gcm_seal = aesfit_bulk_gcm_seal,
    .gcm_open = aesfit_bulk_gcm_open,
};

CORE_OBJECTS(aesni,
             (.summary = "the processor's AES instructions, 8 to 10 blocks in flight, 48 with VAES",
              .source = "Intel SDM volume 2, AESENC to AESIMC; FIPS 197, 5.3.5",
              .needs = "x86 AES-NI, PCLMULQDQ, SSE4.1"),
             .properties = AESFIT_CONSTANT_TIME,
             .round_key_bytes = {{176, 176, 352}, {208, 208, 416}, {240, 240, 480}},
             .supported = aesni_supported, .bulk = &aesni_bulk);
#endif

#endif
