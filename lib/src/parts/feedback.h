/* SPDX-License-Identifier: MIT */
/* The state that CFB128, CFB8 and OFB share, and its public start.  The function has one home in
 * the library (cfb.c defines AESFIT_FEEDBACK_HOME); a build with AESFIT_BOUND of any of the three
 * modes is one translation unit and gets it from here. */
#ifndef AESFIT_PARTS_FEEDBACK_H
#define AESFIT_PARTS_FEEDBACK_H

#include "bytes.h"
#include "check.h"
#include "wipe.h"

#if defined(AESFIT_BOUND) || defined(AESFIT_FEEDBACK_HOME)
int aesfit_feedback_start(aesfit_feedback *state, const uint8_t iv[16])
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    state->used = 0; /* not usable */
    if (iv == NULL)
        return AESFIT_ERR_NULL;
    CHECK_APART(state, sizeof *state, iv, 16);
    memcpy(state->block, iv, 16);
    state->used = 16;
    return AESFIT_OK;
}
#endif

/* These modes encrypt blocks in both directions. */
AESFIT_INLINE int feedback_check(const aesfit_key *key, const aesfit_feedback *state,
                                 const uint8_t *out, const uint8_t *in, size_t bytes)
{
    TRY(check_key(key, AESFIT_ENCRYPT));
    if (state == NULL)
        return AESFIT_ERR_NULL;
    CHECK_APART(state, sizeof *state, key, sizeof *key);
    if (state->used < 1 || state->used > 16)
        return AESFIT_ERR_ORDER; /* not started: zeros would be taken for keystream */
    CHECK_APART(out, bytes, key, sizeof *key);
    CHECK_APART(state, sizeof *state, out, bytes);
    CHECK_APART(state, sizeof *state, in, bytes);
    return check_buffers(out, in, bytes);
}

#endif
