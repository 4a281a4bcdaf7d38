/* SPDX-License-Identifier: MIT */
/* The driver's ciphers: ECB, CBC with and without padding, XTS, CTR, CFB and OFB. */
#include "aesfit_psa_common.h"
#include <string.h>

#if AESFIT_PSA_CIPHERS

static uint8_t mode_of(psa_algorithm_t alg)
{
    if (AESFIT_PSA_ECB && alg == PSA_ALG_ECB_NO_PADDING)
        return PSA_MODE_ECB;
    if (AESFIT_PSA_CBC && alg == PSA_ALG_CBC_NO_PADDING)
        return PSA_MODE_CBC;
    if (AESFIT_PSA_CBC_PKCS7 && alg == PSA_ALG_CBC_PKCS7)
        return PSA_MODE_CBC_PKCS7;
    if (AESFIT_PSA_XTS && alg == PSA_ALG_XTS)
        return PSA_MODE_XTS;
    if (AESFIT_PSA_CTR && alg == PSA_ALG_CTR)
        return PSA_MODE_CTR;
    if (AESFIT_PSA_CFB && alg == PSA_ALG_CFB)
        return PSA_MODE_CFB;
    if (AESFIT_PSA_OFB && alg == PSA_ALG_OFB)
        return PSA_MODE_OFB;
    return PSA_MODE_NONE;
}

static int is_bytewise(uint8_t mode)
{
    return mode >= PSA_MODE_CTR;
}

static unsigned direction_of(uint8_t mode, int decrypt)
{
#if AESFIT_PSA_BLOCKS || AESFIT_PSA_XTS
    if (!is_bytewise(mode) && decrypt)
        return AESFIT_DECRYPT;
#endif
    (void)mode;
    (void)decrypt;
    return AESFIT_ENCRYPT;
}

static int expand_keys(aesfit_psa_cipher_keys *keys, uint8_t mode, const uint8_t *key,
                       size_t key_bytes, unsigned direction)
{
#if AESFIT_PSA_XTS
    if (mode == PSA_MODE_XTS)
        return aesfit_xts_expand_key(keys, AESFIT_PSA_CORE, key, key_bytes, direction);
#endif
    (void)mode;
#if AESFIT_PSA_BLOCKS || AESFIT_PSA_BYTES
    return aesfit_expand_key(&keys->data, AESFIT_PSA_CORE, key, key_bytes, direction);
#else
    return AESFIT_ERR_ORDER;
#endif
}

static psa_status_t setup(aesfit_psa_cipher_operation_t *operation,
                          const psa_key_attributes_t *attributes, const uint8_t *key,
                          size_t key_bytes, psa_algorithm_t alg, int decrypt)
{
    const uint8_t mode = mode_of(alg);
    if (!psa_is_aes(attributes) || mode == PSA_MODE_NONE)
        return PSA_ERROR_NOT_SUPPORTED;
    const int status =
        expand_keys(&operation->keys, mode, key, key_bytes, direction_of(mode, decrypt));
    if (status != AESFIT_OK)
        return psa_status_of(status);
    operation->mode = mode;
    operation->decrypt = decrypt != 0;
    operation->held_bytes = 0;
    operation->iv_known = mode == PSA_MODE_ECB;
    return PSA_SUCCESS;
}

psa_status_t aesfit_psa_cipher_set_iv(aesfit_psa_cipher_operation_t *operation, const uint8_t *iv,
                                      size_t iv_bytes)
{
    if (operation->mode == PSA_MODE_NONE || operation->iv_known)
        return PSA_ERROR_BAD_STATE;
    if (iv_bytes != 16 || iv == NULL)
        return PSA_ERROR_INVALID_ARGUMENT;
    int status = AESFIT_OK;
#if AESFIT_PSA_CTR
    if (operation->mode == PSA_MODE_CTR)
        status = aesfit_ctr_start(&operation->chain.ctr, iv, 128);
#endif
#if AESFIT_PSA_CFB || AESFIT_PSA_OFB
    if (operation->mode == PSA_MODE_CFB || operation->mode == PSA_MODE_OFB)
        status = aesfit_feedback_start(&operation->chain.feedback, iv);
#endif
    if (!is_bytewise(operation->mode))
        memcpy(operation->chain.iv, iv, 16);
    operation->iv_known = status == AESFIT_OK;
    return psa_status_of(status);
}

