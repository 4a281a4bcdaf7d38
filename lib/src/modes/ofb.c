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

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

static const aesfit_streamed ofb_streams[] = {{"ofb", AESFIT_OFB, 16}};

const aesfit_mode_facts aesfit_mode_ofb = {
    .name = "ofb",
    .title = "OFB",
    .summary = "OFB: data XOR a keystream whose every block is the encryption of the one before it",
    .standard = "NIST SP 800-38A, 6.4",
    .acvp = "ACVP-AES-OFB",
    .properties = AESFIT_MODE_KEYSTREAM,
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .nonce = {16, 16, 1},
    .payload = {0, AESFIT_NO_LIMIT, 1},
    .usual = {16, 0, 0},
    .nonce_called = "iv",
    .nonce_rule = "never twice under one key",
    .expand_key = "aesfit_expand_key",
    .state = "aesfit_feedback",
    .start = {"aesfit_feedback_start", "&state nonce"},
    .encrypt = {"aesfit_ofb_crypt", "&state out in bytes"},
    .decrypt = {"aesfit_ofb_crypt", "&state out in bytes"},
    .carries = "state",
    .streams = ofb_streams,
    .stream_count = 1,
    .segment = 16,
    .block_calls = 1,
    .loops = 81,
};
#endif
