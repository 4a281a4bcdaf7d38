/* SPDX-License-Identifier: MIT */
/* The driver's AEADs: CCM and GCM, whole messages and in parts. */
#include "aesfit_psa_common.h"
#include <string.h>

#if AESFIT_PSA_CCM || AESFIT_PSA_GCM

static uint8_t mode_of(psa_algorithm_t alg)
{
    const psa_algorithm_t base = PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(alg);
    if (AESFIT_PSA_CCM && base == PSA_ALG_CCM)
        return PSA_MODE_CCM;
    if (AESFIT_PSA_GCM && base == PSA_ALG_GCM)
        return PSA_MODE_GCM;
    return PSA_MODE_NONE;
}

/* Whether the mode has tags of this length: CCM 4, 6 .. 16; GCM 4, 8, 12 .. 16. */
static int tag_is_allowed(uint8_t mode, size_t bytes)
{
    if (mode == PSA_MODE_CCM)
        return bytes >= 4 && bytes <= 16 && bytes % 2 == 0;
    return bytes == 4 || bytes == 8 || (bytes >= 12 && bytes <= 16);
}

static psa_status_t setup(aesfit_psa_aead_operation_t *operation,
                          const psa_key_attributes_t *attributes, const uint8_t *key,
                          size_t key_bytes, psa_algorithm_t alg, int decrypt)
{
    const uint8_t mode = mode_of(alg);
    const size_t tag_bytes = PSA_ALG_AEAD_GET_TAG_LENGTH(alg);
    int status = AESFIT_ERR_KEY_LENGTH;
    if (!psa_is_aes(attributes) || mode == PSA_MODE_NONE)
        return PSA_ERROR_NOT_SUPPORTED;
    if (!tag_is_allowed(mode, tag_bytes))
        return PSA_ERROR_INVALID_ARGUMENT;
#if AESFIT_PSA_CCM
    if (mode == PSA_MODE_CCM)
        status = aesfit_expand_key(&operation->of.ccm.key, AESFIT_PSA_CORE, key, key_bytes,
                                   AESFIT_ENCRYPT);
#endif
#if AESFIT_PSA_GCM
    if (mode == PSA_MODE_GCM)
        status = aesfit_gcm_expand_key(&operation->of.gcm.key, AESFIT_PSA_CORE, AESFIT_PSA_GHASH,
                                       key, key_bytes);
#endif
    if (status != AESFIT_OK)
        return psa_status_of(status);
    operation->mode = mode;
    operation->decrypt = decrypt != 0;
    operation->tag_bytes = (uint8_t)tag_bytes;
    operation->nonce_bytes = 0;
    operation->lengths_known = 0;
    operation->started = 0;
    return PSA_SUCCESS;
}

#if AESFIT_PSA_CCM
/* CCM's first block holds nonce and lengths, so it waits for both. */
static psa_status_t start_ccm(aesfit_psa_aead_operation_t *operation)
{
    if (operation->nonce_bytes == 0 || !operation->lengths_known)
        return PSA_SUCCESS;
    const int status =
        aesfit_ccm_start(&operation->of.ccm.state, &operation->of.ccm.key, operation->of.ccm.nonce,
                         operation->nonce_bytes, operation->of.ccm.ad_bytes,
                         operation->of.ccm.bytes, operation->tag_bytes);
    operation->started = status == AESFIT_OK;
    return psa_status_of(status);
}
#endif

psa_status_t aesfit_psa_aead_set_nonce(aesfit_psa_aead_operation_t *operation, const uint8_t *nonce,
                                       size_t nonce_bytes)
{
    if (operation->mode == PSA_MODE_NONE || operation->started || operation->nonce_bytes != 0)
        return PSA_ERROR_BAD_STATE;
    if (nonce == NULL || nonce_bytes == 0)
        return PSA_ERROR_INVALID_ARGUMENT;
#if AESFIT_PSA_CCM
    if (operation->mode == PSA_MODE_CCM) {
        if (nonce_bytes < 7 || nonce_bytes > 13)
            return PSA_ERROR_INVALID_ARGUMENT;
        memcpy(operation->of.ccm.nonce, nonce, nonce_bytes);
        operation->nonce_bytes = (uint8_t)nonce_bytes;
        return start_ccm(operation);
    }
#endif
#if AESFIT_PSA_GCM
    const int status =
        aesfit_gcm_start(&operation->of.gcm.state, &operation->of.gcm.key, nonce, nonce_bytes);
    operation->started = status == AESFIT_OK;
    return psa_status_of(status);
#else
    return PSA_ERROR_BAD_STATE;
#endif
}

psa_status_t aesfit_psa_aead_set_lengths(aesfit_psa_aead_operation_t *operation, size_t ad_bytes,
                                         size_t bytes)
{
    if (operation->mode == PSA_MODE_NONE || operation->lengths_known)
        return PSA_ERROR_BAD_STATE;
    operation->lengths_known = 1;
#if AESFIT_PSA_CCM
    if (operation->mode == PSA_MODE_CCM) {
        operation->of.ccm.ad_bytes = ad_bytes;
        operation->of.ccm.bytes = bytes;
        return start_ccm(operation);
    }
#endif
    (void)ad_bytes; /* GCM needs none, and refuses more than its limit as it comes */
    (void)bytes;
    return PSA_SUCCESS;
}

