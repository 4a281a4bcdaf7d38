/* SPDX-License-Identifier: MIT */
/* Every public one-shot function, and key expansion, with arguments from a random struct `wild`, in
 * which any pointer may be NULL.  The including file must define it before, with the members that
 * the macros below name. */
#ifndef AESFIT_TEST_WILD_CALLS_H
#define AESFIT_TEST_WILD_CALLS_H

#include "test.h"

/* The pointer, or NULL one time in eight. */
#define P(pointer) (random_below(8) != 0 ? (pointer) : NULL)
#define KEY P(&w->key)
#define IV P(w->iv)
#define OUT P(w->out.bytes)
#define IN P(w->in.bytes), w->bytes
#define AD P(w->ad.bytes), w->ad_bytes
#define NONCE P(w->ad.bytes), w->nonce_bytes
#define TAG P(w->tag), w->tag_bytes
#define SIZED OUT, w->size, P(&w->got)

/* X(expression): one call. */
#define WILD_ONE_SHOT(X)                                                                           \
    X(aesfit_ecb_encrypt(KEY, OUT, IN))                                                            \
    X(aesfit_ecb_decrypt(KEY, OUT, IN))                                                            \
    X(aesfit_cbc_encrypt(KEY, IV, OUT, IN))                                                        \
    X(aesfit_cbc_decrypt(KEY, IV, OUT, IN))                                                        \
    X(aesfit_cbc_cs3_encrypt(KEY, IV, OUT, IN))                                                    \
    X(aesfit_cbc_cs3_decrypt(KEY, IV, OUT, IN))                                                    \
    X(aesfit_ecb_pkcs7_encrypt(KEY, SIZED, IN))                                                    \
    X(aesfit_ecb_pkcs7_decrypt(KEY, SIZED, IN))                                                    \
    X(aesfit_cbc_pkcs7_encrypt(KEY, IV, SIZED, IN))                                                \
    X(aesfit_cbc_pkcs7_decrypt(KEY, IV, SIZED, IN))                                                \
    X(aesfit_pkcs7_pad(OUT, P(w->in.bytes), w->small))                                             \
    X(aesfit_pkcs7_unpad(P(w->in.bytes), P(&w->got)))                                              \
    X(aesfit_xts_encrypt(P(&w->xts), IV, OUT, IN))                                                 \
    X(aesfit_xts_decrypt(P(&w->xts), IV, OUT, IN))                                                 \
    X(aesfit_cmac(KEY, IN, TAG))                                                                   \
    X(aesfit_cmac_verify(KEY, IN, TAG))                                                            \
    X(aesfit_cbc_mac(KEY, IN, P(w->tag)))                                                          \
    X(aesfit_ccm_encrypt(KEY, NONCE, AD, OUT, IN, TAG))                                            \
    X(aesfit_ccm_decrypt(KEY, NONCE, AD, OUT, IN, TAG))                                            \
    X(aesfit_ccm_crypt_unauthenticated(KEY, NONCE, OUT, IN))                                       \
    X(aesfit_gcm_encrypt(P(&w->gcm), NONCE, AD, OUT, IN, TAG))                                     \
    X(aesfit_gcm_decrypt(P(&w->gcm), NONCE, AD, OUT, IN, TAG))                                     \
    X(aesfit_gmac(P(&w->gcm), NONCE, IN, TAG))                                                     \
    X(aesfit_gmac_verify(P(&w->gcm), NONCE, IN, TAG))                                              \
    X(aesfit_gcm_siv_encrypt(P(&w->siv), IV, AD, OUT, IN, P(w->tag)))                              \
    X(aesfit_gcm_siv_decrypt(P(&w->siv), IV, AD, OUT, IN, P(w->tag)))                              \
    X(aesfit_key_wrap(KEY, SIZED, IN))                                                             \
    X(aesfit_key_wrap_padded(KEY, SIZED, IN))                                                      \
    X(aesfit_key_unwrap(KEY, SIZED, IN))                                                           \
    X(aesfit_key_unwrap_padded(KEY, SIZED, IN))                                                    \
    X(aesfit_ccmp_encapsulate(KEY, w->small, w->small % 6, SIZED, P(w->in.bytes), 24, w->bytes))   \
    X(aesfit_ccmp_decapsulate(KEY, NULL, SIZED, P(w->in.bytes), 24 + w->small, w->bytes))

#define WILD_CASE(call)                                                                            \
    if (which-- == 0)                                                                              \
        return (call);

TEST_HELPER int wild_one_shot(wild *w, size_t which)
{
    WILD_ONE_SHOT(WILD_CASE)
    return AESFIT_OK;
}

#define WILD_COUNT(call) +1
enum { WILD_ONE_SHOTS = 0 WILD_ONE_SHOT(WILD_COUNT) };

/* Mostly valid keys; a failed expansion leaves a key that must be refused. */
TEST_HELPER void wild_keys(wild *w)
{
    static const size_t lengths[] = {16, 24, 32, 32, 64, 0, 15, 33, SIZE_MAX};
    uint8_t bytes[64];
    size_t length = lengths[random_below(sizeof lengths / sizeof lengths[0])];
    unsigned directions = (unsigned)random_below(5);
    random_fill(bytes, sizeof bytes);
    memset(&w->key, 0, sizeof w->key);
    memset(&w->xts, 0, sizeof w->xts);
    memset(&w->gcm, 0, sizeof w->gcm);
    memset(&w->siv, 0, sizeof w->siv);
    aesfit_expand_key(P(&w->key), random_core(), P(bytes), length, directions);
    aesfit_xts_expand_key(P(&w->xts), random_core(), P(bytes), length, directions);
    aesfit_gcm_expand_key(P(&w->gcm), random_core(), NULL, P(bytes), length);
    aesfit_gcm_siv_expand_key(P(&w->siv), random_core(), NULL, P(bytes), length);
}

#endif
