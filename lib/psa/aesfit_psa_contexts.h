/* SPDX-License-Identifier: MIT */
/* The contexts of the PSA driver, and which modes it has; needs no header of PSA, because PSA's own
 * headers include this one before they define their types.
 *
 * A context holds its key, and no address into itself, so it may be copied. */
#ifndef AESFIT_PSA_CONTEXTS_H
#define AESFIT_PSA_CONTEXTS_H

#include "aesfit.h"

/* 1: the driver has the mode; 0: it returns PSA_ERROR_NOT_SUPPORTED, and links nothing of it. */
#ifndef AESFIT_PSA_ECB
#define AESFIT_PSA_ECB 1
#endif
#ifndef AESFIT_PSA_CBC
#define AESFIT_PSA_CBC 1
#endif
#ifndef AESFIT_PSA_CBC_PKCS7
#define AESFIT_PSA_CBC_PKCS7 1
#endif
#ifndef AESFIT_PSA_CTR
#define AESFIT_PSA_CTR 1
#endif
#ifndef AESFIT_PSA_CFB
#define AESFIT_PSA_CFB 1
#endif
#ifndef AESFIT_PSA_OFB
#define AESFIT_PSA_OFB 1
#endif
#ifndef AESFIT_PSA_CCM
#define AESFIT_PSA_CCM 1
#endif
#ifndef AESFIT_PSA_GCM
#define AESFIT_PSA_GCM 1
#endif
#ifndef AESFIT_PSA_CMAC
#define AESFIT_PSA_CMAC 1
#endif
#ifndef AESFIT_PSA_XTS
#define AESFIT_PSA_XTS 0 /* its two keys would double every context of ciphers */
#endif
#define AESFIT_PSA_BLOCKS (AESFIT_PSA_ECB || AESFIT_PSA_CBC || AESFIT_PSA_CBC_PKCS7)
#define AESFIT_PSA_BYTES (AESFIT_PSA_CTR || AESFIT_PSA_CFB || AESFIT_PSA_OFB)
#define AESFIT_PSA_CIPHERS (AESFIT_PSA_BLOCKS || AESFIT_PSA_BYTES || AESFIT_PSA_XTS)

#if AESFIT_PSA_XTS
typedef aesfit_xts_key aesfit_psa_cipher_keys; /* other modes use the first alone */
#else
typedef struct aesfit_psa_cipher_keys {
    aesfit_key data;
} aesfit_psa_cipher_keys;
#endif

typedef struct aesfit_psa_cipher_operation {
#if AESFIT_PSA_CIPHERS
    aesfit_psa_cipher_keys keys;
    union {
#if AESFIT_PSA_CTR
        aesfit_ctr ctr;
#endif
#if AESFIT_PSA_CFB || AESFIT_PSA_OFB
        aesfit_feedback feedback;
#endif
        uint8_t iv[16];
    } chain;
    uint8_t held[16]; /* input of block modes that is not processed yet */
#endif
    uint8_t held_bytes;    /* XTS: 1 behind the data unit */
    uint8_t mode, decrypt; /* mode 0: not set up */
    uint8_t iv_known;
} aesfit_psa_cipher_operation_t;

typedef struct aesfit_psa_aead_operation {
    union {
#if AESFIT_PSA_CCM
        struct {
            aesfit_key key;
            aesfit_ccm_state state;
            uint8_t nonce[16]; /* kept until the lengths are known too */
            uint64_t ad_bytes, bytes;
        } ccm;
#endif
#if AESFIT_PSA_GCM
        struct {
            aesfit_gcm_key key;
            aesfit_gcm_state state;
        } gcm;
#endif
        uint8_t none;
    } of;
    uint8_t mode, decrypt; /* mode 0: not set up */
    uint8_t tag_bytes, nonce_bytes;
    uint8_t lengths_known, started;
} aesfit_psa_aead_operation_t;

typedef struct aesfit_psa_mac_operation {
#if AESFIT_PSA_CMAC
    aesfit_key key;
    aesfit_cmac_state state;
#endif
    uint8_t tag_bytes; /* 0: not set up */
} aesfit_psa_mac_operation_t;

#endif
