/* SPDX-License-Identifier: MIT */
/* What the three files of the driver share: statuses, the key, and wiping of outputs. */
#ifndef AESFIT_PSA_COMMON_H
#define AESFIT_PSA_COMMON_H

#include "aesfit_psa.h"

enum {
    PSA_MODE_NONE,
    PSA_MODE_ECB,
    PSA_MODE_CBC,
    PSA_MODE_CBC_PKCS7,
    PSA_MODE_XTS,
    PSA_MODE_CTR,
    PSA_MODE_CFB,
    PSA_MODE_OFB,
    PSA_MODE_CCM,
    PSA_MODE_GCM
};

/* A key size or a core that this build lacks is left to another driver. */
static inline psa_status_t psa_status_of(int status)
{
    switch (status) {
    case AESFIT_OK:
        return PSA_SUCCESS;
    case AESFIT_ERR_KEY_LENGTH:
    case AESFIT_ERR_UNKNOWN_CORE:
    case AESFIT_ERR_UNAVAILABLE:
        return PSA_ERROR_NOT_SUPPORTED;
    case AESFIT_ERR_OUTPUT_SIZE:
        return PSA_ERROR_BUFFER_TOO_SMALL;
    case AESFIT_ERR_PADDING:
        return PSA_ERROR_INVALID_PADDING;
    case AESFIT_ERR_AUTHENTICATION:
        return PSA_ERROR_INVALID_SIGNATURE;
    case AESFIT_ERR_ORDER:
        return PSA_ERROR_BAD_STATE;
    case AESFIT_ERR_SELF_TEST:
        return PSA_ERROR_CORRUPTION_DETECTED;
    default:
        return PSA_ERROR_INVALID_ARGUMENT;
    }
}

static inline int psa_is_aes(const psa_key_attributes_t *attributes)
{
    return psa_get_key_type(attributes) == PSA_KEY_TYPE_AES;
}

/* Returns `status`; on an error, `out` holds nothing. */
static inline psa_status_t psa_wiped_on_error(psa_status_t status, uint8_t *out, size_t out_size,
                                              size_t *out_bytes)
{
    if (status != PSA_SUCCESS) {
        if (out_size != 0)
            aesfit_wipe(out, out_size);
        *out_bytes = 0;
    }
    return status;
}

#endif