#if AESFIT_PSA_BYTES
static int crypt_bytes(aesfit_psa_cipher_operation_t *operation, uint8_t *out, const uint8_t *in,
                       size_t bytes)
{
#if AESFIT_PSA_CTR
    if (operation->mode == PSA_MODE_CTR)
        return aesfit_ctr_crypt(&operation->keys.data, &operation->chain.ctr, out, in, bytes);
#endif
#if AESFIT_PSA_OFB
    if (operation->mode == PSA_MODE_OFB)
        return aesfit_ofb_crypt(&operation->keys.data, &operation->chain.feedback, out, in, bytes);
#endif
#if AESFIT_PSA_CFB
    if (operation->decrypt)
        return aesfit_cfb_decrypt(&operation->keys.data, &operation->chain.feedback, out, in,
                                  bytes);
    return aesfit_cfb_encrypt(&operation->keys.data, &operation->chain.feedback, out, in, bytes);
#else
    return AESFIT_ERR_ORDER;
#endif
}
#endif

#if AESFIT_PSA_BLOCKS
static int crypt_blocks(aesfit_psa_cipher_operation_t *operation, uint8_t *out, const uint8_t *in,
                        size_t bytes)
{
    if (bytes == 0)
        return AESFIT_OK;
#if AESFIT_PSA_ECB
    if (operation->mode == PSA_MODE_ECB)
        return operation->decrypt ? aesfit_ecb_decrypt(&operation->keys.data, out, in, bytes)
                                  : aesfit_ecb_encrypt(&operation->keys.data, out, in, bytes);
#endif
#if AESFIT_PSA_CBC || AESFIT_PSA_CBC_PKCS7
    uint8_t *const iv = operation->chain.iv;
    return operation->decrypt ? aesfit_cbc_decrypt(&operation->keys.data, iv, out, in, bytes)
                              : aesfit_cbc_encrypt(&operation->keys.data, iv, out, in, bytes);
#else
    return AESFIT_ERR_ORDER;
#endif
}

/* Bytes that stay held of `total`: an incomplete block, and the last block where padding may be. */
static size_t bytes_to_hold(const aesfit_psa_cipher_operation_t *operation, size_t total)
{
    const size_t rest = total % 16;
    if (rest == 0 && total != 0 && operation->mode == PSA_MODE_CBC_PKCS7 && operation->decrypt)
        return 16;
    return rest;
}

static psa_status_t update_blocks(aesfit_psa_cipher_operation_t *operation, const uint8_t *in,
                                  size_t bytes, uint8_t *out, size_t out_size, size_t *out_bytes)
{
    const size_t total = operation->held_bytes + bytes;
    const size_t writes = total - bytes_to_hold(operation, total);
    int status = AESFIT_OK;
    if (total < bytes)
        return PSA_ERROR_INVALID_ARGUMENT;
    if (out_size < writes)
        return PSA_ERROR_BUFFER_TOO_SMALL;
    if (writes != 0) {
        size_t first = 0; /* bytes of the block that began in an earlier call */
        if (operation->held_bytes != 0) {
            const size_t missing = 16u - operation->held_bytes;
            memcpy(operation->held + operation->held_bytes, in, missing);
            in += missing;
            bytes -= missing;
            first = 16;
            status = crypt_blocks(operation, out, operation->held, 16);
        }
        if (status == AESFIT_OK)
            status = crypt_blocks(operation, out + first, in, writes - first);
        in += writes - first;
        bytes -= writes - first;
        operation->held_bytes = 0;
    }
    if (bytes != 0)
        memcpy(operation->held + operation->held_bytes, in, bytes);
    operation->held_bytes = (uint8_t)(operation->held_bytes + bytes);
    *out_bytes = writes;
    return psa_status_of(status);
}
#endif

