/* SPDX-License-Identifier: MIT */
/* As crypto_driver_contexts_primitives.h, for the contexts of a MAC and an AEAD. */
#ifndef AESFIT_PSA_OVERLAY_COMPOSITES_H
#define AESFIT_PSA_OVERLAY_COMPOSITES_H

#include "../../aesfit_psa_contexts.h"

#define psa_driver_mac_context_t aesfit_psa_next_mac_context_t
#define psa_driver_aead_context_t aesfit_psa_next_aead_context_t
#include_next <psa/crypto_driver_contexts_composites.h>
#undef psa_driver_mac_context_t
#undef psa_driver_aead_context_t

typedef union {
    unsigned dummy;
    mbedtls_psa_mac_operation_t mbedtls_ctx;
    aesfit_psa_mac_operation_t aesfit_ctx;
} psa_driver_mac_context_t;

typedef union {
    unsigned dummy;
    mbedtls_psa_aead_operation_t mbedtls_ctx;
    aesfit_psa_aead_operation_t aesfit_ctx;
} psa_driver_aead_context_t;

#endif
