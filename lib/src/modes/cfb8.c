/* SPDX-License-Identifier: MIT */
/* CFB8: a 16-byte shift register of ciphertext; its encryption's first byte masks one data byte.
 *
 * Source: NIST SP 800-38A, 6.3, s = 8.
 * Idea: the register is a window that slides over IV and ciphertext in one array, so nothing is
 * shifted; every 16 bytes the window moves back to the array's start.
 * Cost: one block per byte.  Encryption is serial; decryption knows all windows and fills the
 * core's lanes.
 * Constant-time: as the core; lengths are public. */
#include "../parts/clear.h"
#include "../parts/feedback.h"

/* Up to 16 bytes.  window: the register in front, room for as much ciphertext behind it. */
AESFIT_LOCAL void cfb8_encrypt_run(const aesfit_key *key, uint8_t window[32], uint8_t *out,
                                   const uint8_t *in, size_t bytes)
{
    uint8_t keystream[16];
    for (size_t i = 0; i < bytes; i++) {
        CORE_CALL(key, encrypt)(key, keystream, window + i, 1);
        out[i] = window[16 + i] = (uint8_t)(in[i] ^ keystream[0]);
    }
    wipe(keystream, sizeof keystream);
}

AESFIT_LOCAL void cfb8_decrypt_run(const aesfit_key *key, uint8_t window[32], uint8_t *out,
                                   const uint8_t *in, size_t bytes)
{
    uint8_t keystream[16 * CORE_MAX_LANES];
    memcpy(window + 16, in, bytes);
    for (size_t done = 0; done < bytes;) {
        size_t batch = bytes - done < CORE_LANES(key) ? bytes - done : CORE_LANES(key);
        for (size_t i = 0; i < batch; i++)
            memcpy(keystream + 16 * i, window + done + i, 16);
        CORE_CALL(key, encrypt)(key, keystream, keystream, batch);
        for (size_t i = 0; i < batch; i++, done++)
            out[done] = (uint8_t)(window[16 + done] ^ keystream[16 * i]);
    }
    wipe(keystream, sizeof keystream);
}

CLEARED AESFIT_LOCAL int cfb8_crypt(const aesfit_key *key, aesfit_feedback *state,
                                    unsigned direction, uint8_t *out, const uint8_t *in,
                                    size_t bytes)
{
    uint8_t window[32];
    TRY(feedback_check(key, state, out, in, bytes));
    while (bytes > 0) {
        size_t run = bytes < 16 ? bytes : 16;
        memcpy(window, state->block, 16);
        if (direction == AESFIT_ENCRYPT)
            cfb8_encrypt_run(key, window, out, in, run);
        else
            cfb8_decrypt_run(key, window, out, in, run);
        memcpy(state->block, window + run, 16);
        in += run;
        out += run;
        bytes -= run;
    }
    return AESFIT_OK;
}

int aesfit_cfb8_encrypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out,
                        const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, cfb8_crypt(key, state, AESFIT_ENCRYPT, out, in, bytes));
}

int aesfit_cfb8_decrypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out,
                        const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, cfb8_crypt(key, state, AESFIT_DECRYPT, out, in, bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

static const aesfit_streamed cfb8_streams[] = {{"cfb8", AESFIT_CFB8, 16}};

const aesfit_mode_facts aesfit_mode_cfb8 = {
    .name = "cfb8",
    .title = "CFB8",
    .summary = "CFB8: a 16-byte shift register of ciphertext; its encryption's first byte masks "
               "one data byte",
    .standard = "NIST SP 800-38A, 6.3",
    .acvp = "ACVP-AES-CFB8",
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
    .encrypt = {"aesfit_cfb8_encrypt", "&state out in bytes"},
    .decrypt = {"aesfit_cfb8_decrypt", "&state out in bytes"},
    .carries = "state",
    .streams = cfb8_streams,
    .stream_count = 1,
    .segment = 1,
};
#endif
