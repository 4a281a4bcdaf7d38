/* SPDX-License-Identifier: MIT */
/* aesfit_strerror(): status codes as sentences.  aesfit_wipe(): wiping for callers. */
#include "core.h"
#include "parts/wipe.h"

const char *aesfit_strerror(int status)
{
    switch (status) {
    case AESFIT_OK:
        return "The call succeeded.";
    case AESFIT_ERR_NULL:
        return "A pointer is NULL although its length is not 0.";
    case AESFIT_ERR_KEY_LENGTH:
        return "The key is not 16, 24 or 32 bytes long (XTS: 32 or 64).";
    case AESFIT_ERR_UNKNOWN_CORE:
        return "No core of that name, or no default core, is built in.";
    case AESFIT_ERR_UNAVAILABLE:
        return "This processor lacks the instructions that the core needs.";
    case AESFIT_ERR_DIRECTION:
        return "The key was not expanded for this direction.";
    case AESFIT_ERR_LENGTH:
        return "The mode does not allow data of this length.";
    case AESFIT_ERR_NONCE_LENGTH:
        return "The mode does not allow a nonce or IV of this length.";
    case AESFIT_ERR_TAG_LENGTH:
        return "The mode does not allow a tag of this length.";
    case AESFIT_ERR_OUTPUT_SIZE:
        return "The output buffer is too small.";
    case AESFIT_ERR_OVERLAP:
        return "What is written overlaps another argument (only out == in is allowed).";
    case AESFIT_ERR_PADDING:
        return "The padding is wrong.";
    case AESFIT_ERR_AUTHENTICATION:
        return "The data or its tag was changed, or the key is another one.";
    case AESFIT_ERR_LIMIT:
        return "This is more data than the standard allows under one nonce.";
    case AESFIT_ERR_ORDER:
        return "A streamed call came out of order, before the start or after the end.";
    case AESFIT_ERR_ROUNDS:
        return "The core does not take this number of study rounds.";
    case AESFIT_ERR_KEY_HALVES:
        return "The two halves of the XTS key are equal.";
    case AESFIT_ERR_HEADER:
        return "This is not an IEEE 802.11 header that CCMP can protect.";
    case AESFIT_ERR_SELF_TEST:
        return "A known answer failed: this build must not be used.";
    case AESFIT_ERR_ARGUMENT:
        return "An argument is outside its range.";
    default:
        return "This is not a status of aesfit.";
    }
}

void aesfit_wipe(void *memory, size_t bytes)
{
    if (memory != NULL && bytes > 0)
        wipe(memory, bytes);
}
