/* SPDX-License-Identifier: MIT */
/* PKCS#7 padding under ECB and CBC: n bytes of value n, 1 to 16, fill the last block.
 *
 * Source: RFC 5652, 6.3.
 * Idea: removal looks at all 16 bytes whatever they are; masks decide which of them count.  Only
 * good-or-bad comes out, then the length; both are needed by every caller, and both are told by
 * one line each (declassify()).  A receiver that answers bad padding differently from bad data is a
 * padding oracle (Vaudenay, EUROCRYPT 2002): authenticate first, or do not answer.
 * Cost: that of ECB or CBC over the padded length.
 * Constant-time: padding and its removal always; the blocks as the core. */
#include "../parts/bytes.h"
#include "../parts/cbc_blocks.h"
#include "../parts/check.h"
#include "../parts/clear.h"
#include "../parts/compare.h"
#include "../parts/declassify.h"
#include "../parts/wipe.h"

int aesfit_pkcs7_pad(uint8_t block[16], const uint8_t *in, size_t used)
{
    if (block == NULL || (in == NULL && used > 0))
        return AESFIT_ERR_NULL;
    if (used > 15)
        return AESFIT_ERR_LENGTH;
    CHECK_INTO(block, 16, in, used);
    for (size_t i = 0; i < used; i++) {
        block[i] = in[i];
        AESFIT_BARRIER(i); /* no call of memmove */
    }
    memset(block + used, (int)(16 - used), 16 - used);
    return AESFIT_OK;
}

/* 1 when a < b, else 0, for a, b below 2^31. */
AESFIT_LOCAL uint32_t pkcs7_less(uint32_t a, uint32_t b)
{
    return value_barrier(a - b) >> 31;
}

int aesfit_pkcs7_unpad(const uint8_t block[16], size_t *data_bytes)
{
    uint32_t padding, good, bad = 0;
    size_t data;
    if (block == NULL || data_bytes == NULL)
        return AESFIT_ERR_NULL;
    CHECK_APART(data_bytes, sizeof *data_bytes, block, 16);
    padding = block[15];
    *data_bytes = 0;
    for (uint32_t i = 0; i < 16; i++) /* byte 15 - i is padding when i < padding */
        bad |= (0u - pkcs7_less(i, padding)) & (block[15 - i] ^ padding);
    good = pkcs7_less(0, padding) & pkcs7_less(padding, 17) & pkcs7_less(bad, 1);
    declassify(&good, sizeof good); /* the caller learns this one bit from the status */
    if (good == 0)
        return AESFIT_ERR_PADDING;
    data = 16 - padding;
    declassify(&data, sizeof data); /* the padding was good: its length is the result */
    *data_bytes = data;
    return AESFIT_OK;
}

/* Whole blocks under CBC, or under ECB when chain is NULL. */
AESFIT_INLINE void pkcs7_encrypt_blocks(const aesfit_key *key, uint8_t *chain, uint8_t *out,
                                        const uint8_t *in, size_t blocks)
{
    if (chain != NULL)
        cbc_blocks_encrypt(key, chain, out, in, blocks);
    else
        CORE_CALL(key, encrypt)(key, out, in, blocks);
}

AESFIT_INLINE void pkcs7_decrypt_blocks(const aesfit_key *key, uint8_t *chain, uint8_t *out,
                                        const uint8_t *in, size_t blocks)
{
    if (chain != NULL)
        cbc_blocks_decrypt(key, chain, out, in, blocks);
    else
        CORE_CALL(key, decrypt)(key, out, in, blocks);
}

CLEARED AESFIT_LOCAL int pkcs7_encrypt(const aesfit_key *key, uint8_t *chain, uint8_t *out,
                                       size_t out_size, size_t *out_bytes, const uint8_t *in,
                                       size_t bytes)
{
    uint8_t last[16];
    size_t whole = bytes - bytes % 16;
    if (out_bytes == NULL)
        return AESFIT_ERR_NULL;
    CHECK_RESULT_APART(out_bytes, key, in, bytes);
    *out_bytes = 0;
    TRY(check_key(key, AESFIT_ENCRYPT));
    if (out_size < 16 || out_size - 16 < whole)
        return AESFIT_ERR_OUTPUT_SIZE;
    TRY(check_two_buffers(out, whole + 16, in, bytes));
    CHECK_APART(out, whole + 16, key, sizeof *key);
    CHECK_APART(out, whole + 16, out_bytes, sizeof *out_bytes);
    aesfit_pkcs7_pad(last, whole < bytes ? in + whole : NULL, bytes - whole);
    pkcs7_encrypt_blocks(key, chain, out, in, whole / 16);
    pkcs7_encrypt_blocks(key, chain, out + whole, last, 1);
    wipe(last, sizeof last);
    *out_bytes = whole + 16;
    return AESFIT_OK;
}

