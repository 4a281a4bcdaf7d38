/* SPDX-License-Identifier: MIT */
/* Puts this driver before those of Mbed TLS 3.6 or TF-PSA-Crypto 1.0.
 *
 * overlay/mbedtls/platform.h includes this file in their psa_crypto.c alone, after the functions
 * that choose a driver (psa_driver_wrapper_*) are defined there, and before they are called.  From
 * then on these names are those of the functions below, which hand on what this driver returns
 * PSA_ERROR_NOT_SUPPORTED for. */
#ifndef AESFIT_PSA_DISPATCH_H
#define AESFIT_PSA_DISPATCH_H

#include "aesfit_psa.h"

#define AESFIT_PSA_DRIVER_ID 0xAE5u /* in an operation; theirs count from 1 */

static inline int aesfit_psa_is_local(const psa_key_attributes_t *attributes)
{
    return PSA_KEY_LIFETIME_GET_LOCATION(psa_get_key_lifetime(attributes)) ==
           PSA_KEY_LOCATION_LOCAL_STORAGE;
}

#if AESFIT_PSA_CIPHERS
static inline psa_status_t aesfit_psa_first_cipher_encrypt(const psa_key_attributes_t *attributes,
                                                           const uint8_t *key, size_t key_bytes,
                                                           psa_algorithm_t alg, const uint8_t *iv,
                                                           size_t iv_bytes, const uint8_t *in,
                                                           size_t bytes, uint8_t *out,
                                                           size_t out_size, size_t *out_bytes)
{
    if (aesfit_psa_is_local(attributes)) {
        const psa_status_t status = aesfit_psa_cipher_encrypt(
            attributes, key, key_bytes, alg, iv, iv_bytes, in, bytes, out, out_size, out_bytes);
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return psa_driver_wrapper_cipher_encrypt(attributes, key, key_bytes, alg, iv, iv_bytes, in,
                                             bytes, out, out_size, out_bytes);
}

static inline psa_status_t aesfit_psa_first_cipher_decrypt(const psa_key_attributes_t *attributes,
                                                           const uint8_t *key, size_t key_bytes,
                                                           psa_algorithm_t alg, const uint8_t *in,
                                                           size_t bytes, uint8_t *out,
                                                           size_t out_size, size_t *out_bytes)
{
    if (aesfit_psa_is_local(attributes)) {
        const psa_status_t status = aesfit_psa_cipher_decrypt(attributes, key, key_bytes, alg, in,
                                                              bytes, out, out_size, out_bytes);
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return psa_driver_wrapper_cipher_decrypt(attributes, key, key_bytes, alg, in, bytes, out,
                                             out_size, out_bytes);
}

static inline psa_status_t
aesfit_psa_first_cipher_encrypt_setup(psa_cipher_operation_t *operation,
                                      const psa_key_attributes_t *attributes, const uint8_t *key,
                                      size_t key_bytes, psa_algorithm_t alg)
{
    if (aesfit_psa_is_local(attributes)) {
        const psa_status_t status = aesfit_psa_cipher_encrypt_setup(
            &operation->ctx.aesfit_ctx, attributes, key, key_bytes, alg);
        if (status == PSA_SUCCESS)
            operation->id = AESFIT_PSA_DRIVER_ID;
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return psa_driver_wrapper_cipher_encrypt_setup(operation, attributes, key, key_bytes, alg);
}

static inline psa_status_t
aesfit_psa_first_cipher_decrypt_setup(psa_cipher_operation_t *operation,
                                      const psa_key_attributes_t *attributes, const uint8_t *key,
                                      size_t key_bytes, psa_algorithm_t alg)
{
    if (aesfit_psa_is_local(attributes)) {
        const psa_status_t status = aesfit_psa_cipher_decrypt_setup(
            &operation->ctx.aesfit_ctx, attributes, key, key_bytes, alg);
        if (status == PSA_SUCCESS)
            operation->id = AESFIT_PSA_DRIVER_ID;
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return psa_driver_wrapper_cipher_decrypt_setup(operation, attributes, key, key_bytes, alg);
}

static inline psa_status_t aesfit_psa_first_cipher_set_iv(psa_cipher_operation_t *operation,
                                                          const uint8_t *iv, size_t iv_bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_cipher_set_iv(&operation->ctx.aesfit_ctx, iv, iv_bytes);
    return psa_driver_wrapper_cipher_set_iv(operation, iv, iv_bytes);
}

static inline psa_status_t aesfit_psa_first_cipher_update(psa_cipher_operation_t *operation,
                                                          const uint8_t *in, size_t bytes,
                                                          uint8_t *out, size_t out_size,
                                                          size_t *out_bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_cipher_update(&operation->ctx.aesfit_ctx, in, bytes, out, out_size,
                                        out_bytes);
    return psa_driver_wrapper_cipher_update(operation, in, bytes, out, out_size, out_bytes);
}

static inline psa_status_t aesfit_psa_first_cipher_finish(psa_cipher_operation_t *operation,
                                                          uint8_t *out, size_t out_size,
                                                          size_t *out_bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_cipher_finish(&operation->ctx.aesfit_ctx, out, out_size, out_bytes);
    return psa_driver_wrapper_cipher_finish(operation, out, out_size, out_bytes);
}

static inline psa_status_t aesfit_psa_first_cipher_abort(psa_cipher_operation_t *operation)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_cipher_abort(&operation->ctx.aesfit_ctx);
    return psa_driver_wrapper_cipher_abort(operation);
}

#define psa_driver_wrapper_cipher_encrypt aesfit_psa_first_cipher_encrypt
#define psa_driver_wrapper_cipher_decrypt aesfit_psa_first_cipher_decrypt
#define psa_driver_wrapper_cipher_encrypt_setup aesfit_psa_first_cipher_encrypt_setup
#define psa_driver_wrapper_cipher_decrypt_setup aesfit_psa_first_cipher_decrypt_setup
#define psa_driver_wrapper_cipher_set_iv aesfit_psa_first_cipher_set_iv
#define psa_driver_wrapper_cipher_update aesfit_psa_first_cipher_update
#define psa_driver_wrapper_cipher_finish aesfit_psa_first_cipher_finish
#define psa_driver_wrapper_cipher_abort aesfit_psa_first_cipher_abort
#endif

#if AESFIT_PSA_CCM || AESFIT_PSA_GCM
static inline psa_status_t aesfit_psa_first_aead_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key, size_t key_bytes,
    psa_algorithm_t alg, const uint8_t *iv, size_t iv_bytes, const uint8_t *ad, size_t ad_bytes,
    const uint8_t *in, size_t bytes, uint8_t *out, size_t out_size, size_t *out_bytes)
{
    if (aesfit_psa_is_local(attributes)) {
        const psa_status_t status =
            aesfit_psa_aead_encrypt(attributes, key, key_bytes, alg, iv, iv_bytes, ad, ad_bytes, in,
                                    bytes, out, out_size, out_bytes);
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return psa_driver_wrapper_aead_encrypt(attributes, key, key_bytes, alg, iv, iv_bytes, ad,
                                           ad_bytes, in, bytes, out, out_size, out_bytes);
}

static inline psa_status_t aesfit_psa_first_aead_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key, size_t key_bytes,
    psa_algorithm_t alg, const uint8_t *iv, size_t iv_bytes, const uint8_t *ad, size_t ad_bytes,
    const uint8_t *in, size_t bytes, uint8_t *out, size_t out_size, size_t *out_bytes)
{
    if (aesfit_psa_is_local(attributes)) {
        const psa_status_t status =
            aesfit_psa_aead_decrypt(attributes, key, key_bytes, alg, iv, iv_bytes, ad, ad_bytes, in,
                                    bytes, out, out_size, out_bytes);
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return psa_driver_wrapper_aead_decrypt(attributes, key, key_bytes, alg, iv, iv_bytes, ad,
                                           ad_bytes, in, bytes, out, out_size, out_bytes);
}

static inline psa_status_t
aesfit_psa_first_aead_encrypt_setup(psa_aead_operation_t *operation,
                                    const psa_key_attributes_t *attributes, const uint8_t *key,
                                    size_t key_bytes, psa_algorithm_t alg)
{
    if (aesfit_psa_is_local(attributes)) {
        const psa_status_t status = aesfit_psa_aead_encrypt_setup(&operation->ctx.aesfit_ctx,
                                                                  attributes, key, key_bytes, alg);
        if (status == PSA_SUCCESS)
            operation->id = AESFIT_PSA_DRIVER_ID;
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return psa_driver_wrapper_aead_encrypt_setup(operation, attributes, key, key_bytes, alg);
}

static inline psa_status_t
aesfit_psa_first_aead_decrypt_setup(psa_aead_operation_t *operation,
                                    const psa_key_attributes_t *attributes, const uint8_t *key,
                                    size_t key_bytes, psa_algorithm_t alg)
{
    if (aesfit_psa_is_local(attributes)) {
        const psa_status_t status = aesfit_psa_aead_decrypt_setup(&operation->ctx.aesfit_ctx,
                                                                  attributes, key, key_bytes, alg);
        if (status == PSA_SUCCESS)
            operation->id = AESFIT_PSA_DRIVER_ID;
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return psa_driver_wrapper_aead_decrypt_setup(operation, attributes, key, key_bytes, alg);
}

static inline psa_status_t aesfit_psa_first_aead_set_nonce(psa_aead_operation_t *operation,
                                                           const uint8_t *iv, size_t iv_bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_aead_set_nonce(&operation->ctx.aesfit_ctx, iv, iv_bytes);
    return psa_driver_wrapper_aead_set_nonce(operation, iv, iv_bytes);
}

static inline psa_status_t aesfit_psa_first_aead_set_lengths(psa_aead_operation_t *operation,
                                                             size_t ad_bytes, size_t bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_aead_set_lengths(&operation->ctx.aesfit_ctx, ad_bytes, bytes);
    return psa_driver_wrapper_aead_set_lengths(operation, ad_bytes, bytes);
}

static inline psa_status_t aesfit_psa_first_aead_update_ad(psa_aead_operation_t *operation,
                                                           const uint8_t *ad, size_t ad_bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_aead_update_ad(&operation->ctx.aesfit_ctx, ad, ad_bytes);
    return psa_driver_wrapper_aead_update_ad(operation, ad, ad_bytes);
}

static inline psa_status_t aesfit_psa_first_aead_update(psa_aead_operation_t *operation,
                                                        const uint8_t *in, size_t bytes,
                                                        uint8_t *out, size_t out_size,
                                                        size_t *out_bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_aead_update(&operation->ctx.aesfit_ctx, in, bytes, out, out_size,
                                      out_bytes);
    return psa_driver_wrapper_aead_update(operation, in, bytes, out, out_size, out_bytes);
}

static inline psa_status_t aesfit_psa_first_aead_finish(psa_aead_operation_t *operation,
                                                        uint8_t *out, size_t out_size,
                                                        size_t *out_bytes, uint8_t *tag,
                                                        size_t tag_size, size_t *tag_bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_aead_finish(&operation->ctx.aesfit_ctx, out, out_size, out_bytes, tag,
                                      tag_size, tag_bytes);
    return psa_driver_wrapper_aead_finish(operation, out, out_size, out_bytes, tag, tag_size,
                                          tag_bytes);
}

static inline psa_status_t aesfit_psa_first_aead_verify(psa_aead_operation_t *operation,
                                                        uint8_t *out, size_t out_size,
                                                        size_t *out_bytes, const uint8_t *tag,
                                                        size_t tag_bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_aead_verify(&operation->ctx.aesfit_ctx, out, out_size, out_bytes, tag,
                                      tag_bytes);
    return psa_driver_wrapper_aead_verify(operation, out, out_size, out_bytes, tag, tag_bytes);
}

static inline psa_status_t aesfit_psa_first_aead_abort(psa_aead_operation_t *operation)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_aead_abort(&operation->ctx.aesfit_ctx);
    return psa_driver_wrapper_aead_abort(operation);
}

#define psa_driver_wrapper_aead_encrypt aesfit_psa_first_aead_encrypt
#define psa_driver_wrapper_aead_decrypt aesfit_psa_first_aead_decrypt
#define psa_driver_wrapper_aead_encrypt_setup aesfit_psa_first_aead_encrypt_setup
#define psa_driver_wrapper_aead_decrypt_setup aesfit_psa_first_aead_decrypt_setup
#define psa_driver_wrapper_aead_set_nonce aesfit_psa_first_aead_set_nonce
#define psa_driver_wrapper_aead_set_lengths aesfit_psa_first_aead_set_lengths
#define psa_driver_wrapper_aead_update_ad aesfit_psa_first_aead_update_ad
#define psa_driver_wrapper_aead_update aesfit_psa_first_aead_update
#define psa_driver_wrapper_aead_finish aesfit_psa_first_aead_finish
#define psa_driver_wrapper_aead_verify aesfit_psa_first_aead_verify
#define psa_driver_wrapper_aead_abort aesfit_psa_first_aead_abort
#endif

#if AESFIT_PSA_CMAC
static inline psa_status_t aesfit_psa_first_mac_compute(const psa_key_attributes_t *attributes,
                                                        const uint8_t *key, size_t key_bytes,
                                                        psa_algorithm_t alg, const uint8_t *in,
                                                        size_t bytes, uint8_t *tag, size_t tag_size,
                                                        size_t *tag_bytes)
{
    if (aesfit_psa_is_local(attributes)) {
        const psa_status_t status = aesfit_psa_mac_compute(attributes, key, key_bytes, alg, in,
                                                           bytes, tag, tag_size, tag_bytes);
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return psa_driver_wrapper_mac_compute(attributes, key, key_bytes, alg, in, bytes, tag, tag_size,
                                          tag_bytes);
}

static inline psa_status_t aesfit_psa_first_mac_sign_setup(psa_mac_operation_t *operation,
                                                           const psa_key_attributes_t *attributes,
                                                           const uint8_t *key, size_t key_bytes,
                                                           psa_algorithm_t alg)
{
    if (aesfit_psa_is_local(attributes)) {
        const psa_status_t status =
            aesfit_psa_mac_sign_setup(&operation->ctx.aesfit_ctx, attributes, key, key_bytes, alg);
        if (status == PSA_SUCCESS)
            operation->id = AESFIT_PSA_DRIVER_ID;
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return psa_driver_wrapper_mac_sign_setup(operation, attributes, key, key_bytes, alg);
}

static inline psa_status_t aesfit_psa_first_mac_verify_setup(psa_mac_operation_t *operation,
                                                             const psa_key_attributes_t *attributes,
                                                             const uint8_t *key, size_t key_bytes,
                                                             psa_algorithm_t alg)
{
    if (aesfit_psa_is_local(attributes)) {
        const psa_status_t status = aesfit_psa_mac_verify_setup(&operation->ctx.aesfit_ctx,
                                                                attributes, key, key_bytes, alg);
        if (status == PSA_SUCCESS)
            operation->id = AESFIT_PSA_DRIVER_ID;
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return psa_driver_wrapper_mac_verify_setup(operation, attributes, key, key_bytes, alg);
}

static inline psa_status_t aesfit_psa_first_mac_update(psa_mac_operation_t *operation,
                                                       const uint8_t *in, size_t bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_mac_update(&operation->ctx.aesfit_ctx, in, bytes);
    return psa_driver_wrapper_mac_update(operation, in, bytes);
}

static inline psa_status_t aesfit_psa_first_mac_sign_finish(psa_mac_operation_t *operation,
                                                            uint8_t *tag, size_t tag_size,
                                                            size_t *tag_bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_mac_sign_finish(&operation->ctx.aesfit_ctx, tag, tag_size, tag_bytes);
    return psa_driver_wrapper_mac_sign_finish(operation, tag, tag_size, tag_bytes);
}

static inline psa_status_t aesfit_psa_first_mac_verify_finish(psa_mac_operation_t *operation,
                                                              const uint8_t *tag, size_t tag_bytes)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_mac_verify_finish(&operation->ctx.aesfit_ctx, tag, tag_bytes);
    return psa_driver_wrapper_mac_verify_finish(operation, tag, tag_bytes);
}

static inline psa_status_t aesfit_psa_first_mac_abort(psa_mac_operation_t *operation)
{
    if (operation->id == AESFIT_PSA_DRIVER_ID)
        return aesfit_psa_mac_abort(&operation->ctx.aesfit_ctx);
    return psa_driver_wrapper_mac_abort(operation);
}

#define psa_driver_wrapper_mac_compute aesfit_psa_first_mac_compute
#define psa_driver_wrapper_mac_sign_setup aesfit_psa_first_mac_sign_setup
#define psa_driver_wrapper_mac_verify_setup aesfit_psa_first_mac_verify_setup
#define psa_driver_wrapper_mac_update aesfit_psa_first_mac_update
#define psa_driver_wrapper_mac_sign_finish aesfit_psa_first_mac_sign_finish
#define psa_driver_wrapper_mac_verify_finish aesfit_psa_first_mac_verify_finish
#define psa_driver_wrapper_mac_abort aesfit_psa_first_mac_abort
#endif

#endif
