/* SPDX-License-Identifier: MIT */
/* The verdict over a tag. */
#ifndef AESFIT_PARTS_VERDICT_H
#define AESFIT_PARTS_VERDICT_H

#include "compare.h"
#include "declassify.h"
#include "wipe.h"

/* Whether `tag` begins the right one, which is wiped. */
AESFIT_LOCAL int tag_verdict(uint8_t computed[16], const uint8_t *tag, size_t tag_bytes)
{
    uint32_t good = equal_bytes(computed, tag, tag_bytes);
    wipe(computed, 16);
    declassify(&good, sizeof good); /* the verdict is the result of the call */
    return good ? AESFIT_OK : AESFIT_ERR_AUTHENTICATION;
}

#endif