CLEARED AESFIT_LOCAL int pkcs7_decrypt(const aesfit_key *key, uint8_t *chain, uint8_t *out,
                                       size_t out_size, size_t *out_bytes, const uint8_t *in,
                                       size_t bytes)
{
    uint8_t last[16];
    size_t whole, data;
    int status;
    if (out_bytes == NULL)
        return AESFIT_ERR_NULL;
    CHECK_RESULT_APART(out_bytes, key, in, bytes);
    *out_bytes = 0;
    TRY(check_key(key, AESFIT_DECRYPT));
    TRY(check_buffers(out, in, bytes));
    CHECK_APART(out, bytes, key, sizeof *key);
    CHECK_APART(out, bytes, out_bytes, sizeof *out_bytes);
    if (bytes == 0 || bytes % 16 != 0)
        return AESFIT_ERR_LENGTH;
    if (out_size < bytes)
        return AESFIT_ERR_OUTPUT_SIZE;
    whole = bytes - 16;
    pkcs7_decrypt_blocks(key, chain, out, in, whole / 16);
    pkcs7_decrypt_blocks(key, chain, last, in + whole, 1);
    status = aesfit_pkcs7_unpad(last, &data);
    if (status == AESFIT_OK) {
        memcpy(out + whole, last, data);
        *out_bytes = whole + data;
    } else {
        wipe(out, whole);
    }
    wipe(last, sizeof last);
    return status;
}

int aesfit_ecb_pkcs7_encrypt(const aesfit_key *key, uint8_t *out, size_t out_size,
                             size_t *out_bytes, const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, pkcs7_encrypt(key, NULL, out, out_size, out_bytes, in, bytes));
}

int aesfit_ecb_pkcs7_decrypt(const aesfit_key *key, uint8_t *out, size_t out_size,
                             size_t *out_bytes, const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, pkcs7_decrypt(key, NULL, out, out_size, out_bytes, in, bytes));
}

CLEARED AESFIT_LOCAL int pkcs7_cbc_encrypt(const aesfit_key *key, const uint8_t iv[16],
                                           uint8_t *out, size_t out_size, size_t *out_bytes,
                                           const uint8_t *in, size_t bytes)
{
    uint8_t chain[16];
    TRY(check_input(iv, 16));
    CHECK_APART(out, bytes - bytes % 16 + 16, iv, 16);
    CHECK_APART(out_bytes, sizeof *out_bytes, iv, 16);
    memcpy(chain, iv, 16);
    return pkcs7_encrypt(key, chain, out, out_size, out_bytes, in, bytes);
}

int aesfit_cbc_pkcs7_encrypt(const aesfit_key *key, const uint8_t iv[16], uint8_t *out,
                             size_t out_size, size_t *out_bytes, const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks,
                       pkcs7_cbc_encrypt(key, iv, out, out_size, out_bytes, in, bytes));
}

CLEARED AESFIT_LOCAL int pkcs7_cbc_decrypt(const aesfit_key *key, const uint8_t iv[16],
                                           uint8_t *out, size_t out_size, size_t *out_bytes,
                                           const uint8_t *in, size_t bytes)
{
    uint8_t chain[16];
    TRY(check_input(iv, 16));
    CHECK_APART(out, bytes, iv, 16);
    CHECK_APART(out_bytes, sizeof *out_bytes, iv, 16);
    memcpy(chain, iv, 16);
    return pkcs7_decrypt(key, chain, out, out_size, out_bytes, in, bytes);
}

int aesfit_cbc_pkcs7_decrypt(const aesfit_key *key, const uint8_t iv[16], uint8_t *out,
                             size_t out_size, size_t *out_bytes, const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks,
                       pkcs7_cbc_decrypt(key, iv, out, out_size, out_bytes, in, bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

static const aesfit_streamed pkcs7_streams[] = {{"ecb-pkcs7", AESFIT_ECB_PKCS7, 0},
                                                {"cbc-pkcs7", AESFIT_CBC_PKCS7, 16}};

const aesfit_mode_facts aesfit_mode_pkcs7 = {
    .name = "pkcs7",
    .title = "CBC with PKCS#7 padding",
    .summary = "PKCS#7 padding under ECB and CBC: n bytes of value n, 1 to 16, fill the last block",
    .standard = "RFC 5652, 6.3",
    .properties = AESFIT_MODE_INVERSE | AESFIT_MODE_VERDICT,
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .nonce = {16, 16, 1},
    .payload = {0, AESFIT_NO_LIMIT, 1},
    .pads_to = 16,
    .usual = {16, 0, 0},
    .nonce_called = "iv",
    .nonce_rule = "random for every message",
    .payload_rule = "any length, and room for the padding",
    .expand_key = "aesfit_expand_key",
    .encrypt = {"aesfit_cbc_pkcs7_encrypt", "nonce out out_size &out_bytes in bytes"},
    .decrypt = {"aesfit_cbc_pkcs7_decrypt", "nonce out out_size &out_bytes in bytes"},
    .streams = pkcs7_streams,
    .stream_count = 2,
    .block_calls = 1,
};
#endif
