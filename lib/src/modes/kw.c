/* SPDX-License-Identifier: MIT */
/* Key wrap: KW, and KWP for secrets of any length.
 *
 * Source: NIST SP 800-38F; RFC 3394 (KW) and RFC 5649 (KWP).
 * Idea: W puts an integrity block A before n semiblocks of 8 bytes and makes six passes over them;
 * each step encrypts A and a semiblock, and adds its number to A.  Unwrapping runs backwards and
 * compares A, and KWP's padding.  KWP of up to 8 bytes is one block of ECB.
 * Cost: 6 n blocks of AES, strictly one after the other.
 * Constant-time: as the core; comparing always. */
#include "../parts/bytes.h"
#include "../parts/check.h"
#include "../parts/clear.h"
#include "../parts/compare.h"
#include "../parts/declassify.h"
#include "../parts/move.h"

/* The integrity block of KWP's first half (SP 800-38F 6.3, ICV2). */
#define KW_PADDED_ICV 0xa65959a6u

/* W over A (the first 8 bytes) and n semiblocks, in place. */
AESFIT_LOCAL void kw_wrap(const aesfit_key *key, uint8_t *text, size_t n)
{
    uint8_t block[16];
    uint64_t step = 0;
    memcpy(block, text, 8);
    for (int pass = 0; pass < 6; pass++)
        for (size_t i = 1; i <= n; i++) {
            memcpy(block + 8, text + 8 * i, 8);
            CORE_CALL(key, encrypt)(key, block, block, 1);
            store64_be(block, load64_be(block) ^ ++step);
            memcpy(text + 8 * i, block + 8, 8);
        }
    memcpy(text, block, 8);
    wipe(block, sizeof block);
}

/* The inverse of W; a: A, text: the n semiblocks without it. */
AESFIT_LOCAL void kw_unwrap(const aesfit_key *key, uint8_t a[8], uint8_t *text, size_t n)
{
    uint8_t block[16];
    uint64_t step = 6 * (uint64_t)n;
    memcpy(block, a, 8);
    for (int pass = 0; pass < 6; pass++)
        for (size_t i = n; i > 0; i--) {
            store64_be(block, load64_be(block) ^ step--);
            memcpy(block + 8, text + 8 * (i - 1), 8);
            CORE_CALL(key, decrypt)(key, block, block, 1);
            memcpy(text + 8 * (i - 1), block + 8, 8);
        }
    memcpy(a, block, 8);
    wipe(block, sizeof block);
}

/* `needed`: what the result takes at most. */
AESFIT_LOCAL int kw_check(const aesfit_key *key, unsigned direction, const uint8_t *out,
                          size_t out_size, size_t *out_bytes, const uint8_t *in, size_t bytes,
                          int length_good, size_t needed)
{
    if (out_bytes == NULL)
        return AESFIT_ERR_NULL;
    CHECK_RESULT_APART(out_bytes, key, in, length_good ? bytes : 0);
    *out_bytes = 0;
    TRY(check_key(key, direction));
    if (!length_good)
        return AESFIT_ERR_LENGTH;
    if (out_size < needed)
        return AESFIT_ERR_OUTPUT_SIZE;
    CHECK_APART(out, needed, key, sizeof *key);
    CHECK_APART(out, needed, out_bytes, sizeof *out_bytes);
    return check_two_buffers(out, needed, in, bytes);
}

CLEARED AESFIT_LOCAL int kw_wrap_key(const aesfit_key *key, uint8_t *out, size_t out_size,
                                     size_t *out_bytes, const uint8_t *in, size_t bytes)
{
    /* below 2^54 semiblocks */
    int length_good =
        bytes >= 16 && bytes % 8 == 0 && bytes <= SIZE_MAX - 8 && (uint64_t)bytes >> 57 == 0;
    TRY(kw_check(key, AESFIT_ENCRYPT, out, out_size, out_bytes, in, bytes, length_good, bytes + 8));
    move_up8(out + 8, in, bytes);
    memset(out, 0xa6, 8); /* ICV1 */
    kw_wrap(key, out, bytes / 8);
    *out_bytes = bytes + 8;
    return AESFIT_OK;
}

int aesfit_key_wrap(const aesfit_key *key, uint8_t *out, size_t out_size, size_t *out_bytes,
                    const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, kw_wrap_key(key, out, out_size, out_bytes, in, bytes));
}

CLEARED AESFIT_LOCAL int kw_unwrap_key(const aesfit_key *key, uint8_t *out, size_t out_size,
                                       size_t *out_bytes, const uint8_t *in, size_t bytes)
{
    uint8_t a[8], icv[8];
    int length_good = bytes >= 24 && bytes % 8 == 0 && (uint64_t)(bytes - 8) >> 57 == 0;
    TRY(kw_check(key, AESFIT_DECRYPT, out, out_size, out_bytes, in, bytes, length_good, bytes - 8));
    memcpy(a, in, 8);
    move_down8(out, in + 8, bytes - 8);
    kw_unwrap(key, a, out, bytes / 8 - 1);
    memset(icv, 0xa6, 8);
    uint32_t good = equal_bytes(a, icv, 8);
    declassify(&good, sizeof good); /* the verdict is the result of the call */
    if (!good) {
        wipe(out, bytes - 8);
        return AESFIT_ERR_AUTHENTICATION;
    }
    *out_bytes = bytes - 8;
    return AESFIT_OK;
}

