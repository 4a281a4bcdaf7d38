/* SPDX-License-Identifier: MIT */
/* What the PSA driver uses of PSA's API, with the API's values, for tests without a PSA
 * implementation; docs/psa.md says how the driver was tested in real ones. */
#ifndef PSA_CRYPTO_H
#define PSA_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t psa_status_t;
typedef uint32_t psa_algorithm_t;
typedef uint16_t psa_key_type_t;
typedef struct psa_key_attributes {
    psa_key_type_t type;
} psa_key_attributes_t;

#define PSA_SUCCESS ((psa_status_t)0)
#define PSA_ERROR_NOT_SUPPORTED ((psa_status_t)-134)
#define PSA_ERROR_INVALID_ARGUMENT ((psa_status_t)-135)
#define PSA_ERROR_BAD_STATE ((psa_status_t)-137)
#define PSA_ERROR_BUFFER_TOO_SMALL ((psa_status_t)-138)
#define PSA_ERROR_INVALID_SIGNATURE ((psa_status_t)-149)
#define PSA_ERROR_INVALID_PADDING ((psa_status_t)-150)
#define PSA_ERROR_CORRUPTION_DETECTED ((psa_status_t)-151)

#define PSA_KEY_TYPE_DES ((psa_key_type_t)0x2301)
#define PSA_KEY_TYPE_AES ((psa_key_type_t)0x2400)

#define PSA_ALG_CMAC ((psa_algorithm_t)0x03c00200)
#define PSA_ALG_CBC_NO_PADDING ((psa_algorithm_t)0x04404000)
#define PSA_ALG_CBC_PKCS7 ((psa_algorithm_t)0x04404100)
#define PSA_ALG_ECB_NO_PADDING ((psa_algorithm_t)0x04404400)
#define PSA_ALG_XTS ((psa_algorithm_t)0x0440ff00)
#define PSA_ALG_CTR ((psa_algorithm_t)0x04c01000)
#define PSA_ALG_CFB ((psa_algorithm_t)0x04c01100)
#define PSA_ALG_OFB ((psa_algorithm_t)0x04c01200)
#define PSA_ALG_CCM_STAR_NO_TAG ((psa_algorithm_t)0x04c01300)
#define PSA_ALG_CCM ((psa_algorithm_t)0x05500100)
#define PSA_ALG_GCM ((psa_algorithm_t)0x05500200)

/* The length of a MAC or a tag stands in bits 16 to 21. */
#define PSA_MAC_TRUNCATED_LENGTH(alg) (((alg) >> 16) & 0x3fu)
#define PSA_ALG_FULL_LENGTH_MAC(alg) ((alg) & ~(psa_algorithm_t)0x3f8000)
#define PSA_ALG_TRUNCATED_MAC(alg, bytes)                                                          \
    (PSA_ALG_FULL_LENGTH_MAC(alg) | (psa_algorithm_t)(bytes) << 16)
#define PSA_ALG_AEAD_GET_TAG_LENGTH(alg) (((alg) >> 16) & 0x3fu)
#define PSA_ALG_AEAD_WITH_SHORTENED_TAG(alg, bytes) PSA_ALG_TRUNCATED_MAC(alg, bytes)
#define PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(alg) PSA_ALG_TRUNCATED_MAC(alg, 16)

static inline psa_key_type_t psa_get_key_type(const psa_key_attributes_t *attributes)
{
    return attributes->type;
}

#endif
