/* SPDX-License-Identifier: MIT */
/* Nonces that do not come twice: a fixed field and a counter, or random ones with a bound on their
 * number (SP 800-38D, 8.2.1, 8.2.2 and 8.3).
 *
 * `left` is the number of nonces that the key still has, `granted` the number of those that may be
 * handed out before the source is saved again: after a reset it goes on behind all of them. */
#include "core.h"
#include "parts/bytes.h"
#include "parts/check.h"

/* What a saved source begins with; memory that was erased does not. */
enum { nonces_form = 0x5a, nonces_most = 16 };

#define NONCES_RANDOM_MOST (UINT64_C(1) << 32) /* SP 800-38D, 8.3 */

/* Values of a counter of so many bytes; 2^64 is one too many for the type. */
AESFIT_LOCAL uint64_t nonces_values(unsigned counter_bytes)
{
    return counter_bytes < 8 ? UINT64_C(1) << (8 * counter_bytes) : UINT64_MAX;
}

AESFIT_LOCAL uint64_t nonces_counter(const aesfit_nonces *nonces)
{
    const uint8_t *end = nonces->next + nonces->nonce_bytes;
    uint64_t value = 0;
    for (const uint8_t *p = end - nonces->counter_bytes; p != end; p++)
        value = value << 8 | *p;
    return value;
}

/* Adds to the counter, whose field is known to have room. */
AESFIT_LOCAL void nonces_advance(aesfit_nonces *nonces, uint64_t by)
{
    uint64_t value = nonces_counter(nonces) + by;
    for (unsigned i = 0; i < nonces->counter_bytes; i++, value >>= 8)
        nonces->next[nonces->nonce_bytes - 1u - i] = (uint8_t)value;
    nonces->left -= by;
}

AESFIT_LOCAL int nonces_begin(aesfit_nonces *nonces, size_t nonce_bytes, size_t fixed_bytes,
                              uint64_t left)
{
    memset(nonces, 0, sizeof *nonces);
    nonces->nonce_bytes = (uint8_t)nonce_bytes;
    nonces->counter_bytes = (uint8_t)(nonce_bytes - fixed_bytes);
    nonces->left = left;
    nonces->granted =
        UINT64_MAX; /* until it is saved, the memory that it lies in is all there is */
    return AESFIT_OK;
}

int aesfit_nonces_start(aesfit_nonces *nonces, size_t nonce_bytes, const uint8_t *fixed,
                        size_t fixed_bytes)
{
    if (nonces == NULL)
        return AESFIT_ERR_NULL;
    CHECK_APART(nonces, sizeof *nonces, fixed, fixed_bytes);
    nonces->nonce_bytes = 0;
    TRY(check_input(fixed, fixed_bytes));
    if (nonce_bytes < 7 || nonce_bytes > nonces_most)
        return AESFIT_ERR_NONCE_LENGTH;
    if (fixed_bytes >= nonce_bytes || nonce_bytes - fixed_bytes > 8)
        return AESFIT_ERR_ARGUMENT;
    nonces_begin(nonces, nonce_bytes, fixed_bytes,
                 nonces_values((unsigned)(nonce_bytes - fixed_bytes)));
    if (fixed_bytes > 0)
        memcpy(nonces->next, fixed, fixed_bytes);
    return AESFIT_OK;
}

int aesfit_nonces_start_random(aesfit_nonces *nonces, size_t nonce_bytes)
{
    if (nonces == NULL)
        return AESFIT_ERR_NULL;
    nonces->nonce_bytes = 0;
    if (nonce_bytes < 12 || nonce_bytes > nonces_most)
        return AESFIT_ERR_NONCE_LENGTH;
    return nonces_begin(nonces, nonce_bytes, nonce_bytes, NONCES_RANDOM_MOST);
}

int aesfit_nonces_next(aesfit_nonces *nonces, uint8_t *nonce, const uint8_t *random)
{
    if (nonces == NULL || nonce == NULL)
        return AESFIT_ERR_NULL;
    if (nonces->nonce_bytes == 0)
        return AESFIT_ERR_ORDER;
    CHECK_APART(nonces, sizeof *nonces, nonce, nonces->nonce_bytes);
    CHECK_APART(nonces, sizeof *nonces, random, nonces->nonce_bytes);
    CHECK_INTO(nonce, nonces->nonce_bytes, random, nonces->nonce_bytes);
    if ((nonces->counter_bytes == 0) != (random != NULL))
        return AESFIT_ERR_ARGUMENT;
    if (nonces->left == 0)
        return AESFIT_ERR_LIMIT;
    if (nonces->granted == 0)
        return AESFIT_ERR_ORDER;
    memcpy(nonce, random != NULL ? random : nonces->next, nonces->nonce_bytes);
    nonces_advance(nonces, 1);
    if (nonces->granted != UINT64_MAX)
        nonces->granted--;
    return AESFIT_OK;
}

int aesfit_nonces_save(aesfit_nonces *nonces, uint64_t ahead,
                       uint8_t saved[AESFIT_NONCES_SAVED_BYTES])
{
    if (nonces == NULL || saved == NULL)
        return AESFIT_ERR_NULL;
    CHECK_APART(nonces, sizeof *nonces, saved, AESFIT_NONCES_SAVED_BYTES);
    if (nonces->nonce_bytes == 0)
        return AESFIT_ERR_ORDER;
    if (nonces->left == 0)
        return AESFIT_ERR_LIMIT;
    if (ahead == 0)
        return AESFIT_ERR_ARGUMENT;
    aesfit_nonces then = *nonces;
    nonces->granted = ahead < nonces->left ? ahead : nonces->left;
    nonces_advance(&then, nonces->granted);
    saved[0] = nonces_form;
    saved[1] = nonces->nonce_bytes;
    saved[2] = nonces->counter_bytes;
    saved[3] = (uint8_t) ~(nonces_form ^ saved[1] ^ saved[2]);
    memcpy(saved + 4, then.next, nonces_most);
    store64_be(saved + 4 + nonces_most, then.left);
    return AESFIT_OK;
}

int aesfit_nonces_restore(aesfit_nonces *nonces, const uint8_t saved[AESFIT_NONCES_SAVED_BYTES])
{
    if (nonces == NULL)
        return AESFIT_ERR_NULL;
    CHECK_APART(nonces, sizeof *nonces, saved, AESFIT_NONCES_SAVED_BYTES);
    nonces->nonce_bytes = 0;
    if (saved == NULL)
        return AESFIT_ERR_NULL;
    const unsigned size = saved[1], counter = saved[2];
    const uint64_t left = load64_be(saved + 4 + nonces_most);
    if (saved[0] != nonces_form || saved[3] != (uint8_t) ~(nonces_form ^ size ^ counter) ||
        size < 7 || size > nonces_most || counter > 8 || counter >= size)
        return AESFIT_ERR_ARGUMENT;
    aesfit_nonces found;
    nonces_begin(&found, size, size - counter, left);
    memcpy(found.next, saved + 4, nonces_most);
    found.granted = 0; /* it has to be saved before the first nonce, or a second reset repeats it */
    if (counter == 0
            ? left > NONCES_RANDOM_MOST
            : left != (nonces_values(counter) - nonces_counter(&found)) % nonces_values(counter))
        return AESFIT_ERR_ARGUMENT;
    *nonces = found;
    return AESFIT_OK;
}

#undef NONCES_RANDOM_MOST
