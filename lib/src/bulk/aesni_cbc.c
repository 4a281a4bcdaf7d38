/* SPDX-License-Identifier: MIT */
/* CBC and CBC-MAC on 128-bit registers.
 *
 * Encryption is one chain of dependent rounds.  AESENCLAST ends in an XOR with its key, so the
 * last round of one block takes k[rounds] ^ k[0] ^ next plaintext as its key and gives the next
 * block after its first AddRoundKey: nothing but the rounds themselves is left in the chain, and
 * the ciphertext is recovered beside it.
 *
 * Decryption has 8 or 10 blocks in flight; its last round takes k[rounds] ^ previous ciphertext. */
#include "bulk.h"

#if defined(__x86_64__) || defined(__i386__)

#include "../parts/steps/aesni.h"

/* Chains `blocks` > 0 blocks of `in` after iv; returns the last ciphertext block.  out NULL (a
 * constant in the caller): a MAC. */
AESNI_INLINE __m128i aesni_cbc_chain(const aesfit_key *key, __m128i iv, uint8_t *out,
                                     const uint8_t *in, size_t blocks)
{
    const __m128i *k = aesni_keys(key, AESFIT_ENCRYPT);
    unsigned rounds = key->rounds;
    const __m128i first = k[0], last = k[rounds];
    __m128i x = _mm_xor_si128(iv, _mm_xor_si128(first, aesni_load(in)));
    for (; blocks > 1; blocks--) {
        __m128i next = _mm_xor_si128(first, aesni_load(in += 16));
        x = aesni_middle1(k, rounds, x);
        x = _mm_aesenclast_si128(x, _mm_xor_si128(last, next));
        if (out != NULL) {
            aesni_store(out, _mm_xor_si128(x, next));
            out += 16;
        }
    }
    x = _mm_aesenclast_si128(aesni_middle1(k, rounds, x), last);
    if (out != NULL)
        aesni_store(out, x);
    return x;
}

AESNI_TARGET void aesfit_bulk_cbc_encrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out,
                                          const uint8_t *in, size_t blocks)
{
    if (blocks > 0)
        aesni_store(iv, aesni_cbc_chain(key, aesni_load(iv), out, in, blocks));
}

AESNI_TARGET void aesfit_bulk_cbc_mac(const aesfit_key *key, uint8_t mac[16], const uint8_t *in,
                                      size_t blocks)
{
    if (blocks > 0)
        aesni_store(mac, aesni_cbc_chain(key, aesni_load(mac), NULL, in, blocks));
}

/* Decrypts n blocks; returns the IV of the next.  Each ciphertext block is read a second time just
 * before its place is written: out may be in. */
AESNI_INLINE __m128i aesni_cbc_batch(const aesfit_key *key, __m128i iv, uint8_t *out,
                                     const uint8_t *in, int n)
{
    const __m128i *k = aesni_keys(key, AESFIT_DECRYPT);
    const __m128i last = k[key->rounds];
    __m128i x[AESNI_WIDE];
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = _mm_xor_si128(aesni_load(in + 16 * i), k[0]);
    aesni_middle_n(k, key->rounds, x, n, AESFIT_DECRYPT);
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        __m128i next = aesni_load(in + 16 * i);
        aesni_store(out + 16 * i, _mm_aesdeclast_si128(x[i], _mm_xor_si128(last, iv)));
        iv = next;
    }
    return iv;
}

AESNI_TARGET void aesfit_bulk_cbc_decrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out,
                                          const uint8_t *in, size_t blocks)
{
#if CPU_X86_WIDE
    if (bulk_is_wide(key, blocks, BULK_WIDE_FROM)) {
        aesfit_bulk_vaes_cbc_decrypt(key, iv, out, in, blocks);
        return;
    }
#endif
    __m128i chain = aesni_load(iv);
#define AESNI_CBC_BATCH(n)                                                                         \
    do {                                                                                           \
        chain = aesni_cbc_batch(key, chain, out, in, n);                                           \
        in += (size_t)16 * (n);                                                                    \
        out += (size_t)16 * (n);                                                                   \
    } while (0)
    for (; blocks >= AESNI_WIDE; blocks -= AESNI_WIDE)
        AESNI_CBC_BATCH(AESNI_WIDE);
    if (blocks >= AESNI_BLOCKS) {
        AESNI_CBC_BATCH(AESNI_BLOCKS);
        blocks -= AESNI_BLOCKS;
    }
    AESNI_TAIL(blocks, AESNI_CBC_BATCH);
#undef AESNI_CBC_BATCH
    aesni_store(iv, chain);
}

#endif
