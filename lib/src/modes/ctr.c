/* SPDX-License-Identifier: MIT */
/* CTR: data XOR the encryption of a counter; encryption and decryption are the same.
 *
 * Source: NIST SP 800-38A, 6.5 and appendix B.1 (the counter field); RFC 3686 for 32 bits.
 * Idea: the rightmost counter_bits bits count modulo 2^counter_bits, the bits left of them never
 * change.  The core counts in 128 bits, so a call is split into runs that end where the field
 * wraps; afterwards the counter is set from here, which drops the carry out of the field.
 * Cost: the core's, in batches of its lanes; one more block for the end of a message that is not
 * a whole number of blocks, whose rest serves the next call.
 * Constant-time: as the core; counters and lengths are public. */
#include "../parts/check.h"
#include "../parts/keystream.h"

int aesfit_ctr_start(aesfit_ctr *ctr, const uint8_t counter[16], unsigned counter_bits)
{
    if (ctr == NULL)
        return AESFIT_ERR_NULL;
    ctr->counter_bits = 0; /* not usable */
    if (counter == NULL)
        return AESFIT_ERR_NULL;
    if (counter_bits < 1 || counter_bits > 128)
        return AESFIT_ERR_ARGUMENT;
    memcpy(ctr->counter, counter, 16);
    ctr->used = 16;
    ctr->counter_bits = (uint8_t)counter_bits;
    ctr->blocks_left = counter_bits < 64 ? (uint64_t)1 << counter_bits : UINT64_MAX;
    return AESFIT_OK;
}

/* Masks of the counter field in the left and the right half of the counter block. */
AESFIT_INLINE uint64_t ctr_mask_high(const aesfit_ctr *ctr)
{
    return ctr->counter_bits > 64 ? UINT64_MAX >> (128 - ctr->counter_bits) : 0;
}

AESFIT_INLINE uint64_t ctr_mask_low(const aesfit_ctr *ctr)
{
    return ctr->counter_bits < 64 ? UINT64_MAX >> (64 - ctr->counter_bits) : UINT64_MAX;
}

/* Blocks until the field becomes 0, at most 2^64 - 1. */
AESFIT_INLINE uint64_t ctr_until_wrap(const aesfit_ctr *ctr)
{
    uint64_t high = ~load64_be(ctr->counter) & ctr_mask_high(ctr);
    uint64_t low = ~load64_be(ctr->counter + 8) & ctr_mask_low(ctr);
    return high != 0 || low == UINT64_MAX ? UINT64_MAX : low + 1;
}

/* Adds `blocks` inside the field. */
AESFIT_INLINE void ctr_advance(aesfit_ctr *ctr, uint64_t blocks)
{
    uint64_t mask_high = ctr_mask_high(ctr), mask_low = ctr_mask_low(ctr);
    uint64_t high = load64_be(ctr->counter), low = load64_be(ctr->counter + 8);
    uint64_t sum = low + blocks, carry = sum < low ? 1 : 0;
    store64_be(ctr->counter, (high & ~mask_high) | ((high + carry) & mask_high));
    store64_be(ctr->counter + 8, (low & ~mask_low) | (sum & mask_low));
    if (ctr->blocks_left != UINT64_MAX)
        ctr->blocks_left -= blocks;
}

/* Whole blocks with a counter of 128 bits, which is advanced: bulk path or batches of lanes. */
AESFIT_LOCAL void ctr_blocks(const aesfit_key *key, uint8_t counter[16], uint8_t *out,
                             const uint8_t *in, size_t blocks)
{
#if AESFIT_WITH_BULK
    if (CORE_BULK(key, ctr) != NULL) {
        CORE_BULK(key, ctr)(key, counter, out, in, blocks);
        return;
    }
#endif
    keystream_xor(key, counter, 128, out, in, blocks);
}

AESFIT_LOCAL void ctr_whole_blocks(const aesfit_key *key, aesfit_ctr *ctr, uint8_t *out,
                                   const uint8_t *in, size_t blocks)
{
    while (blocks > 0) {
        uint8_t counter[16];
        uint64_t wrap = ctr_until_wrap(ctr);
        size_t run = blocks < wrap ? blocks : (size_t)wrap;
        if (run < wrap) { /* nothing carries out of the field: the core may count in it */
            ctr_blocks(key, ctr->counter, out, in, run);
            if (ctr->blocks_left != UINT64_MAX)
                ctr->blocks_left -= run;
            return;
        }
        memcpy(counter, ctr->counter, 16);
        ctr_blocks(key, counter, out, in, run);
        ctr_advance(ctr, run);
        in += 16 * run;
        out += 16 * run;
        blocks -= run;
    }
}

AESFIT_INLINE void ctr_from_keystream(aesfit_ctr *ctr, uint8_t *out, const uint8_t *in,
                                      size_t bytes)
{
    xor_bytes(out, in, ctr->keystream + ctr->used, bytes);
    ctr->used = (uint8_t)(ctr->used + bytes);
}

/* The state was started, the buffers exist, and the counter lasts for `bytes`. */
AESFIT_INLINE int ctr_check(const aesfit_key *key, const aesfit_ctr *ctr, const uint8_t *out,
                            const uint8_t *in, size_t bytes)
{
    TRY(check_key(key, AESFIT_ENCRYPT));
    if (ctr == NULL)
        return AESFIT_ERR_NULL;
    if (ctr->counter_bits < 1 || ctr->counter_bits > 128 || ctr->used > 16)
        return AESFIT_ERR_ORDER; /* not started */
    TRY(check_buffers(out, in, bytes));
    if (bytes > 16u - ctr->used && (bytes - (16u - ctr->used) - 1) / 16 >= ctr->blocks_left)
        return AESFIT_ERR_LIMIT;
    return AESFIT_OK;
}

int aesfit_ctr_crypt(const aesfit_key *key, aesfit_ctr *ctr, uint8_t *out, const uint8_t *in,
                     size_t bytes)
{
    size_t part, whole;
    TRY(ctr_check(key, ctr, out, in, bytes));
    part = 16u - ctr->used < bytes ? 16u - ctr->used : bytes;
    if (part > 0) {
        ctr_from_keystream(ctr, out, in, part);
        out += part;
        in += part;
        bytes -= part;
    }
    whole = bytes / 16;
    if (whole > 0)
        ctr_whole_blocks(key, ctr, out, in, whole);
    if (bytes % 16 > 0) {
        CORE_CALL(key, encrypt)(key, ctr->keystream, ctr->counter, 1);
        ctr_advance(ctr, 1);
        ctr->used = 0;
        ctr_from_keystream(ctr, out + 16 * whole, in + 16 * whole, bytes % 16);
    }
    return AESFIT_OK;
}
