/* SPDX-License-Identifier: MIT */
/* Part of aesfit.h: nonces that do not come twice, and messages with their tags in one piece, under
 * keys that serve one mode alone.  Drop-ins have none of it. */
#ifndef AESFIT_MESSAGES_H
#define AESFIT_MESSAGES_H

/* ------------------------------------------ nonces (SP 800-38D, 8.2 and 8.3) */
#define AESFIT_NONCES_SAVED_BYTES 28
/* Where the nonces of one key come from. */
typedef struct aesfit_nonces {
    uint8_t next[16];      /* fixed field and counter */
    uint64_t left;         /* nonces until the counter would wrap, or until the bound */
    uint64_t granted;      /* until it has to be saved; UINT64_MAX: it never was */
    uint8_t nonce_bytes;   /* 0: not started */
    uint8_t counter_bytes; /* 0: random */
} aesfit_nonces;
/* Nonces of 7 to 16 bytes: `fixed`, then a counter from 0, big-endian, of 1 to 8 bytes.  No two
 * senders may have the same fixed field under one key. */
int aesfit_nonces_start(aesfit_nonces *nonces, size_t nonce_bytes, const uint8_t *fixed,
                        size_t fixed_bytes);
/* Random nonces of 12 to 16 bytes: 2^32 of them under one key. */
int aesfit_nonces_start_random(aesfit_nonces *nonces, size_t nonce_bytes);
/* The next nonce.  random: as many random bytes for random nonces, otherwise NULL.
 * AESFIT_ERR_LIMIT: take a new key.  AESFIT_ERR_ORDER: save first. */
int aesfit_nonces_next(aesfit_nonces *nonces, uint8_t *nonce,
                       const uint8_t *random) AESFIT_MUST_CHECK;
/* Writes what has to be in lasting memory before the next nonce is used.  A source that is restored
 * from it goes on behind the next `ahead` nonces, and after these this one has to be saved again.
 */
int aesfit_nonces_save(aesfit_nonces *nonces, uint64_t ahead,
                       uint8_t saved[AESFIT_NONCES_SAVED_BYTES]) AESFIT_MUST_CHECK;
/* AESFIT_ERR_ARGUMENT: `saved` was never written.  Save again before the first nonce. */
int aesfit_nonces_restore(aesfit_nonces *nonces,
                          const uint8_t saved[AESFIT_NONCES_SAVED_BYTES]) AESFIT_MUST_CHECK;

/* ----------------------------------------- ciphertext and tag in one piece */
#define AESFIT_SEAL_BYTES 16 /* of the tag, by which a sealed message is longer */

/* A key for CCM alone: no other mode takes it. */
typedef struct aesfit_ccm_key {
    aesfit_key aes;
} aesfit_ccm_key;

static inline int aesfit_ccm_expand_key(aesfit_ccm_key *key, const aesfit_core *core,
                                        const uint8_t *raw_key, size_t key_bytes)
{
    return aesfit_expand_key(key != NULL ? &key->aes : NULL, core, raw_key, key_bytes,
                             AESFIT_ENCRYPT);
}

/* seal: `out` has room for bytes + AESFIT_SEAL_BYTES.  open: `bytes` are those of the sealed
 * message, and `out` has room for AESFIT_SEAL_BYTES less; AESFIT_ERR_AUTHENTICATION too where they
 * are fewer. `out == in` is allowed.  Otherwise as the functions that these call. */
static inline int aesfit_ccm_seal(const aesfit_ccm_key *key, const uint8_t *nonce,
                                  size_t nonce_bytes, const uint8_t *ad, size_t ad_bytes,
                                  uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (key == NULL || out == NULL)
        return AESFIT_ERR_NULL;
    return aesfit_ccm_encrypt(&key->aes, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes,
                              out + bytes, AESFIT_SEAL_BYTES);
}

AESFIT_MUST_CHECK static inline int aesfit_ccm_open(const aesfit_ccm_key *key, const uint8_t *nonce,
                                                    size_t nonce_bytes, const uint8_t *ad,
                                                    size_t ad_bytes, uint8_t *out,
                                                    const uint8_t *in, size_t bytes)
{
    if (key == NULL || in == NULL)
        return AESFIT_ERR_NULL;
    if (bytes < AESFIT_SEAL_BYTES)
        return AESFIT_ERR_AUTHENTICATION;
    bytes -= AESFIT_SEAL_BYTES;
    return aesfit_ccm_decrypt(&key->aes, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes,
                              in + bytes, AESFIT_SEAL_BYTES);
}

static inline int aesfit_gcm_seal(const aesfit_gcm_key *key, const uint8_t *nonce,
                                  size_t nonce_bytes, const uint8_t *ad, size_t ad_bytes,
                                  uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (out == NULL)
        return AESFIT_ERR_NULL;
    return aesfit_gcm_encrypt(key, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes, out + bytes,
                              AESFIT_SEAL_BYTES);
}

AESFIT_MUST_CHECK static inline int aesfit_gcm_open(const aesfit_gcm_key *key, const uint8_t *nonce,
                                                    size_t nonce_bytes, const uint8_t *ad,
                                                    size_t ad_bytes, uint8_t *out,
                                                    const uint8_t *in, size_t bytes)
{
    if (in == NULL)
        return AESFIT_ERR_NULL;
    if (bytes < AESFIT_SEAL_BYTES)
        return AESFIT_ERR_AUTHENTICATION;
    bytes -= AESFIT_SEAL_BYTES;
    return aesfit_gcm_decrypt(key, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes, in + bytes,
                              AESFIT_SEAL_BYTES);
}

static inline int aesfit_gcm_siv_seal(const aesfit_gcm_siv_key *key, const uint8_t nonce[12],
                                      const uint8_t *ad, size_t ad_bytes, uint8_t *out,
                                      const uint8_t *in, size_t bytes)
{
    if (out == NULL)
        return AESFIT_ERR_NULL;
    return aesfit_gcm_siv_encrypt(key, nonce, ad, ad_bytes, out, in, bytes, out + bytes);
}

AESFIT_MUST_CHECK static inline int aesfit_gcm_siv_open(const aesfit_gcm_siv_key *key,
                                                        const uint8_t nonce[12], const uint8_t *ad,
                                                        size_t ad_bytes, uint8_t *out,
                                                        const uint8_t *in, size_t bytes)
{
    if (in == NULL)
        return AESFIT_ERR_NULL;
    if (bytes < AESFIT_SEAL_BYTES)
        return AESFIT_ERR_AUTHENTICATION;
    bytes -= AESFIT_SEAL_BYTES;
    return aesfit_gcm_siv_decrypt(key, nonce, ad, ad_bytes, out, in, bytes, in + bytes);
}

#endif
