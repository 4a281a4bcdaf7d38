/* SPDX-License-Identifier: MIT */
/* Stands before the header of the same name in the include path.  Their psa_crypto.c includes that
 * one once more after it has defined its dispatch, which is when the driver comes in. */
#include_next <mbedtls/platform.h>
#ifdef PSA_CRYPTO_MBED_TLS_DRIVER_ID
#include "../../aesfit_psa_dispatch.h"
#endif
