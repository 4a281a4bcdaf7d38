/* SPDX-License-Identifier: MIT */
/* Part of aesfit.h: authenticated encryption where a mistake with a nonce costs less. */
#ifndef AESFIT_SEAL_H
#define AESFIT_SEAL_H

/* ------------------------------------------------------ GCM-SIV (RFC 8452) */
typedef struct aesfit_gcm_siv_key {
    aesfit_key aes; /* makes the keys of each message, which lie on the stack of a call */
#ifndef AESFIT_BOUND
    const aesfit_ghash *ghash;
#endif
} aesfit_gcm_siv_key;
/* key_bytes 16 or 32; core, ghash NULL: the defaults. */
int aesfit_gcm_siv_expand_key(aesfit_gcm_siv_key *key, const aesfit_core *core,
                              const aesfit_ghash *ghash, const uint8_t *raw_key, size_t key_bytes);
/* A nonce that comes twice under a key shows whether the messages are equal, and nothing else.  At
 * most 2^36 bytes of data and of associated data, otherwise AESFIT_ERR_LIMIT. */
int aesfit_gcm_siv_encrypt(const aesfit_gcm_siv_key *key, const uint8_t nonce[12],
                           const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                           size_t bytes, uint8_t tag[16]);
/* On AESFIT_ERR_AUTHENTICATION `out` is wiped. */
int aesfit_gcm_siv_decrypt(const aesfit_gcm_siv_key *key, const uint8_t nonce[12],
                           const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                           size_t bytes, const uint8_t tag[16]) AESFIT_MUST_CHECK;

#endif
