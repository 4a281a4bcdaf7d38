/* SPDX-License-Identifier: MIT */
/* GCM-SIV: authenticated encryption that a repeated nonce does not break.
 *
 * Source: RFC 8452.
 * Idea: each nonce gives a message two keys of its own, one for POLYVAL and one for AES.  The tag,
 * which is POLYVAL of associated data and plaintext, encrypted, is where the counter starts.  Under
 * a repeated nonce equal messages give equal results, and nothing else shows.
 * Cost: beyond GCM 4 blocks (6 for 256 bits), a key set-up and the set-up of the multiplier for
 * each message; encryption reads its input twice.  The keys of a message take as much stack as a
 * key of GCM.
 * Constant-time: as the core and the GHASH multiplier; comparing tags always.  The counter is
 * public, because the tag is. */
#define AESFIT_CORE_IS_KNOWN
#include "../parts/check.h"
#include "../parts/clear.h"
#include "../parts/one_block.h"
#include "../parts/polyval.h"
#include "../parts/verdict.h"

/* More than 2^36 bytes (RFC 8452, 6), which no size_t of 32 bits reaches. */
AESFIT_LOCAL int gcm_siv_too_long(size_t bytes)
{
    return bytes > 0 && ((uint64_t)bytes - 1) >> 36 != 0;
}

int aesfit_gcm_siv_expand_key(aesfit_gcm_siv_key *key, const aesfit_core *core,
                              const aesfit_ghash *ghash, const uint8_t *raw_key, size_t key_bytes)
{
    if (key == NULL)
        return AESFIT_ERR_NULL;
    key->aes.directions = 0;
    if (key_bytes == 24)
        return AESFIT_ERR_KEY_LENGTH;
#ifdef AESFIT_BOUND
    (void)ghash;
#else
    if (!aesfit_ghash_available(ghash))
        return AESFIT_ERR_UNAVAILABLE;
    if (!GHASH_HAS_ROOM(ghash))
        return AESFIT_ERR_KEY_LENGTH; /* built with a wrong AESFIT_GHASH_WORDS */
    key->ghash = ghash;
#endif
    CHECK_APART(key, sizeof *key, raw_key, key_bytes);
    return aesfit_expand_key(&key->aes, core, raw_key, key_bytes, AESFIT_ENCRYPT);
}

AESFIT_LOCAL int gcm_siv_check(const aesfit_gcm_siv_key *key, const uint8_t *nonce,
                               const uint8_t *ad, size_t ad_bytes, const uint8_t *out,
                               const uint8_t *in, size_t bytes, const uint8_t *tag)
{
    if (key == NULL)
        return AESFIT_ERR_NULL;
    TRY(check_key(&key->aes, AESFIT_ENCRYPT));
    TRY(check_input(nonce, 12));
    TRY(check_input(tag, 16));
    TRY(check_input(ad, ad_bytes));
    if (gcm_siv_too_long(ad_bytes) || gcm_siv_too_long(bytes))
        return AESFIT_ERR_LIMIT;
    CHECK_APART(out, bytes, tag, 16);
    CHECK_MESSAGE_APART(out, bytes, key, nonce, 12, ad, ad_bytes);
    return check_buffers(out, in, bytes);
}

/* The keys of a message (RFC 8452, 4): the first halves of blocks that count, number first. */
AESFIT_LOCAL void gcm_siv_derive(aesfit_gcm_key *derived, const aesfit_gcm_siv_key *key,
                                 const uint8_t nonce[12])
{
    uint8_t made[16 * 6];
    size_t key_bytes = 4u * key->aes.key_words, count = 2 + key_bytes / 8;
    for (size_t i = 0; i < count; i++) {
        store32_le(made + 16 * i, (uint32_t)i);
        memcpy(made + 16 * i + 4, nonce, 12);
    }
    encrypt_few(&key->aes, made, made, count);
    for (size_t i = 1; i < count; i++)
        memcpy(made + 8 * i, made + 16 * i, 8);
#ifdef AESFIT_BOUND
    (void)aesfit_expand_key(&derived->aes, NULL, made + 16, key_bytes, AESFIT_ENCRYPT);
#else
    derived->ghash = key->ghash;
    (void)aesfit_expand_key(&derived->aes, key->aes.core, made + 16, key_bytes, AESFIT_ENCRYPT);
#endif
    polyval_init(derived, made);
    wipe(made, sizeof made);
}

/* The tag of a plaintext (RFC 8452, 4). */
AESFIT_LOCAL void gcm_siv_tag(const aesfit_gcm_key *derived, uint8_t tag[16], const uint8_t *nonce,
                              const uint8_t *ad, size_t ad_bytes, const uint8_t *plain,
                              size_t bytes)
{
    uint8_t y[16] = {0};
    polyval_absorb(derived, y, ad, ad_bytes);
    polyval_absorb(derived, y, plain, bytes);
    polyval_end(derived, tag, y, ad_bytes, bytes);
    wipe(y, sizeof y);
    xor_tail(tag, tag, nonce, 12);
    tag[15] &= 0x7f;
    encrypt_block(&derived->aes, tag, tag);
}

