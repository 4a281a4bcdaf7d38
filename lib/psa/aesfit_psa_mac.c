/* SPDX-License-Identifier: MIT */
/* The driver's MAC: CMAC, truncated to any length that PSA allows. */
#include "aesfit_psa_common.h"

#if AESFIT_PSA_CMAC

/* The tag's bytes, or 0 if the driver does not do this algorithm. */
static size_t tag_bytes_of(const psa_key_attributes_t *attributes, psa_algorithm_t alg)
{
    if (!psa_is_aes(attributes) || PSA_ALG_FULL_LENGTH_MAC(alg) != PSA_ALG_CMAC)
        return 0;
    const size_t truncated = PSA_MAC_TRUNCATED_LENGTH(alg);
    return truncated == 0 ? 16 : truncated;
}

static psa_status_t setup(aesfit_psa_mac_operation_t *operation,
                          const psa_key_attributes_t *attributes, const uint8_t *key,
                          size_t key_bytes, psa_algorithm_t alg)
{
    const size_t tag_bytes = tag_bytes_of(attributes, alg);
    if (tag_bytes == 0)
        return PSA_ERROR_NOT_SUPPORTED;
    if (tag_bytes < 4 || tag_bytes > 16)
        return PSA_ERROR_INVALID_ARGUMENT;
    int status =
        aesfit_expand_key(&operation->key, AESFIT_PSA_CORE, key, key_bytes, AESFIT_ENCRYPT);
    if (status == AESFIT_OK)
        status = aesfit_cmac_start(&operation->state, &operation->key);
    if (status == AESFIT_OK)
        operation->tag_bytes = (uint8_t)tag_bytes;
    return psa_status_of(status);
}

psa_status_t aesfit_psa_mac_sign_setup(aesfit_psa_mac_operation_t *operation,
                                       const psa_key_attributes_t *attributes, const uint8_t *key,
                                       size_t key_bytes, psa_algorithm_t alg)
{
    return setup(operation, attributes, key, key_bytes, alg);
}

psa_status_t aesfit_psa_mac_verify_setup(aesfit_psa_mac_operation_t *operation,
                                         const psa_key_attributes_t *attributes, const uint8_t *key,
                                         size_t key_bytes, psa_algorithm_t alg)
{
    return setup(operation, attributes, key, key_bytes, alg);
}

psa_status_t aesfit_psa_mac_update(aesfit_psa_mac_operation_t *operation, const uint8_t *in,
                                   size_t bytes)
{
    if (operation->tag_bytes == 0)
        return PSA_ERROR_BAD_STATE;
    operation->state.key = &operation->key;
    return psa_status_of(aesfit_cmac_update(&operation->state, in, bytes));
}

psa_status_t aesfit_psa_mac_sign_finish(aesfit_psa_mac_operation_t *operation, uint8_t *mac,
                                        size_t mac_size, size_t *mac_bytes)
{
    psa_status_t status = PSA_ERROR_BAD_STATE;
    *mac_bytes = operation->tag_bytes;
    if (operation->tag_bytes != 0 && mac_size < operation->tag_bytes)
        status = PSA_ERROR_BUFFER_TOO_SMALL;
    else if (operation->tag_bytes != 0) {
        operation->state.key = &operation->key;
        status = psa_status_of(aesfit_cmac_finish(&operation->state, mac, operation->tag_bytes));
    }
    return psa_wiped_on_error(status, mac, mac_size, mac_bytes);
}

psa_status_t aesfit_psa_mac_verify_finish(aesfit_psa_mac_operation_t *operation, const uint8_t *mac,
                                          size_t mac_bytes)
{
    uint8_t tag[16];
    size_t tag_bytes;
    unsigned differs = 0;
    if (operation->tag_bytes == 0)
        return PSA_ERROR_BAD_STATE;
    if (mac_bytes != operation->tag_bytes)
        return PSA_ERROR_INVALID_SIGNATURE;
    const psa_status_t status = aesfit_psa_mac_sign_finish(operation, tag, sizeof tag, &tag_bytes);
    if (status != PSA_SUCCESS)
        return status;
    for (size_t i = 0; i < tag_bytes;
         i++) /* no early end, whose time would tell where it differs */
        differs |= (unsigned)(tag[i] ^ mac[i]);
    aesfit_wipe(tag, sizeof tag);
    return differs == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}

psa_status_t aesfit_psa_mac_abort(aesfit_psa_mac_operation_t *operation)
{
    aesfit_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}

psa_status_t aesfit_psa_mac_compute(const psa_key_attributes_t *attributes, const uint8_t *key,
                                    size_t key_bytes, psa_algorithm_t alg, const uint8_t *in,
                                    size_t bytes, uint8_t *mac, size_t mac_size, size_t *mac_bytes)
{
    aesfit_psa_mac_operation_t operation = {0};
    psa_status_t status = setup(&operation, attributes, key, key_bytes, alg);
    if (status == PSA_ERROR_NOT_SUPPORTED)
        return status;
    if (status == PSA_SUCCESS)
        status = aesfit_psa_mac_update(&operation, in, bytes);
    if (status == PSA_SUCCESS)
        status = aesfit_psa_mac_sign_finish(&operation, mac, mac_size, mac_bytes);
    aesfit_wipe(&operation, sizeof operation);
    return psa_wiped_on_error(status, mac, mac_size, mac_bytes);
}
#endif