/* The operation may have been copied since the last call. */
static int is_ready(aesfit_psa_aead_operation_t *operation)
{
    if (operation->mode == PSA_MODE_NONE || !operation->started)
        return 0;
#if AESFIT_PSA_CCM
    if (operation->mode == PSA_MODE_CCM)
        operation->of.ccm.state.key = &operation->of.ccm.key;
#endif
#if AESFIT_PSA_GCM
    if (operation->mode == PSA_MODE_GCM)
        operation->of.gcm.state.key = &operation->of.gcm.key;
#endif
    return 1;
}

psa_status_t aesfit_psa_aead_update_ad(aesfit_psa_aead_operation_t *operation, const uint8_t *ad,
                                       size_t bytes)
{
    int status = AESFIT_ERR_ORDER;
    if (!is_ready(operation))
        return PSA_ERROR_BAD_STATE;
#if AESFIT_PSA_CCM
    if (operation->mode == PSA_MODE_CCM)
        status = aesfit_ccm_ad(&operation->of.ccm.state, ad, bytes);
#endif
#if AESFIT_PSA_GCM
    if (operation->mode == PSA_MODE_GCM)
        status = aesfit_gcm_ad(&operation->of.gcm.state, ad, bytes);
#endif
    return psa_status_of(status);
}

static int crypt(aesfit_psa_aead_operation_t *operation, uint8_t *out, const uint8_t *in,
                 size_t bytes)
{
#if AESFIT_PSA_CCM
    aesfit_ccm_state *const ccm = &operation->of.ccm.state;
    if (operation->mode == PSA_MODE_CCM)
        return operation->decrypt ? aesfit_ccm_decrypt_update_unverified(ccm, out, in, bytes)
                                  : aesfit_ccm_encrypt_update(ccm, out, in, bytes);
#endif
#if AESFIT_PSA_GCM
    aesfit_gcm_state *const gcm = &operation->of.gcm.state;
    return operation->decrypt ? aesfit_gcm_decrypt_update_unverified(gcm, out, in, bytes)
                              : aesfit_gcm_encrypt_update(gcm, out, in, bytes);
#else
    return AESFIT_ERR_ORDER;
#endif
}

psa_status_t aesfit_psa_aead_update(aesfit_psa_aead_operation_t *operation, const uint8_t *in,
                                    size_t bytes, uint8_t *out, size_t out_size, size_t *out_bytes)
{
    psa_status_t status = PSA_ERROR_BAD_STATE;
    *out_bytes = bytes;
    if (is_ready(operation))
        status = out_size < bytes ? PSA_ERROR_BUFFER_TOO_SMALL
                                  : psa_status_of(crypt(operation, out, in, bytes));
    return psa_wiped_on_error(status, out, out_size, out_bytes);
}

/* A message shorter than announced is the caller's argument, not an order of calls. */
static psa_status_t end_status_of(int status)
{
    return status == AESFIT_ERR_ORDER ? PSA_ERROR_INVALID_ARGUMENT : psa_status_of(status);
}

/* CCM without lengths is an empty message: nothing could have been given before. */
static int is_ready_to_end(aesfit_psa_aead_operation_t *operation)
{
    if (operation->mode == PSA_MODE_CCM && operation->nonce_bytes != 0 && !operation->lengths_known)
        (void)aesfit_psa_aead_set_lengths(operation, 0, 0); /* otherwise it is not ready */
    return is_ready(operation);
}

psa_status_t aesfit_psa_aead_finish(aesfit_psa_aead_operation_t *operation, uint8_t *out,
                                    size_t out_size, size_t *out_bytes, uint8_t *tag,
                                    size_t tag_size, size_t *tag_bytes)
{
    psa_status_t status = PSA_ERROR_BAD_STATE;
    (void)out; /* every update writes all that it was given */
    (void)out_size;
    *out_bytes = 0;
    *tag_bytes = operation->tag_bytes;
    if (is_ready_to_end(operation) && !operation->decrypt) {
        int result = AESFIT_ERR_ORDER;
        if (tag_size < operation->tag_bytes)
            result = AESFIT_ERR_OUTPUT_SIZE;
#if AESFIT_PSA_CCM
        else if (operation->mode == PSA_MODE_CCM)
            result = aesfit_ccm_finish(&operation->of.ccm.state, tag, operation->tag_bytes);
#endif
#if AESFIT_PSA_GCM
        else if (operation->mode == PSA_MODE_GCM)
            result = aesfit_gcm_finish(&operation->of.gcm.state, tag, operation->tag_bytes);
#endif
        status = end_status_of(result);
    }
    return psa_wiped_on_error(status, tag, tag_size, tag_bytes);
}

