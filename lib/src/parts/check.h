/* SPDX-License-Identifier: MIT */
/* Argument checks that every public mode function makes first. */
#ifndef AESFIT_PARTS_CHECK_H
#define AESFIT_PARTS_CHECK_H

#include "../core.h"
#include "overlap.h"

/* The key exists and was expanded for `direction`. */
AESFIT_INLINE int check_key(const aesfit_key *key, unsigned direction)
{
    if (key == NULL)
        return AESFIT_ERR_NULL;
    return (key->directions & direction) == direction ? AESFIT_OK : AESFIT_ERR_DIRECTION;
}

AESFIT_INLINE int check_input(const uint8_t *in, size_t bytes)
{
    return in == NULL && bytes > 0 ? AESFIT_ERR_NULL : AESFIT_OK;
}

/* Both buffers exist; with AESFIT_CHECK_OVERLAP also: at the same address or disjoint. */
AESFIT_INLINE int check_two_buffers(const uint8_t *out, size_t out_bytes, const uint8_t *in,
                                    size_t in_bytes)
{
    if ((out == NULL && out_bytes > 0) || (in == NULL && in_bytes > 0))
        return AESFIT_ERR_NULL;
    CHECK_INTO(out, out_bytes, in, in_bytes);
    return AESFIT_OK;
}

AESFIT_INLINE int check_buffers(const uint8_t *out, const uint8_t *in, size_t bytes)
{
    return check_two_buffers(out, bytes, in, bytes);
}

/* Leaves the calling function with the first error. */
#define TRY(check)                                                                                 \
    do {                                                                                           \
        int try_status = (check);                                                                  \
        if (try_status != AESFIT_OK) {                                                             \
            return try_status;                                                                     \
        }                                                                                          \
    } while (0)

#endif
