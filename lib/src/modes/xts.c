/* SPDX-License-Identifier: MIT */
/* XTS: each block is masked before and after by a tweak that doubles from block to block; for
 * storage, where a sector must not grow and is found by its number.
 *
 * Source: IEEE 1619-2018, clause 5; NIST SP 800-38E (at most 2^20 blocks in a data unit);
 * FIPS 140 implementation guidance C.I (the halves of the key must differ).
 * Idea: the first half of the key encrypts data, the second half the tweak.  A short last block
 * steals ciphertext from the one before it; decryption then uses the last two tweaks swapped, so
 * the data key is only ever used in the direction asked.
 * Cost: the core's, plus one block for the tweak and one doubling a block.
 * Constant-time: as the core; lengths are public. */
#define AESFIT_CORE_IS_KNOWN
#include "../parts/check.h"
#include "../parts/clear.h"
#include "../parts/compare.h"
#include "../parts/declassify.h"
#include "../parts/xts_blocks.h"

/* 2^20 blocks. */
#define XTS_MAX_BYTES ((size_t)16 << 20)

CLEARED AESFIT_LOCAL int xts_expand_key(aesfit_xts_key *key, const aesfit_core *core,
                                        const uint8_t *raw_key, size_t key_bytes,
                                        unsigned directions)
{
    uint32_t equal;
    if (key == NULL)
        return AESFIT_ERR_NULL;
    key->data.directions = key->tweak.directions = 0;
    if (raw_key == NULL)
        return AESFIT_ERR_NULL;
    if ((key_bytes != 32 || BOUND_LACKS_SIZE(1)) && (key_bytes != 64 || BOUND_LACKS_SIZE(4)))
        return AESFIT_ERR_KEY_LENGTH;
    CHECK_APART(key, sizeof *key, raw_key, key_bytes);
    equal = equal_bytes(raw_key, raw_key + key_bytes / 2, key_bytes / 2);
    declassify(&equal, sizeof equal); /* such a key is refused, which tells the caller */
    if (equal != 0)
        return AESFIT_ERR_KEY_HALVES;
    TRY(aesfit_expand_key(&key->data, core, raw_key, key_bytes / 2, directions));
    return aesfit_expand_key(&key->tweak, core, raw_key + key_bytes / 2, key_bytes / 2,
                             AESFIT_ENCRYPT);
}

int aesfit_xts_expand_key(aesfit_xts_key *key, const aesfit_core *core, const uint8_t *raw_key,
                          size_t key_bytes, unsigned directions)
{
    return CLEAR_AFTER(clear_blocks, xts_expand_key(key, core, raw_key, key_bytes, directions));
}

AESFIT_INLINE int xts_crypt(const aesfit_xts_key *key, unsigned direction, const uint8_t tweak[16],
                            uint8_t *out, const uint8_t *in, size_t bytes)
{
    uint8_t t[16];
    if (key == NULL)
        return AESFIT_ERR_NULL;
    TRY(check_key(&key->data, direction));
    TRY(check_key(&key->tweak, AESFIT_ENCRYPT));
    TRY(check_input(tweak, 16));
    TRY(check_buffers(out, in, bytes));
    CHECK_APART(out, bytes, tweak, 16);
    CHECK_APART(out, bytes, key, sizeof *key);
    if (bytes < 16 || bytes > XTS_MAX_BYTES)
        return AESFIT_ERR_LENGTH;
    CORE_CALL(&key->tweak, encrypt)(&key->tweak, t, tweak, 1);
    xts_blocks_end(&key->data, direction, t, out, in, bytes);
    wipe(t, sizeof t);
    return AESFIT_OK;
}

CLEARED AESFIT_LOCAL int xts_encrypt(const aesfit_xts_key *key, const uint8_t tweak[16],
                                     uint8_t *out, const uint8_t *in, size_t bytes)
{
    return xts_crypt(key, AESFIT_ENCRYPT, tweak, out, in, bytes);
}

int aesfit_xts_encrypt(const aesfit_xts_key *key, const uint8_t tweak[16], uint8_t *out,
                       const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, xts_encrypt(key, tweak, out, in, bytes));
}

CLEARED AESFIT_LOCAL int xts_decrypt(const aesfit_xts_key *key, const uint8_t tweak[16],
                                     uint8_t *out, const uint8_t *in, size_t bytes)
{
    return xts_crypt(key, AESFIT_DECRYPT, tweak, out, in, bytes);
}

int aesfit_xts_decrypt(const aesfit_xts_key *key, const uint8_t tweak[16], uint8_t *out,
                       const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, xts_decrypt(key, tweak, out, in, bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

static const aesfit_streamed xts_streams[] = {{"xts", AESFIT_XTS, 16}};

const aesfit_mode_facts aesfit_mode_xts = {
    .name = "xts",
    .title = "XTS",
    .summary =
        "XTS: each block is masked before and after by a tweak that doubles from block to block",
    .standard = "IEEE 1619; NIST SP 800-38E",
    .acvp = "ACVP-AES-XTS",
    .properties = AESFIT_MODE_INVERSE,
    .key_sizes = 1 | 4,
    .keys = 2,
    .nonce = {16, 16, 1},
    .payload = {16, (uint64_t)XTS_MAX_BYTES, 1},
    .usual = {16, 0, 0},
    .nonce_called = "tweak",
    .nonce_rule = "the sector's number, little-endian",
    .payload_rule = "one data unit, from 16 bytes",
    .expand_key = "aesfit_xts_expand_key",
    .encrypt = {"aesfit_xts_encrypt", "nonce out in bytes"},
    .decrypt = {"aesfit_xts_decrypt", "nonce out in bytes"},
    .streams = xts_streams,
    .stream_count = 1,
    .loops = 81,
};
#endif