#if AESFIT_PSA_XTS
/* The whole data unit comes in one call, because PSA gives finish() no room for stolen bytes. */
static psa_status_t update_xts(aesfit_psa_cipher_operation_t *operation, const uint8_t *in,
                               size_t bytes, uint8_t *out, size_t out_size, size_t *out_bytes)
{
    const uint8_t *const tweak = operation->chain.iv;
    if (operation->held_bytes != 0)
        return PSA_ERROR_BAD_STATE;
    if (out_size < bytes)
        return PSA_ERROR_BUFFER_TOO_SMALL;
    operation->held_bytes = 1;
    *out_bytes = bytes;
    return psa_status_of(operation->decrypt
                             ? aesfit_xts_decrypt(&operation->keys, tweak, out, in, bytes)
                             : aesfit_xts_encrypt(&operation->keys, tweak, out, in, bytes));
}
#endif

psa_status_t aesfit_psa_cipher_update(aesfit_psa_cipher_operation_t *operation, const uint8_t *in,
                                      size_t bytes, uint8_t *out, size_t out_size,
                                      size_t *out_bytes)
{
    psa_status_t status = PSA_ERROR_BAD_STATE;
    *out_bytes = 0;
    if (operation->mode == PSA_MODE_NONE || !operation->iv_known)
        return psa_wiped_on_error(status, out, out_size, out_bytes);
#if AESFIT_PSA_XTS
    if (operation->mode == PSA_MODE_XTS)
        status = update_xts(operation, in, bytes, out, out_size, out_bytes);
#endif
#if AESFIT_PSA_BLOCKS
    if (!is_bytewise(operation->mode) && operation->mode != PSA_MODE_XTS)
        status = update_blocks(operation, in, bytes, out, out_size, out_bytes);
#endif
#if AESFIT_PSA_BYTES
    if (is_bytewise(operation->mode)) {
        status = out_size < bytes ? PSA_ERROR_BUFFER_TOO_SMALL
                                  : psa_status_of(crypt_bytes(operation, out, in, bytes));
        *out_bytes = bytes;
    }
#endif
    return psa_wiped_on_error(status, out, out_size, out_bytes);
}

#if AESFIT_PSA_CBC_PKCS7
static psa_status_t finish_padded(aesfit_psa_cipher_operation_t *operation, uint8_t *out,
                                  size_t out_size, size_t *out_bytes)
{
    uint8_t block[16];
    size_t bytes = 16;
    int status = AESFIT_OK;
    if (operation->decrypt) {
        if (operation->held_bytes != 16)
            return PSA_ERROR_INVALID_ARGUMENT;
        status = crypt_blocks(operation, block, operation->held, 16);
        if (status == AESFIT_OK)
            status = aesfit_pkcs7_unpad(block, &bytes);
    } else {
        uint8_t padded[16];
        status = aesfit_pkcs7_pad(padded, operation->held, operation->held_bytes);
        if (status == AESFIT_OK)
            status = crypt_blocks(operation, block, padded, 16);
        aesfit_wipe(padded, sizeof padded);
    }
    if (status == AESFIT_OK && out_size < bytes)
        status = AESFIT_ERR_OUTPUT_SIZE;
    if (status == AESFIT_OK) {
        if (bytes != 0)
            memcpy(out, block, bytes);
        *out_bytes = bytes;
    }
    aesfit_wipe(block, sizeof block);
    return psa_status_of(status);
}
#endif

psa_status_t aesfit_psa_cipher_finish(aesfit_psa_cipher_operation_t *operation, uint8_t *out,
                                      size_t out_size, size_t *out_bytes)
{
    psa_status_t status = PSA_SUCCESS;
    *out_bytes = 0;
    if (operation->mode == PSA_MODE_NONE || !operation->iv_known)
        status = PSA_ERROR_BAD_STATE;
#if AESFIT_PSA_CBC_PKCS7
    else if (operation->mode == PSA_MODE_CBC_PKCS7)
        status = finish_padded(operation, out, out_size, out_bytes);
#endif
    else if ((operation->held_bytes != 0) != (operation->mode == PSA_MODE_XTS))
        status = PSA_ERROR_INVALID_ARGUMENT; /* a part of a block, or no data unit */
    return psa_wiped_on_error(status, out, out_size, out_bytes);
}

