/* SPDX-License-Identifier: MIT */
/* CBC-CS3: CBC with ciphertext stealing, any length from one block, no growth.
 *
 * Source: Addendum to NIST SP 800-38A (2010), CBC-CS3; the same as Kerberos (RFC 3962, 5).
 * Idea: the last, possibly short block is filled with zeros and chained as usual; then the last
 * two ciphertext blocks change places and the shorter one is cut.  They change places even when
 * the last block is full.  One block alone is plain CBC.
 * Cost: that of CBC over the length rounded up.
 * Constant-time: as the core; lengths are public. */
#include "../parts/cbc_blocks.h"
#include "../parts/check.h"
#include "../parts/clear.h"
#include "../parts/wipe.h"

AESFIT_LOCAL int cbc_cs3_check(const aesfit_key *key, unsigned direction, const uint8_t *iv,
                               const uint8_t *out, const uint8_t *in, size_t bytes)
{
    TRY(check_key(key, direction));
    TRY(check_input(iv, 16));
    TRY(check_buffers(out, in, bytes));
    CHECK_APART(out, bytes, key, sizeof *key);
    CHECK_APART(out, bytes, iv, 16);
    return bytes >= 16 ? AESFIT_OK : AESFIT_ERR_LENGTH;
}

/* The last two blocks, 17 to 32 bytes; all input is read before output is written over it. */
AESFIT_LOCAL void cbc_cs3_encrypt_end(const aesfit_key *key, uint8_t chain[16], uint8_t *out,
                                      const uint8_t *in, size_t bytes)
{
    uint8_t last[16];
    size_t rest = bytes - 16; /* 1 to 16 */
    memset(last, 0, sizeof last);
    memcpy(last, in + 16, rest);
    cbc_blocks_encrypt(key, chain, out, in, 1);
    memcpy(out + 16, chain, rest);
    cbc_blocks_encrypt(key, chain, out, last, 1);
    wipe(last, sizeof last);
}

/* With X, S the two parts of the ciphertext and D = decrypt(X): the last plaintext is D ^ S as far
 * as S goes, and the ciphertext block that was cut is S filled up from D. */
AESFIT_LOCAL void cbc_cs3_decrypt_end(const aesfit_key *key, uint8_t chain[16], uint8_t *out,
                                      const uint8_t *in, size_t bytes)
{
    uint8_t d[16], cut[16];
    size_t rest = bytes - 16; /* 1 to 16 */
    CORE_CALL(key, decrypt)(key, d, in, 1);
    memcpy(cut, d, sizeof cut);
    memcpy(cut, in + 16, rest);
    xor_bytes(out + 16, d, cut, rest);
    cbc_blocks_decrypt(key, chain, out, cut, 1);
    wipe(d, sizeof d);
}

/* Blocks before the last two: the end takes 17 to 32 bytes. */
AESFIT_LOCAL size_t cbc_cs3_blocks(size_t bytes)
{
    return bytes == 16 ? 1 : (bytes - 17) / 16;
}

CLEARED AESFIT_LOCAL int cbc_cs3_encrypt(const aesfit_key *key, const uint8_t iv[16], uint8_t *out,
                                         const uint8_t *in, size_t bytes)
{
    uint8_t chain[16];
    size_t blocks;
    TRY(cbc_cs3_check(key, AESFIT_ENCRYPT, iv, out, in, bytes));
    memcpy(chain, iv, 16);
    blocks = cbc_cs3_blocks(bytes);
    cbc_blocks_encrypt(key, chain, out, in, blocks);
    if (bytes > 16)
        cbc_cs3_encrypt_end(key, chain, out + 16 * blocks, in + 16 * blocks, bytes - 16 * blocks);
    return AESFIT_OK;
}

int aesfit_cbc_cs3_encrypt(const aesfit_key *key, const uint8_t iv[16], uint8_t *out,
                           const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, cbc_cs3_encrypt(key, iv, out, in, bytes));
}

CLEARED AESFIT_LOCAL int cbc_cs3_decrypt(const aesfit_key *key, const uint8_t iv[16], uint8_t *out,
                                         const uint8_t *in, size_t bytes)
{
    uint8_t chain[16];
    size_t blocks;
    TRY(cbc_cs3_check(key, AESFIT_DECRYPT, iv, out, in, bytes));
    memcpy(chain, iv, 16);
    blocks = cbc_cs3_blocks(bytes);
    cbc_blocks_decrypt(key, chain, out, in, blocks);
    if (bytes > 16)
        cbc_cs3_decrypt_end(key, chain, out + 16 * blocks, in + 16 * blocks, bytes - 16 * blocks);
    return AESFIT_OK;
}

int aesfit_cbc_cs3_decrypt(const aesfit_key *key, const uint8_t iv[16], uint8_t *out,
                           const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, cbc_cs3_decrypt(key, iv, out, in, bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

static const aesfit_streamed cbc_cs3_streams[] = {{"cbc-cs3", AESFIT_CBC_CS3, 16}};

const aesfit_mode_facts aesfit_mode_cbc_cs3 = {
    .name = "cbc_cs3",
    .title = "CBC-CS3",
    .summary = "CBC-CS3: CBC with ciphertext stealing, any length from one block, no growth",
    .standard = "Addendum to NIST SP 800-38A",
    .acvp = "ACVP-AES-CBC-CS3",
    .properties = AESFIT_MODE_INVERSE,
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .nonce = {16, 16, 1},
    .payload = {16, AESFIT_NO_LIMIT, 1},
    .usual = {16, 0, 0},
    .nonce_called = "iv",
    .nonce_rule = "random for every message",
    .payload_rule = "any length from 16 bytes",
    .expand_key = "aesfit_expand_key",
    .encrypt = {"aesfit_cbc_cs3_encrypt", "nonce out in bytes"},
    .decrypt = {"aesfit_cbc_cs3_decrypt", "nonce out in bytes"},
    .streams = cbc_cs3_streams,
    .stream_count = 1,
    .loops = 81,
};
#endif
