/* SPDX-License-Identifier: MIT */
/* Stands before the header of the same name in the include path, and makes room in a cipher's
 * context for this driver's; everything else is left to that header. */
#ifndef AESFIT_PSA_OVERLAY_PRIMITIVES_H
#define AESFIT_PSA_OVERLAY_PRIMITIVES_H

#include "../../aesfit_psa_contexts.h"

#define psa_driver_cipher_context_t aesfit_psa_next_cipher_context_t
#include_next <psa/crypto_driver_contexts_primitives.h>
#undef psa_driver_cipher_context_t

typedef union {
    unsigned dummy;
    mbedtls_psa_cipher_operation_t mbedtls_ctx;
    aesfit_psa_cipher_operation_t aesfit_ctx;
} psa_driver_cipher_context_t;

#endif
