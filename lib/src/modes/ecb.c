/* SPDX-License-Identifier: MIT */
/* ECB: every block by itself.  Equal blocks stay equal, so it hides little by itself.
 *
 * Source: NIST SP 800-38A, 6.1.
 * Cost: the core's; it takes all blocks in one call and fills its own lanes.
 * Constant-time: as the core; lengths are public. */
#include "../parts/check.h"
#include "../parts/clear.h"

AESFIT_LOCAL int ecb_check(const aesfit_key *key, unsigned direction, const uint8_t *out,
                           const uint8_t *in, size_t bytes)
{
    TRY(check_key(key, direction));
    TRY(check_buffers(out, in, bytes));
    CHECK_APART(out, bytes, key, sizeof *key);
    return bytes % 16 == 0 ? AESFIT_OK : AESFIT_ERR_LENGTH;
}

CLEARED_BLOCKS AESFIT_LOCAL int ecb_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t bytes)
{
    TRY(ecb_check(key, AESFIT_ENCRYPT, out, in, bytes));
    CORE_CALL(key, encrypt)(key, out, in, bytes / 16);
    return AESFIT_OK;
}

int aesfit_ecb_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return CLEAR_BLOCKS(ecb_encrypt(key, out, in, bytes));
}

CLEARED_BLOCKS AESFIT_LOCAL int ecb_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t bytes)
{
    TRY(ecb_check(key, AESFIT_DECRYPT, out, in, bytes));
    CORE_CALL(key, decrypt)(key, out, in, bytes / 16);
    return AESFIT_OK;
}

int aesfit_ecb_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return CLEAR_BLOCKS(ecb_decrypt(key, out, in, bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

static const aesfit_streamed ecb_streams[] = {{"ecb", AESFIT_ECB, 0}};

const aesfit_mode_facts aesfit_mode_ecb = {
    .name = "ecb",
    .title = "ECB",
    .summary = "ECB: every block by itself",
    .standard = "NIST SP 800-38A, 6.1",
    .acvp = "ACVP-AES-ECB",
    .properties = AESFIT_MODE_INVERSE,
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .payload = {0, AESFIT_NO_LIMIT, 16},
    .payload_rule = "equal blocks stay equal: not for messages",
    .expand_key = "aesfit_expand_key",
    .encrypt = {"aesfit_ecb_encrypt", "out in bytes"},
    .decrypt = {"aesfit_ecb_decrypt", "out in bytes"},
    .carries = "nothing",
    .streams = ecb_streams,
    .stream_count = 1,
    .segment = 16,
    .block_calls = 1,
    .loops = 81,
};
#endif
