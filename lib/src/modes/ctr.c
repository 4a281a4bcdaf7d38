/* SPDX-License-Identifier: MIT */
/* CTR: data XOR the encryption of a counter; encryption and decryption are the same.
 *
 * Source: NIST SP 800-38A, 6.5 and appendix B.1 (the counter field); RFC 3686 for 32 bits.
 * Idea: the rightmost counter_bits bits count modulo 2^counter_bits, the bits left of them never
 * change.
 * Cost: the core's, in batches of its lanes if it has several; one more block for the end of a
 * message that is not a whole number of blocks, whose rest serves the next call.
 * Constant-time: as the core; counters and lengths are public, so what a core keeps of counter
 * blocks (core.h) leaks nothing. */
#include "../parts/check.h"
#include "../parts/clear.h"
#include "../parts/keystream.h"
#include "../parts/one_block.h"

int aesfit_ctr_start(aesfit_ctr *ctr, const uint8_t counter[16], unsigned counter_bits)
{
    if (ctr == NULL)
        return AESFIT_ERR_NULL;
    ctr->counter_bits = 0; /* not usable */
    if (counter == NULL)
        return AESFIT_ERR_NULL;
    CHECK_APART(ctr, sizeof *ctr, counter, 16);
    if (counter_bits < 1 || counter_bits > 128)
        return AESFIT_ERR_ARGUMENT;
    memcpy(ctr->counter, counter, 16);
    ctr->used = 16;
    ctr->counter_bits = (uint8_t)counter_bits;
    ctr->blocks_left = counter_bits < 64 ? (uint64_t)1 << counter_bits : UINT64_MAX;
    return AESFIT_OK;
}

#if AESFIT_WITH_BULK
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

/* The bulk path counts in 128 bits, so that runs end where the field wraps; then the field is 0,
 * and what carried out of it is undone. */
AESFIT_LOCAL void ctr_bulk(const aesfit_key *key, aesfit_ctr *ctr, uint8_t *out, const uint8_t *in,
                           size_t blocks)
{
    while (blocks > 0) {
        uint64_t wrap = ctr_until_wrap(ctr), high = load64_be(ctr->counter);
        uint64_t low = load64_be(ctr->counter + 8);
        size_t run = blocks < wrap ? blocks : (size_t)wrap;
        CORE_BULK(key, ctr)(key, ctr->counter, out, in, run);
        if (run == wrap) {
            store64_be(ctr->counter, high & ~ctr_mask_high(ctr));
            store64_be(ctr->counter + 8, low & ~ctr_mask_low(ctr));
        }
        in += 16 * run;
        out += 16 * run;
        blocks -= run;
    }
}
#endif

/* Whole blocks of which several are in flight. */
AESFIT_INLINE void ctr_blocks(const aesfit_key *key, aesfit_ctr *ctr, uint8_t *out,
                              const uint8_t *in, size_t blocks)
{
#if AESFIT_WITH_BULK
    if (CORE_BULK(key, ctr) != NULL) {
        ctr_bulk(key, ctr, out, in, blocks);
        return;
    }
#endif
    keystream_xor(key, ctr->counter, ctr->counter_bits, 1, out, in, blocks);
}

/* The state was started, the buffers exist, and the counter lasts for `bytes`. */
AESFIT_INLINE int ctr_check(const aesfit_key *key, const aesfit_ctr *ctr, const uint8_t *out,
                            const uint8_t *in, size_t bytes)
{
    TRY(check_key(key, AESFIT_ENCRYPT));
    if (ctr == NULL)
        return AESFIT_ERR_NULL;
    CHECK_APART(ctr, sizeof *ctr, key, sizeof *key);
    if (ctr->counter_bits < 1 || ctr->counter_bits > 128 || ctr->used > 16)
        return AESFIT_ERR_ORDER; /* not started */
    CHECK_APART(out, bytes, key, sizeof *key);
    CHECK_APART(ctr, sizeof *ctr, out, bytes);
    CHECK_APART(ctr, sizeof *ctr, in, bytes);
    return check_buffers(out, in, bytes);
}

/* Takes the blocks that `bytes` will need beyond the keystream left over from the budget. */
AESFIT_INLINE int ctr_spend(aesfit_ctr *ctr, size_t bytes)
{
    size_t left = 16u - ctr->used;
    size_t blocks = bytes > left ? (bytes - left - 1) / 16 + 1 : 0;
    if (blocks > ctr->blocks_left)
        return AESFIT_ERR_LIMIT;
    if (ctr->blocks_left != UINT64_MAX)
        ctr->blocks_left -= blocks;
    return AESFIT_OK;
}

CLEARED AESFIT_LOCAL int ctr_crypt(const aesfit_key *key, aesfit_ctr *ctr, uint8_t *out,
                                   const uint8_t *in, size_t bytes)
{
    keystream_kept kept;
    TRY(ctr_check(key, ctr, out, in, bytes));
    TRY(ctr_spend(ctr, bytes));
    keystream_begin(&kept, key, bytes / 16);
    while (bytes > 0) {
        size_t part = 16u - ctr->used;
        if (part == 0 && bytes >= 16 && (CORE_LANES(key) > 1 || bytes >= 16 * keystream_least)) {
            part = bytes / 16 * 16;
            ctr_blocks(key, ctr, out, in, bytes / 16);
        } else {
            if (part == 0) {
                keystream_block(key, &kept, ctr->keystream, ctr->counter);
                counter_next(ctr->counter, ctr->counter_bits);
                part = 16;
            }
            size_t used = 16 - part;
            part = part < bytes ? part : bytes;
            xor_part(out, in, ctr->keystream + used, part);
            ctr->used = (uint8_t)(used + part);
        }
        in += part;
        out += part;
        bytes -= part;
    }
    keystream_end(&kept);
    return AESFIT_OK;
}

int aesfit_ctr_crypt(const aesfit_key *key, aesfit_ctr *ctr, uint8_t *out, const uint8_t *in,
                     size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, ctr_crypt(key, ctr, out, in, bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

static const aesfit_streamed ctr_streams[] = {{"ctr", AESFIT_CTR, 16}};

const aesfit_mode_facts aesfit_mode_ctr = {
    .name = "ctr",
    .title = "CTR, 128-bit counter",
    .summary = "CTR: data XOR the encryption of a counter; encryption and decryption are the same",
    .standard = "NIST SP 800-38A, 6.5",
    .acvp = "ACVP-AES-CTR",
    .properties = AESFIT_MODE_KEYSTREAM | AESFIT_MODE_PUBLIC_NONCE,
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .nonce = {16, 16, 1},
    .payload = {0, AESFIT_NO_LIMIT, 1},
    .usual = {16, 0, 0},
    .nonce_called = "counter",
    .nonce_rule = "no counter value twice under one key",
    .expand_key = "aesfit_expand_key",
    .state = "aesfit_ctr",
    .start = {"aesfit_ctr_start", "&state nonce 128"},
    .encrypt = {"aesfit_ctr_crypt", "&state out in bytes"},
    .decrypt = {"aesfit_ctr_crypt", "&state out in bytes"},
    .carries = "state",
    .streams = ctr_streams,
    .stream_count = 1,
    .block_calls = 1,
    .loops = 81,
};
#endif
