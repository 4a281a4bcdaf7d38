/* SPDX-License-Identifier: MIT */
/* Arguments of GCM (SP 800-38D): lengths that the standard allows, and pointers. */
#ifndef AESFIT_PARTS_GCM_CHECK_H
#define AESFIT_PARTS_GCM_CHECK_H

#include "check.h"

/* 64 bits: on 32-bit machines no size_t reaches the limits, but streams do. */
AESFIT_LOCAL int gcm_check_limits(uint64_t ad_bytes, uint64_t bytes)
{
    return ad_bytes >> 61 == 0 && bytes <= (UINT64_C(1) << 36) - 32 ? AESFIT_OK : AESFIT_ERR_LIMIT;
}

AESFIT_LOCAL int gcm_check(const aesfit_gcm_key *key, const uint8_t *nonce, size_t nonce_bytes)
{
    if (key == NULL)
        return AESFIT_ERR_NULL;
    TRY(check_key(&key->aes, AESFIT_ENCRYPT));
    TRY(check_input(nonce, nonce_bytes));
    return nonce_bytes >= 1 && (uint64_t)nonce_bytes >> 61 == 0 ? AESFIT_OK
                                                                : AESFIT_ERR_NONCE_LENGTH;
}

AESFIT_LOCAL int gcm_check_tag(const uint8_t *tag, size_t tag_bytes)
{
    if (tag_bytes != 4 && tag_bytes != 8 && (tag_bytes < 12 || tag_bytes > 16))
        return AESFIT_ERR_TAG_LENGTH;
    return check_input(tag, tag_bytes);
}

AESFIT_LOCAL int gcm_check_message(const aesfit_gcm_key *key, const uint8_t *nonce,
                                   size_t nonce_bytes, const uint8_t *ad, size_t ad_bytes,
                                   const uint8_t *out, const uint8_t *in, size_t bytes,
                                   const uint8_t *tag, size_t tag_bytes)
{
    TRY(gcm_check(key, nonce, nonce_bytes));
    TRY(gcm_check_tag(tag, tag_bytes));
    TRY(gcm_check_limits(ad_bytes, bytes));
    TRY(check_input(ad, ad_bytes));
    CHECK_APART(out, bytes, tag, tag_bytes);
    CHECK_MESSAGE_APART(out, bytes, key, nonce, nonce_bytes, ad, ad_bytes);
    return check_buffers(out, in, bytes);
}

#endif