/* One message; `iv_bytes` is 0 for ECB. */
static psa_status_t whole(const psa_key_attributes_t *attributes, const uint8_t *key,
                          size_t key_bytes, psa_algorithm_t alg, int decrypt, const uint8_t *iv,
                          size_t iv_bytes, const uint8_t *in, size_t bytes, uint8_t *out,
                          size_t out_size, size_t *out_bytes)
{
    aesfit_psa_cipher_operation_t operation;
    size_t updated = 0;
    size_t finished = 0;
    psa_status_t status = setup(&operation, attributes, key, key_bytes, alg, decrypt);
    if (status == PSA_ERROR_NOT_SUPPORTED)
        return status;
    if (status == PSA_SUCCESS) {
        if (operation.mode != PSA_MODE_ECB)
            status = aesfit_psa_cipher_set_iv(&operation, iv, iv_bytes);
        else if (iv_bytes != 0)
            status = PSA_ERROR_INVALID_ARGUMENT;
    }
    if (status == PSA_SUCCESS)
        status = aesfit_psa_cipher_update(&operation, in, bytes, out, out_size, &updated);
    if (status == PSA_SUCCESS)
        status = aesfit_psa_cipher_finish(&operation, updated != 0 ? out + updated : out,
                                          out_size - updated, &finished);
    *out_bytes = updated + finished;
    aesfit_wipe(&operation, sizeof operation);
    return psa_wiped_on_error(status, out, out_size, out_bytes);
}

psa_status_t aesfit_psa_cipher_encrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                       size_t key_bytes, psa_algorithm_t alg, const uint8_t *iv,
                                       size_t iv_bytes, const uint8_t *in, size_t bytes,
                                       uint8_t *out, size_t out_size, size_t *out_bytes)
{
    return whole(attributes, key, key_bytes, alg, 0, iv, iv_bytes, in, bytes, out, out_size,
                 out_bytes);
}

psa_status_t aesfit_psa_cipher_decrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                       size_t key_bytes, psa_algorithm_t alg, const uint8_t *in,
                                       size_t bytes, uint8_t *out, size_t out_size,
                                       size_t *out_bytes)
{
    const size_t iv_bytes = mode_of(alg) == PSA_MODE_ECB ? 0 : 16;
    if (mode_of(alg) == PSA_MODE_NONE || !psa_is_aes(attributes))
        return PSA_ERROR_NOT_SUPPORTED;
    if (bytes < iv_bytes)
        return psa_wiped_on_error(PSA_ERROR_INVALID_ARGUMENT, out, out_size, out_bytes);
    return whole(attributes, key, key_bytes, alg, 1, in, iv_bytes, iv_bytes != 0 ? in + 16 : in,
                 bytes - iv_bytes, out, out_size, out_bytes);
}

psa_status_t aesfit_psa_cipher_encrypt_setup(aesfit_psa_cipher_operation_t *operation,
                                             const psa_key_attributes_t *attributes,
                                             const uint8_t *key, size_t key_bytes,
                                             psa_algorithm_t alg)
{
    return setup(operation, attributes, key, key_bytes, alg, 0);
}

psa_status_t aesfit_psa_cipher_decrypt_setup(aesfit_psa_cipher_operation_t *operation,
                                             const psa_key_attributes_t *attributes,
                                             const uint8_t *key, size_t key_bytes,
                                             psa_algorithm_t alg)
{
    return setup(operation, attributes, key, key_bytes, alg, 1);
}

psa_status_t aesfit_psa_cipher_abort(aesfit_psa_cipher_operation_t *operation)
{
    aesfit_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
#endif
