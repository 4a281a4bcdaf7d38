/* SPDX-License-Identifier: MIT */
/* For the tests of modes: every mode through one interface, one-shot or streamed, and a naive
 * implementation of each mode, block by block over any core. */
#ifndef AESFIT_TEST_MODES_H
#define AESFIT_TEST_MODES_H

#include "test.h"

static const char *const mode_names[] = {
    "ecb", "ecb-pkcs7", "cbc", "cbc-pkcs7", "cbc-cs3", "ctr", "cfb", "cfb8", "ofb", "xts",
};
_Static_assert(sizeof mode_names / sizeof mode_names[0] == AESFIT_MODE_COUNT, "a name is missing");

/* One of the two is expanded: `xts` for XTS, `aes` for all others. */
typedef struct mode_key {
    aesfit_key aes;
    aesfit_xts_key xts;
} mode_key;

/* key_bytes: of AES; `bytes` holds twice as many, XTS takes them all. */
TEST_HELPER int mode_expand(mode_key *key, aesfit_mode mode, const aesfit_core *core,
                            const uint8_t *bytes, size_t key_bytes)
{
    if (mode == AESFIT_XTS)
        return aesfit_xts_expand_key(&key->xts, core, bytes, 2 * key_bytes, AESFIT_BOTH);
    return aesfit_expand_key(&key->aes, core, bytes, key_bytes, AESFIT_BOTH);
}

TEST_HELPER int mode_pads(aesfit_mode mode)
{
    return mode == AESFIT_ECB_PKCS7 || mode == AESFIT_CBC_PKCS7;
}

/* Whether the standard allows this plaintext length. */
TEST_HELPER int mode_takes(aesfit_mode mode, size_t bytes)
{
    if (mode == AESFIT_ECB || mode == AESFIT_CBC)
        return bytes % 16 == 0;
    return (mode != AESFIT_CBC_CS3 && mode != AESFIT_XTS) || bytes >= 16;
}

TEST_HELPER int mode_crypt_feedback(const aesfit_key *key, aesfit_mode mode, int encrypt,
                                    const uint8_t iv[16], uint8_t *out, const uint8_t *in,
                                    size_t bytes)
{
    aesfit_feedback state;
    int status = aesfit_feedback_start(&state, iv);
    if (status != AESFIT_OK)
        return status;
    if (mode == AESFIT_CFB)
        return (encrypt ? aesfit_cfb_encrypt : aesfit_cfb_decrypt)(key, &state, out, in, bytes);
    if (mode == AESFIT_CFB8)
        return (encrypt ? aesfit_cfb8_encrypt : aesfit_cfb8_decrypt)(key, &state, out, in, bytes);
    return aesfit_ofb_crypt(key, &state, out, in, bytes);
}

TEST_HELPER int mode_crypt_ctr(const aesfit_key *key, const uint8_t iv[16], uint8_t *out,
                               const uint8_t *in, size_t bytes)
{
    aesfit_ctr ctr;
    int status = aesfit_ctr_start(&ctr, iv, 128);
    return status != AESFIT_OK ? status : aesfit_ctr_crypt(key, &ctr, out, in, bytes);
}

/* One shot.  *written: bytes of output.  out has room for bytes + 16. */
TEST_HELPER int mode_crypt(const mode_key *key, aesfit_mode mode, int encrypt, const uint8_t iv[16],
                           uint8_t *out, size_t *written, const uint8_t *in, size_t bytes)
{
    const aesfit_key *aes = &key->aes;
    size_t room = encrypt ? bytes / 16 * 16 + 16 : bytes;
    uint8_t chain[16];
    memcpy(chain, iv, 16);
    *written = bytes;
    switch (mode) {
    case AESFIT_ECB:
        return (encrypt ? aesfit_ecb_encrypt : aesfit_ecb_decrypt)(aes, out, in, bytes);
    case AESFIT_CBC:
        return (encrypt ? aesfit_cbc_encrypt : aesfit_cbc_decrypt)(aes, chain, out, in, bytes);
    case AESFIT_ECB_PKCS7:
        return (encrypt ? aesfit_ecb_pkcs7_encrypt : aesfit_ecb_pkcs7_decrypt)(aes, out, room,
                                                                               written, in, bytes);
    case AESFIT_CBC_PKCS7:
        return (encrypt ? aesfit_cbc_pkcs7_encrypt : aesfit_cbc_pkcs7_decrypt)(aes, iv, out, room,
                                                                               written, in, bytes);
    case AESFIT_CBC_CS3:
        return (encrypt ? aesfit_cbc_cs3_encrypt : aesfit_cbc_cs3_decrypt)(aes, iv, out, in, bytes);
    case AESFIT_XTS:
        return (encrypt ? aesfit_xts_encrypt : aesfit_xts_decrypt)(&key->xts, iv, out, in, bytes);
    case AESFIT_CTR:
        return mode_crypt_ctr(aes, iv, out, in, bytes);
    default:
        return mode_crypt_feedback(aes, mode, encrypt, iv, out, in, bytes);
    }
}

/* The same through a stream.  cut 0: cuts of random length, otherwise of `cut` bytes each.  out
 * has room for bytes + AESFIT_STREAM_HELD. */