psa_status_t aesfit_psa_aead_verify(aesfit_psa_aead_operation_t *operation, uint8_t *out,
                                    size_t out_size, size_t *out_bytes, const uint8_t *tag,
                                    size_t tag_bytes)
{
    int result = AESFIT_ERR_ORDER;
    (void)out;
    (void)out_size;
    *out_bytes = 0;
    if (!is_ready_to_end(operation) || !operation->decrypt)
        return PSA_ERROR_BAD_STATE;
    if (tag_bytes != operation->tag_bytes)
        return PSA_ERROR_INVALID_SIGNATURE;
#if AESFIT_PSA_CCM
    if (operation->mode == PSA_MODE_CCM)
        result = aesfit_ccm_verify(&operation->of.ccm.state, tag, tag_bytes);
#endif
#if AESFIT_PSA_GCM
    if (operation->mode == PSA_MODE_GCM)
        result = aesfit_gcm_verify(&operation->of.gcm.state, tag, tag_bytes);
#endif
    return end_status_of(result);
}

psa_status_t aesfit_psa_aead_encrypt_setup(aesfit_psa_aead_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_bytes,
                                           psa_algorithm_t alg)
{
    return setup(operation, attributes, key, key_bytes, alg, 0);
}

psa_status_t aesfit_psa_aead_decrypt_setup(aesfit_psa_aead_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_bytes,
                                           psa_algorithm_t alg)
{
    return setup(operation, attributes, key, key_bytes, alg, 1);
}

psa_status_t aesfit_psa_aead_abort(aesfit_psa_aead_operation_t *operation)
{
    aesfit_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}

/* One message with the tag behind it; the key alone is kept, not a whole operation. */
psa_status_t aesfit_psa_aead_encrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                     size_t key_bytes, psa_algorithm_t alg, const uint8_t *nonce,
                                     size_t nonce_bytes, const uint8_t *ad, size_t ad_bytes,
                                     const uint8_t *in, size_t bytes, uint8_t *out, size_t out_size,
                                     size_t *out_bytes)
{
    aesfit_psa_aead_operation_t operation;
    psa_status_t status = setup(&operation, attributes, key, key_bytes, alg, 0);
    if (status == PSA_ERROR_NOT_SUPPORTED)
        return status;
    if (status == PSA_SUCCESS) {
        const size_t tag_bytes = operation.tag_bytes;
        int result = AESFIT_ERR_ORDER;
        if (out_size < tag_bytes || out_size - tag_bytes < bytes)
            result = AESFIT_ERR_OUTPUT_SIZE;
#if AESFIT_PSA_CCM
        else if (operation.mode == PSA_MODE_CCM)
            result = aesfit_ccm_encrypt(&operation.of.ccm.key, nonce, nonce_bytes, ad, ad_bytes,
                                        out, in, bytes, out + bytes, tag_bytes);
#endif
#if AESFIT_PSA_GCM
        else if (operation.mode == PSA_MODE_GCM)
            result = aesfit_gcm_encrypt(&operation.of.gcm.key, nonce, nonce_bytes, ad, ad_bytes,
                                        out, in, bytes, out + bytes, tag_bytes);
#endif
        status = psa_status_of(result);
        *out_bytes = bytes + tag_bytes;
    }
    aesfit_wipe(&operation, sizeof operation);
    return psa_wiped_on_error(status, out, out_size, out_bytes);
}

psa_status_t aesfit_psa_aead_decrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                     size_t key_bytes, psa_algorithm_t alg, const uint8_t *nonce,
                                     size_t nonce_bytes, const uint8_t *ad, size_t ad_bytes,
                                     const uint8_t *in, size_t bytes, uint8_t *out, size_t out_size,
                                     size_t *out_bytes)
{
    aesfit_psa_aead_operation_t operation;
    psa_status_t status = setup(&operation, attributes, key, key_bytes, alg, 1);
    if (status == PSA_ERROR_NOT_SUPPORTED)
        return status;
    if (status == PSA_SUCCESS && bytes < operation.tag_bytes)
        status = PSA_ERROR_INVALID_ARGUMENT;
    if (status == PSA_SUCCESS) {
        const size_t tag_bytes = operation.tag_bytes;
        const uint8_t *const tag = in + (bytes - tag_bytes);
        int result = AESFIT_ERR_ORDER;
        bytes -= tag_bytes;
        if (out_size < bytes)
            result = AESFIT_ERR_OUTPUT_SIZE;
#if AESFIT_PSA_CCM
        else if (operation.mode == PSA_MODE_CCM)
            result = aesfit_ccm_decrypt(&operation.of.ccm.key, nonce, nonce_bytes, ad, ad_bytes,
                                        out, in, bytes, tag, tag_bytes);
#endif
#if AESFIT_PSA_GCM
        else if (operation.mode == PSA_MODE_GCM)
            result = aesfit_gcm_decrypt(&operation.of.gcm.key, nonce, nonce_bytes, ad, ad_bytes,
                                        out, in, bytes, tag, tag_bytes);
#endif
        status = psa_status_of(result);
        *out_bytes = bytes;
    }
    aesfit_wipe(&operation, sizeof operation);
    return psa_wiped_on_error(status, out, out_size, out_bytes);
}
#endif