int aesfit_key_unwrap(const aesfit_key *key, uint8_t *out, size_t out_size, size_t *out_bytes,
                      const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, kw_unwrap_key(key, out, out_size, out_bytes, in, bytes));
}

CLEARED AESFIT_LOCAL int kw_wrap_padded(const aesfit_key *key, uint8_t *out, size_t out_size,
                                        size_t *out_bytes, const uint8_t *in, size_t bytes)
{
    uint8_t last[8] = {0};
    int length_good = bytes >= 1 && (uint64_t)bytes >> 32 == 0 && bytes <= SIZE_MAX - 15;
    size_t whole = bytes / 8 * 8, padded = (bytes + 7) / 8 * 8;
    TRY(kw_check(key, AESFIT_ENCRYPT, out, out_size, out_bytes, in, bytes, length_good,
                 padded + 8));
    if (bytes > whole)
        memcpy(last, in + whole, bytes - whole);
    move_up8(out + 8, in, whole);
    if (bytes > whole)
        memcpy(out + 8 + whole, last, 8);
    store32_be(out, KW_PADDED_ICV);
    store32_be(out + 4, (uint32_t)bytes);
    if (padded == 8)
        CORE_CALL(key, encrypt)(key, out, out, 1);
    else
        kw_wrap(key, out, padded / 8);
    wipe(last, sizeof last);
    *out_bytes = padded + 8;
    return AESFIT_OK;
}

int aesfit_key_wrap_padded(const aesfit_key *key, uint8_t *out, size_t out_size, size_t *out_bytes,
                           const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, kw_wrap_padded(key, out, out_size, out_bytes, in, bytes));
}

/* 1 when a names a length that ends in the last semiblock of `padded` bytes, and zeros follow. */
AESFIT_LOCAL uint32_t kw_padding_good(const uint8_t a[8], const uint8_t *text, size_t padded)
{
    uint32_t length = load32_be(a + 4), zeros = (uint32_t)padded - length;
    uint32_t bad = load32_be(a) ^ KW_PADDED_ICV;
    bad |= zeros & ~7u; /* length above padded, or below padded - 7 */
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t in_padding =
            0 - ((value_barrier(i) - (zeros & 7)) >> 31); /* all ones when i < zeros */
        bad |= text[padded - 1 - i] & in_padding;
    }
    bad = value_barrier(bad);
    return 1 ^ ((bad | (0 - bad)) >> 31);
}

CLEARED AESFIT_LOCAL int kw_unwrap_padded(const aesfit_key *key, uint8_t *out, size_t out_size,
                                          size_t *out_bytes, const uint8_t *in, size_t bytes)
{
    uint8_t a[8], block[16];
    /* at most 2^32 bytes in whole semiblocks, and 8 */
    int length_good = bytes >= 16 && bytes % 8 == 0 && (uint64_t)(bytes - 9) >> 32 == 0;
    TRY(kw_check(key, AESFIT_DECRYPT, out, out_size, out_bytes, in, bytes, length_good, bytes - 8));
    if (bytes == 16) {
        CORE_CALL(key, decrypt)(key, block, in, 1);
        memcpy(a, block, 8);
        memcpy(out, block + 8, 8);
        wipe(block, sizeof block);
    } else {
        memcpy(a, in, 8);
        move_down8(out, in + 8, bytes - 8);
        kw_unwrap(key, a, out, bytes / 8 - 1);
    }
    uint32_t good = kw_padding_good(a, out, bytes - 8), length = load32_be(a + 4);
    declassify(&good, sizeof good); /* the verdict is the result of the call */
    if (!good) {
        wipe(out, bytes - 8);
        return AESFIT_ERR_AUTHENTICATION;
    }
    declassify(&length, sizeof length); /* the length comes out when the verdict is good */
    *out_bytes = length;
    return AESFIT_OK;
}

int aesfit_key_unwrap_padded(const aesfit_key *key, uint8_t *out, size_t out_size,
                             size_t *out_bytes, const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, kw_unwrap_padded(key, out, out_size, out_bytes, in, bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

const aesfit_mode_facts aesfit_mode_kw = {
    .name = "kw",
    .title = "KW",
    .summary = "Key wrap: KW, and KWP for secrets of any length",
    .standard = "NIST SP 800-38F; RFC 3394",
    .properties = AESFIT_MODE_INVERSE | AESFIT_MODE_VERDICT,
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .payload = {16, (UINT64_C(1) << 57) - 8, 8},
    .grows = 8,
    .payload_rule = "whole 8 bytes, and room for 8 more",
    .expand_key = "aesfit_expand_key",
    .encrypt = {"aesfit_key_wrap", "out out_size &out_bytes in bytes"},
    .decrypt = {"aesfit_key_unwrap", "out out_size &out_bytes in bytes"},
};
#endif
