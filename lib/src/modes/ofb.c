/* SPDX-License-Identifier: MIT */
/* OFB: data XOR a keystream whose every block is the encryption of the one before it.
 *
 * Source: NIST SP 800-38A, 6.4.
 * Cost: serial in both directions, one block a call whatever the core's lanes.
 * Constant-time: as the core; lengths are public. */
#include "../parts/clear.h"
#include "../parts/feedback.h"

AESFIT_LOCAL void ofb_bytes(aesfit_feedback *state, uint8_t *out, const uint8_t *in, size_t bytes)
{
    xor_bytes(out, in, state->block + state->used, bytes);
    state->used = (uint8_t)(state->used + bytes);
}

CLEARED AESFIT_LOCAL int ofb_crypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out,
                                   const uint8_t *in, size_t bytes)
{
    size_t part;
    TRY(feedback_check(key, state, out, in, bytes));
    part = 16u - state->used < bytes ? 16u - state->used : bytes;
    ofb_bytes(state, out, in, part);
    for (; bytes - part >= 16; part += 16) {
        CORE_CALL(key, encrypt)(key, state->block, state->block, 1);
        xor_block(out + part, in + part, state->block);
    }
    if (part < bytes) {
        CORE_CALL(key, encrypt)(key, state->block, state->block, 1);
        state->used = 0;
        ofb_bytes(state, out + part, in + part, bytes - part);
    }
    return AESFIT_OK;
}

int aesfit_ofb_crypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out, const uint8_t *in,
                     size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, ofb_crypt(key, state, out, in, bytes));
}