TEST_HELPER int mode_stream(const mode_key *key, aesfit_mode mode, int encrypt,
                            const uint8_t iv[16], uint8_t *out, size_t *written, const uint8_t *in,
                            size_t bytes, size_t cut)
{
    unsigned direction = encrypt ? AESFIT_ENCRYPT : AESFIT_DECRYPT;
    aesfit_stream stream;
    size_t done = 0, room = bytes + AESFIT_STREAM_HELD, part;
    int status = mode == AESFIT_XTS ? aesfit_stream_start_xts(&stream, direction, &key->xts, iv)
                                    : aesfit_stream_start(&stream, mode, direction, &key->aes, iv);
    *written = 0;
    while (status == AESFIT_OK && done < bytes) {
        size_t take = cut != 0 ? cut : random_below(random_below(4) == 0 ? 200 : 20);
        take = take < bytes - done ? take : bytes - done;
        status =
            aesfit_stream_update(&stream, out + *written, room - *written, &part, in + done, take);
        CHECK(part <= take + AESFIT_STREAM_HELD);
        *written += part;
        done += take;
    }
    if (status != AESFIT_OK)
        return status;
    status = aesfit_stream_finish(&stream, out + *written, room - *written, &part);
    *written += part;
    return status;
}

/* ------------------------------------------------------- naive encryption */

TEST_HELPER void naive_block(const aesfit_key *key, uint8_t block[16])
{
    aesfit_ecb_encrypt(key, block, block, 16);
}

TEST_HELPER void naive_xor(uint8_t *out, const uint8_t *mask, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] ^= mask[i];
}

/* CBC with zeros behind the data up to a whole block. */
TEST_HELPER void naive_cbc(const aesfit_key *key, const uint8_t iv[16], uint8_t *out, size_t bytes)
{
    const uint8_t *chain = iv;
    for (size_t i = 0; i < bytes; chain = out + i, i += 16) {
        naive_xor(out + i, chain, 16);
        naive_block(key, out + i);
    }
}

/* CTR, CFB of `step` bytes, OFB: the encrypted register masks `step` bytes, then is updated. */
TEST_HELPER void naive_register(const aesfit_key *key, aesfit_mode mode, const uint8_t iv[16],
                                uint8_t *out, size_t bytes)
{
    uint8_t reg[16], mask[16];
    size_t step = mode == AESFIT_CFB8 ? 1 : 16;
    memcpy(reg, iv, 16);
    for (size_t i = 0; i < bytes; i += step) {
        size_t part = bytes - i < step ? bytes - i : step;
        memcpy(mask, reg, 16);
        naive_block(key, mask);
        naive_xor(out + i, mask, part);
        if (mode == AESFIT_CTR) {
            for (int j = 15; j >= 0 && ++reg[j] == 0; j--)
                ;
        } else if (mode == AESFIT_OFB) {
            memcpy(reg, mask, 16);
        } else {
            memmove(reg, reg + part, 16 - part);
            memcpy(reg + 16 - part, out + i, part);
        }
    }
}

/* One XTS block under the tweak of block number `index`. */
TEST_HELPER void naive_xts_block(const aesfit_xts_key *key, const uint8_t iv[16], size_t index,
                                 uint8_t block[16])
{
    uint8_t tweak[16];
    memcpy(tweak, iv, 16);
    naive_block(&key->tweak, tweak);
    for (; index > 0; index--) {
        unsigned carry = 0;
        for (int j = 0; j < 16; j++) {
            carry |= (unsigned)tweak[j] << 1;
            tweak[j] = (uint8_t)carry;
            carry >>= 8;
        }
        tweak[0] ^= carry != 0 ? 0x87 : 0;
    }
    naive_xor(block, tweak, 16);
    naive_block(&key->data, block);
    naive_xor(block, tweak, 16);
}

TEST_HELPER void naive_xts(const aesfit_xts_key *key, const uint8_t iv[16], uint8_t *out,
                           size_t bytes)
{
    size_t whole = bytes / 16, rest = bytes % 16;
    for (size_t i = 0; i < whole; i++)
        naive_xts_block(key, iv, i, out + 16 * i);
    if (rest == 0)
        return;
    for (size_t j = 0; j < rest; j++) { /* steal: swap the short block and the head of the last */
        uint8_t c = out[16 * (whole - 1) + j];
        out[16 * (whole - 1) + j] = out[16 * whole + j];
        out[16 * whole + j] = c;
    }
    naive_xts_block(key, iv, whole, out + 16 * (whole - 1));
}

/* Swaps two blocks and truncates the second. */
TEST_HELPER void naive_cs3(const aesfit_key *key, const uint8_t iv[16], uint8_t *out, size_t bytes)
{
    uint8_t last[32];
    size_t end = (bytes + 15) / 16 * 16;
    memset(out + bytes, 0, end - bytes);
    naive_cbc(key, iv, out, end);
    if (end > 16) {
        memcpy(last, out + end - 32, 32);
        memcpy(out + end - 32, last + 16, 16);
        memcpy(out + end - 16, last, 16);
    }
}

/* Encrypts out[0..bytes-1] in place; out has room for bytes + 16.  Returns the output's length. */
TEST_HELPER size_t naive_encrypt(const mode_key *key, aesfit_mode mode, const uint8_t iv[16],
                                 uint8_t *out, size_t bytes)
{
    size_t padded = bytes / 16 * 16 + 16;
    if (mode_pads(mode)) {
        memset(out + bytes, (int)(padded - bytes), padded - bytes);
        bytes = padded;
    }
    if (mode == AESFIT_ECB || mode == AESFIT_ECB_PKCS7)
        for (size_t i = 0; i < bytes; i += 16)
            naive_block(&key->aes, out + i);
    else if (mode == AESFIT_CBC || mode == AESFIT_CBC_PKCS7)
        naive_cbc(&key->aes, iv, out, bytes);
    else if (mode == AESFIT_CBC_CS3)
        naive_cs3(&key->aes, iv, out, bytes);
    else if (mode == AESFIT_XTS)
        naive_xts(&key->xts, iv, out, bytes);
    else
        naive_register(&key->aes, mode, iv, out, bytes);
    return bytes;
}

#endif
