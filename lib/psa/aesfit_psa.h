/* SPDX-License-Identifier: MIT */
/* aesfit as a transparent driver of PSA Crypto (Driver Interface 1.0 alpha): AES in software.
 *
 * The entry points have the signatures and the meaning of that interface; aesfit_psa.json describes
 * them.  What the driver does not do is PSA_ERROR_NOT_SUPPORTED before anything is written, so that
 * the caller may go on to another driver.  On any other error the output is wiped, and its length
 * is 0.  psa/crypto.h is the one of the user's PSA implementation. */
#ifndef AESFIT_PSA_H
#define AESFIT_PSA_H

#include "aesfit_psa_contexts.h"
#include <psa/crypto.h>

/* The core and the GHASH multiplier: the library's defaults, or the address of an object of
 * aesfit_link.h.  Modes that only encrypt blocks link no decryption. */
#ifndef AESFIT_PSA_CORE
#define AESFIT_PSA_CORE                                                                            \
    (AESFIT_PSA_BLOCKS || AESFIT_PSA_XTS ? aesfit_default_core() : aesfit_default_encrypt_core())
#endif
#ifndef AESFIT_PSA_GHASH
#define AESFIT_PSA_GHASH NULL
#endif

/* ------------------------------------------------------------------ cipher */
psa_status_t aesfit_psa_cipher_encrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                       size_t key_bytes, psa_algorithm_t alg, const uint8_t *iv,
                                       size_t iv_bytes, const uint8_t *in, size_t bytes,
                                       uint8_t *out, size_t out_size, size_t *out_bytes);
/* `in` begins with the IV, as psa_cipher_encrypt() wrote it. */
psa_status_t aesfit_psa_cipher_decrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                       size_t key_bytes, psa_algorithm_t alg, const uint8_t *in,
                                       size_t bytes, uint8_t *out, size_t out_size,
                                       size_t *out_bytes);
psa_status_t aesfit_psa_cipher_encrypt_setup(aesfit_psa_cipher_operation_t *operation,
                                             const psa_key_attributes_t *attributes,
                                             const uint8_t *key, size_t key_bytes,
                                             psa_algorithm_t alg);
psa_status_t aesfit_psa_cipher_decrypt_setup(aesfit_psa_cipher_operation_t *operation,
                                             const psa_key_attributes_t *attributes,
                                             const uint8_t *key, size_t key_bytes,
                                             psa_algorithm_t alg);
psa_status_t aesfit_psa_cipher_set_iv(aesfit_psa_cipher_operation_t *operation, const uint8_t *iv,
                                      size_t iv_bytes);
psa_status_t aesfit_psa_cipher_update(aesfit_psa_cipher_operation_t *operation, const uint8_t *in,
                                      size_t bytes, uint8_t *out, size_t out_size,
                                      size_t *out_bytes);
psa_status_t aesfit_psa_cipher_finish(aesfit_psa_cipher_operation_t *operation, uint8_t *out,
                                      size_t out_size, size_t *out_bytes);
psa_status_t aesfit_psa_cipher_abort(aesfit_psa_cipher_operation_t *operation);

/* -------------------------------------------------------------------- AEAD */
psa_status_t aesfit_psa_aead_encrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                     size_t key_bytes, psa_algorithm_t alg, const uint8_t *nonce,
                                     size_t nonce_bytes, const uint8_t *ad, size_t ad_bytes,
                                     const uint8_t *in, size_t bytes, uint8_t *out, size_t out_size,
                                     size_t *out_bytes);
psa_status_t aesfit_psa_aead_decrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                     size_t key_bytes, psa_algorithm_t alg, const uint8_t *nonce,
                                     size_t nonce_bytes, const uint8_t *ad, size_t ad_bytes,
                                     const uint8_t *in, size_t bytes, uint8_t *out, size_t out_size,
                                     size_t *out_bytes);
psa_status_t aesfit_psa_aead_encrypt_setup(aesfit_psa_aead_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_bytes,
                                           psa_algorithm_t alg);
psa_status_t aesfit_psa_aead_decrypt_setup(aesfit_psa_aead_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_bytes,
                                           psa_algorithm_t alg);
psa_status_t aesfit_psa_aead_set_nonce(aesfit_psa_aead_operation_t *operation, const uint8_t *nonce,
                                       size_t nonce_bytes);
/* CCM needs the lengths before associated data and data; nonce and lengths come in any order. */
psa_status_t aesfit_psa_aead_set_lengths(aesfit_psa_aead_operation_t *operation, size_t ad_bytes,
                                         size_t bytes);
psa_status_t aesfit_psa_aead_update_ad(aesfit_psa_aead_operation_t *operation, const uint8_t *ad,
                                       size_t bytes);
/* Decrypted data are UNVERIFIED until aesfit_psa_aead_verify() returned PSA_SUCCESS. */
psa_status_t aesfit_psa_aead_update(aesfit_psa_aead_operation_t *operation, const uint8_t *in,
                                    size_t bytes, uint8_t *out, size_t out_size, size_t *out_bytes);
psa_status_t aesfit_psa_aead_finish(aesfit_psa_aead_operation_t *operation, uint8_t *out,
                                    size_t out_size, size_t *out_bytes, uint8_t *tag,
                                    size_t tag_size, size_t *tag_bytes);
psa_status_t aesfit_psa_aead_verify(aesfit_psa_aead_operation_t *operation, uint8_t *out,
                                    size_t out_size, size_t *out_bytes, const uint8_t *tag,
                                    size_t tag_bytes);
psa_status_t aesfit_psa_aead_abort(aesfit_psa_aead_operation_t *operation);

/* --------------------------------------------------------------------- MAC */
psa_status_t aesfit_psa_mac_compute(const psa_key_attributes_t *attributes, const uint8_t *key,
                                    size_t key_bytes, psa_algorithm_t alg, const uint8_t *in,
                                    size_t bytes, uint8_t *mac, size_t mac_size, size_t *mac_bytes);
psa_status_t aesfit_psa_mac_sign_setup(aesfit_psa_mac_operation_t *operation,
                                       const psa_key_attributes_t *attributes, const uint8_t *key,
                                       size_t key_bytes, psa_algorithm_t alg);
psa_status_t aesfit_psa_mac_verify_setup(aesfit_psa_mac_operation_t *operation,
                                         const psa_key_attributes_t *attributes, const uint8_t *key,
                                         size_t key_bytes, psa_algorithm_t alg);
psa_status_t aesfit_psa_mac_update(aesfit_psa_mac_operation_t *operation, const uint8_t *in,
                                   size_t bytes);
psa_status_t aesfit_psa_mac_sign_finish(aesfit_psa_mac_operation_t *operation, uint8_t *mac,
                                        size_t mac_size, size_t *mac_bytes);
psa_status_t aesfit_psa_mac_verify_finish(aesfit_psa_mac_operation_t *operation, const uint8_t *mac,
                                          size_t mac_bytes);
psa_status_t aesfit_psa_mac_abort(aesfit_psa_mac_operation_t *operation);

#endif