/* CTR from the tag with its last bit set; the first 32 bits count, little-endian. */
AESFIT_LOCAL void gcm_siv_crypt(const aesfit_key *key, const uint8_t tag[16], uint8_t *out,
                                const uint8_t *in, size_t bytes)
{
    uint8_t counter[16], stream[16 * CORE_MAX_LANES];
    memcpy(counter, tag, 16);
    counter[15] |= 0x80;
    while (bytes > 0) {
        size_t blocks = bytes / 16 + (bytes % 16 != 0);
        blocks = blocks < CORE_LANES(key) ? blocks : CORE_LANES(key);
        for (size_t i = 0; i < blocks; i++) {
            memcpy(stream + 16 * i, counter, 16);
            store32_le(counter, load32_le(counter) + 1);
        }
        encrypt_few(key, stream, stream, blocks);
        for (size_t i = 0; i < blocks; i++) {
            size_t part = bytes < 16 ? bytes : 16;
            xor_part(out, in, stream + 16 * i, part);
            in += part;
            out += part;
            bytes -= part;
        }
    }
    wipe(stream, sizeof stream);
}

CLEARED AESFIT_LOCAL int gcm_siv_encrypt(aesfit_gcm_key *derived, const aesfit_gcm_siv_key *key,
                                         const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
                                         uint8_t *out, const uint8_t *in, size_t bytes,
                                         uint8_t *tag)
{
    uint8_t made[16];
    TRY(gcm_siv_check(key, nonce, ad, ad_bytes, out, in, bytes, tag));
    CHECK_APART(tag, 16, in, bytes);
    CHECK_MESSAGE_APART(tag, 16, key, nonce, 12, ad, ad_bytes);
    gcm_siv_derive(derived, key, nonce);
    gcm_siv_tag(derived, made, nonce, ad, ad_bytes, in, bytes);
    gcm_siv_crypt(&derived->aes, made, out, in, bytes);
    memcpy(tag, made, 16);
    return AESFIT_OK;
}

/* The keys of a message lie here, below which everything is cleared; they are wiped by name. */
int aesfit_gcm_siv_encrypt(const aesfit_gcm_siv_key *key, const uint8_t nonce[12],
                           const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                           size_t bytes, uint8_t tag[16])
{
    aesfit_gcm_key derived;
    int status = CLEAR_AFTER(
        clear_aead, gcm_siv_encrypt(&derived, key, nonce, ad, ad_bytes, out, in, bytes, tag));
    wipe(&derived, sizeof derived);
    return status;
}

CLEARED AESFIT_LOCAL int gcm_siv_decrypt(aesfit_gcm_key *derived, const aesfit_gcm_siv_key *key,
                                         const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
                                         uint8_t *out, const uint8_t *in, size_t bytes,
                                         const uint8_t *tag)
{
    uint8_t made[16];
    TRY(gcm_siv_check(key, nonce, ad, ad_bytes, out, in, bytes, tag));
    gcm_siv_derive(derived, key, nonce);
    gcm_siv_crypt(&derived->aes, tag, out, in, bytes);
    gcm_siv_tag(derived, made, nonce, ad, ad_bytes, out, bytes);
    int status = tag_verdict(made, tag, 16);
    if (status != AESFIT_OK && bytes > 0)
        wipe(out, bytes);
    return status;
}

int aesfit_gcm_siv_decrypt(const aesfit_gcm_siv_key *key, const uint8_t nonce[12],
                           const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                           size_t bytes, const uint8_t tag[16])
{
    aesfit_gcm_key derived;
    int status = CLEAR_AFTER(
        clear_aead, gcm_siv_decrypt(&derived, key, nonce, ad, ad_bytes, out, in, bytes, tag));
    wipe(&derived, sizeof derived);
    return status;
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

const aesfit_mode_facts aesfit_mode_gcm_siv = {
    .name = "gcm_siv",
    .title = "GCM-SIV",
    .summary = "GCM-SIV: authenticated encryption that a repeated nonce does not break",
    .standard = "RFC 8452",

    .properties = AESFIT_MODE_VERDICT | AESFIT_MODE_GHASH | AESFIT_MODE_MESSAGE_KEYS,
    .key_sizes = 5,
    .keys = 1,
    .nonce = {12, 12, 1},
    .ad = {0, UINT64_C(1) << 36, 1},
    .tag = {16, 16, 1},
    .payload = {0, UINT64_C(1) << 36, 1},
    .usual = {12, 22, 16},
    .nonce_called = "nonce",
    .nonce_rule = "not twice under one key: a repeated one shows which messages are equal",
    .expand_key = "aesfit_gcm_siv_expand_key",
    .encrypt = {"aesfit_gcm_siv_encrypt", "nonce ad ad_bytes out in bytes tag"},
    .decrypt = {"aesfit_gcm_siv_decrypt", "nonce ad ad_bytes out in bytes tag"},
    .loops = 161,
};
#endif
