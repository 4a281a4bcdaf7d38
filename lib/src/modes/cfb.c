/* SPDX-License-Identifier: MIT */
/* CFB128: each block is XORed with the encryption of the ciphertext block before it.
 *
 * Source: NIST SP 800-38A, 6.3, s = 128.
 * Idea: state->block holds the keystream of the block under way; each byte used is replaced by its
 * ciphertext byte, so that a full block has become the next shift register.
 * Cost: encryption is serial; decryption knows all registers and fills the core's lanes.
 * Constant-time: as the core; lengths are public. */
#define AESFIT_FEEDBACK_HOME
#include "../parts/clear.h"
#include "../parts/feedback.h"
#undef AESFIT_FEEDBACK_HOME

AESFIT_LOCAL void cfb_encrypt_bytes(aesfit_feedback *state, uint8_t *out, const uint8_t *in,
                                    size_t bytes)
{
    uint8_t *block = state->block + state->used;
    for (size_t i = 0; i < bytes; i++)
        out[i] = block[i] = (uint8_t)(block[i] ^ in[i]);
    state->used = (uint8_t)(state->used + bytes);
}

AESFIT_LOCAL void cfb_decrypt_bytes(aesfit_feedback *state, uint8_t *out, const uint8_t *in,
                                    size_t bytes)
{
    uint8_t *block = state->block + state->used;
    for (size_t i = 0; i < bytes; i++) {
        uint8_t c = in[i];
        out[i] = (uint8_t)(block[i] ^ c);
        block[i] = c;
    }
    state->used = (uint8_t)(state->used + bytes);
}

AESFIT_LOCAL void cfb_encrypt_blocks(const aesfit_key *key, uint8_t block[16], uint8_t *out,
                                     const uint8_t *in, size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        CORE_CALL(key, encrypt)(key, block, block, 1);
        xor_block(block, block, in);
        memcpy(out, block, 16);
    }
}

AESFIT_LOCAL void cfb_decrypt_blocks(const aesfit_key *key, uint8_t block[16], uint8_t *out,
                                     const uint8_t *in, size_t blocks)
{
    uint8_t keystream[16 * CORE_MAX_LANES];
    while (blocks > 0) {
        size_t batch = blocks < CORE_LANES(key) ? blocks : CORE_LANES(key);
        memcpy(keystream, block, 16);
        memcpy(keystream + 16, in, 16 * (batch - 1));
        memcpy(block, in + 16 * (batch - 1), 16);
        CORE_CALL(key, encrypt)(key, keystream, keystream, batch);
        for (size_t i = 0; i < batch; i++)
            xor_block(out + 16 * i, in + 16 * i, keystream + 16 * i);
        in += 16 * batch;
        out += 16 * batch;
        blocks -= batch;
    }
    wipe(keystream, sizeof keystream);
}

/* Bytes that still come from the block under way. */
AESFIT_INLINE size_t cfb_part(const aesfit_feedback *state, size_t bytes)
{
    size_t left = 16u - state->used;
    return left < bytes ? left : bytes;
}

AESFIT_INLINE void cfb_next_keystream(const aesfit_key *key, aesfit_feedback *state)
{
    CORE_CALL(key, encrypt)(key, state->block, state->block, 1);
    state->used = 0;
}

CLEARED AESFIT_LOCAL int cfb_encrypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out,
                                     const uint8_t *in, size_t bytes)
{
    size_t part, whole;
    TRY(feedback_check(key, state, out, in, bytes));
    part = cfb_part(state, bytes);
    cfb_encrypt_bytes(state, out, in, part);
    whole = (bytes - part) / 16;
    if (whole > 0)
        cfb_encrypt_blocks(key, state->block, out + part, in + part, whole);
    part += 16 * whole;
    if (part < bytes) {
        cfb_next_keystream(key, state);
        cfb_encrypt_bytes(state, out + part, in + part, bytes - part);
    }
    return AESFIT_OK;
}

int aesfit_cfb_encrypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out,
                       const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, cfb_encrypt(key, state, out, in, bytes));
}

CLEARED AESFIT_LOCAL int cfb_decrypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out,
                                     const uint8_t *in, size_t bytes)
{
    size_t part, whole;
    TRY(feedback_check(key, state, out, in, bytes));
    part = cfb_part(state, bytes);
    cfb_decrypt_bytes(state, out, in, part);
    whole = (bytes - part) / 16;
    if (whole > 0)
        cfb_decrypt_blocks(key, state->block, out + part, in + part, whole);
    part += 16 * whole;
    if (part < bytes) {
        cfb_next_keystream(key, state);
        cfb_decrypt_bytes(state, out + part, in + part, bytes - part);
    }
    return AESFIT_OK;
}

int aesfit_cfb_decrypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out,
                       const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, cfb_decrypt(key, state, out, in, bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

static const aesfit_streamed cfb_streams[] = {{"cfb", AESFIT_CFB, 16}};

const aesfit_mode_facts aesfit_mode_cfb = {
    .name = "cfb",
    .title = "CFB128",
    .summary = "CFB128: each block is XORed with the encryption of the ciphertext block before it",
    .standard = "NIST SP 800-38A, 6.3",
    .acvp = "ACVP-AES-CFB128",
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .nonce = {16, 16, 1},
    .payload = {0, AESFIT_NO_LIMIT, 1},
    .usual = {16, 0, 0},
    .nonce_called = "iv",
    .nonce_rule = "random for every message",
    .expand_key = "aesfit_expand_key",
    .state = "aesfit_feedback",
    .start = {"aesfit_feedback_start", "&state nonce"},
    .encrypt = {"aesfit_cfb_encrypt", "&state out in bytes"},
    .decrypt = {"aesfit_cfb_decrypt", "&state out in bytes"},
    .carries = "state",
    .streams = cfb_streams,
    .stream_count = 1,
    .segment = 16,
    .block_calls = 1,
    .loops = 81,
};
#endif
