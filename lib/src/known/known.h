/* SPDX-License-Identifier: MIT */
/* Known answers: known/<mode>.h holds what a mode makes of one message, for each key size that is
 * built in, and known_<mode>(core, key_bytes, text), which is 1 when the mode makes that, takes it
 * back (unless the build only encrypts) and refuses a wrong tag.
 *
 * Byte i of `text` is i: key, nonce, associated data and data are parts of it, so that only answers
 * take flash.  tools/make_known_answers.py computes them. */
#ifndef AESFIT_KNOWN_H
#define AESFIT_KNOWN_H

#include "../core.h"
#include "../parts/compare.h"
#include "../parts/memory.h"

/* 1 where blocks can be decrypted.  A key is expanded for one direction after the other, because a
 * build may have no room for both (AESFIT_KEYS_FOR_BOTH). */
#define AESFIT_KNOWN_INVERSE (!AESFIT_BOUND_ENCRYPT_ONLY && (AESFIT_BOUND_DIRECTIONS & 2) != 0)

/* Where the parts start; the key comes first.  CCMP takes the last two together, as an MPDU. */
enum { known_nonce = 64, known_ad = 80, known_data = 104, known_bytes = 152 };

/* All functions of the self-test are AESFIT_COLD, so that the compiler makes the functions of the
 * library that they call (nearly) as it makes them without a self-test. */

/* out = 0, step, 2 step, ... */
AESFIT_COLD AESFIT_LOCAL void known_fill(uint8_t *out, size_t bytes, unsigned step)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(i * step);
}

AESFIT_COLD AESFIT_LOCAL int known_equal(const uint8_t *made, const uint8_t *answer, size_t bytes)
{
    return equal_bytes(made, answer, bytes) != 0;
}

/* Which of the answers belongs to keys of this size: there is one for each that is built in. */
AESFIT_INLINE size_t known_row(size_t key_bytes)
{
    size_t row = 0;
    if (!BOUND_LACKS_SIZE(1) && !(BOUND_LACKS_SIZE(2) && BOUND_LACKS_SIZE(4)) && key_bytes > 16)
        row++;
    if (!BOUND_LACKS_SIZE(2) && !BOUND_LACKS_SIZE(4) && key_bytes > 24)
        row++;
    return row;
}

#endif
