/* SPDX-License-Identifier: MIT */
/* The debug check that what a call writes shares no byte with anything else it is given.
 *
 * CHECK_APART(written, bytes, other, other_bytes) leaves the calling function with
 * AESFIT_ERR_OVERLAP in builds with AESFIT_CHECK_OVERLAP, and is nothing elsewhere.
 * CHECK_INTO() does the same for an output that may be the input itself, CHECK_MESSAGE_APART() for
 * something written beside a message's key, nonce and associated data, CHECK_RESULT_APART() for a
 * number that is written before anything is read. */
#ifndef AESFIT_PARTS_OVERLAP_H
#define AESFIT_PARTS_OVERLAP_H

#ifdef AESFIT_CHECK_OVERLAP
#include "../core.h"

AESFIT_INLINE int overlaps(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    uintptr_t at = (uintptr_t)a, other = (uintptr_t)b;
    return a != NULL && b != NULL && a_bytes > 0 && b_bytes > 0 &&
           (at <= other ? other - at < a_bytes : at - other < b_bytes);
}

#define CHECK_APART(written, bytes, other, other_bytes)                                            \
    do {                                                                                           \
        if (overlaps(written, bytes, other, other_bytes))                                          \
            return AESFIT_ERR_OVERLAP;                                                             \
    } while (0)
#define CHECK_INTO(out, out_bytes, in, in_bytes)                                                   \
    do {                                                                                           \
        if ((out) != (in) && overlaps(out, out_bytes, in, in_bytes))                               \
            return AESFIT_ERR_OVERLAP;                                                             \
    } while (0)
#define CHECK_MESSAGE_APART(written, bytes, key, nonce, nonce_bytes, ad, ad_bytes)                 \
    do {                                                                                           \
        CHECK_APART(written, bytes, key, sizeof *(key));                                           \
        CHECK_APART(written, bytes, nonce, nonce_bytes);                                           \
        CHECK_APART(written, bytes, ad, ad_bytes);                                                 \
    } while (0)
#define CHECK_RESULT_APART(result, key, in, in_bytes)                                              \
    do {                                                                                           \
        CHECK_APART(result, sizeof *(result), key, sizeof *(key));                                 \
        CHECK_APART(result, sizeof *(result), in, in_bytes);                                       \
    } while (0)
#else
#define CHECK_APART(written, bytes, other, other_bytes) ((void)0)
#define CHECK_INTO(out, out_bytes, in, in_bytes) ((void)0)
#define CHECK_MESSAGE_APART(written, bytes, key, nonce, nonce_bytes, ad, ad_bytes) ((void)0)
#define CHECK_RESULT_APART(result, key, in, in_bytes) ((void)0)
#endif

#endif
