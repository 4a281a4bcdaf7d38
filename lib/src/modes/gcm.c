/* SPDX-License-Identifier: MIT */
/* GCM and GMAC: CTR with a polynomial MAC (GHASH) of the ciphertext.
 *
 * Source: NIST SP 800-38D.
 * Idea: counter block 0 (J0) encrypts the tag, the following ones the data.  Whole blocks take the
 * core's interleaved path where it has one for this GHASH, otherwise chunks of CTR and GHASH; a
 * core may have a path of its own for whole messages with a 12-byte nonce.  Decryption is one pass,
 * and wipes its output when the tag is wrong.
 * Cost: a block of AES and a multiplication per block of data, and a few for nonce, lengths and
 * tag; the last block's keystream comes with E(J0) in one call, so that two lanes do a message of
 * one block in the time of one.
 * Constant-time: as the core and the GHASH multiplier; comparing tags always.  What a core keeps of
 * counter blocks (core.h) is used with a nonce of 12 bytes alone, whose counter is public. */
#define AESFIT_CORE_IS_KNOWN
#include "../parts/check.h"
#include "../parts/clear.h"
#include "../parts/gcm_check.h"
#include "../parts/ghash_message.h"
#include "../parts/verdict.h"

/* aesfit_gcm_state.phase; 0: not started, or over */
enum { gcm_in_ad = 1, gcm_in_encryption, gcm_in_decryption };

/* Blocks of CTR before GHASH reads them again: they stay in any cache. */
enum { gcm_chunk_blocks = 64 };

CLEARED AESFIT_LOCAL int gcm_expand_key(aesfit_gcm_key *key, const aesfit_core *core,
                                        const aesfit_ghash *ghash, const uint8_t *raw_key,
                                        size_t key_bytes)
{
    uint8_t h[16] = {0};
    if (key == NULL)
        return AESFIT_ERR_NULL;
    key->aes.directions = 0;
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
    TRY(aesfit_expand_key(&key->aes, core, raw_key, key_bytes, AESFIT_ENCRYPT));
    encrypt_block(&key->aes, h, h);
    GHASH_CALL(key, init)(key->h, h);
    wipe(h, sizeof h);
    return AESFIT_OK;
}

int aesfit_gcm_expand_key(aesfit_gcm_key *key, const aesfit_core *core, const aesfit_ghash *ghash,
                          const uint8_t *raw_key, size_t key_bytes)
{
    return CLEAR_AFTER(clear_aead, gcm_expand_key(key, core, ghash, raw_key, key_bytes));
}

/* J0, the counter block that belongs to the tag (SP 800-38D 7.1, step 2). */
AESFIT_LOCAL void gcm_first_counter(const aesfit_gcm_key *key, uint8_t counter[16],
                                    const uint8_t *nonce, size_t nonce_bytes)
{
    memset(counter, 0, 16);
    if (nonce_bytes == 12) {
        memcpy(counter, nonce, 12);
        counter[15] = 1;
    } else {
        uint8_t used = 0;
        ghash_absorb(key, counter, &used, nonce, nonce_bytes);
        ghash_lengths(key, counter, used, 0, nonce_bytes);
    }
}

/* last_bytes above 0: state->keystream is to hold the keystream of the last block of a message of
 * that many bytes, which comes in the same call of the core. */
AESFIT_LOCAL void gcm_begin(aesfit_gcm_state *state, const aesfit_gcm_key *key,
                            const uint8_t *nonce, size_t nonce_bytes, size_t last_bytes)
{
    uint8_t first[32];
    gcm_first_counter(key, first, nonce, nonce_bytes);
    memcpy(state->counter, first, 16);
    memcpy(first + 16, first, 16);
    counter_next32(state->counter);
    store32_be(first + 28, load32_be(first + 28) + (uint32_t)((last_bytes + 15) / 16));
    encrypt_few(&key->aes, first, first, last_bytes > 0 ? 2 : 1);
    memcpy(state->tag_mask, first, 16);
    memcpy(state->keystream, first + 16, 16);
    memset(state->y, 0, 16);
    wipe(first, sizeof first);
    state->key = key;
    state->ad_bytes = 0;
    state->data_bytes = 0;
    state->used = 0;
    state->counter_known = nonce_bytes == 12;
    state->phase = gcm_in_ad;
}

AESFIT_LOCAL void gcm_blocks(aesfit_gcm_state *state, uint8_t *out, const uint8_t *in,
                             size_t blocks, int decrypt)
{
    const aesfit_gcm_key *key = state->key;
#if AESFIT_WITH_BULK
    const aesfit_bulk *bulk = key->aes.core->bulk;
    if (bulk != NULL && bulk->gcm_encrypt != NULL && bulk->gcm_ghash == key->ghash) {
        if (decrypt)
            bulk->gcm_decrypt(key, state->counter, state->y, out, in, blocks);
        else
            bulk->gcm_encrypt(key, state->counter, state->y, out, in, blocks);
        return;
    }
#endif
    while (blocks > 0) {
        size_t chunk = blocks < gcm_chunk_blocks ? blocks : (size_t)gcm_chunk_blocks;
        if (decrypt)
            GHASH_CALL(key, update)(key->h, state->y, in, chunk);
        keystream_xor(&key->aes, state->counter, 32, state->counter_known, out, in, chunk);
        if (!decrypt)
            GHASH_CALL(key, update)(key->h, state->y, out, chunk);
        in += 16 * chunk;
        out += 16 * chunk;
        blocks -= chunk;
    }
}

/* Some bytes inside one block; state->keystream is ready. */
AESFIT_LOCAL void gcm_part(aesfit_gcm_state *state, uint8_t *out, const uint8_t *in, size_t bytes,
                           int decrypt)
{
    uint8_t *y = state->y + state->used, *stream = state->keystream + state->used;
    if (decrypt)
        xor_part(y, y, in, bytes);
    xor_part(out, in, stream, bytes);
    if (!decrypt)
        xor_part(y, y, out, bytes);
    state->used = (uint8_t)(state->used + bytes);
    if (state->used == 16)
        ghash_pad(state->key, state->y, &state->used);
}

/* ready 1: these are all data and the keystream of the last block is there; otherwise 0. */
AESFIT_LOCAL void gcm_data(aesfit_gcm_state *state, uint8_t *out, const uint8_t *in, size_t bytes,
                           int decrypt, size_t ready)
{
    const aesfit_key *key = &state->key->aes;
    state->data_bytes += bytes;
    while (bytes > 0) {
        size_t part = 16u - state->used;
        if (state->used == 0 && bytes - ready >= 16) {
            part = (bytes - ready) / 16 * 16;
            gcm_blocks(state, out, in, part / 16, decrypt);
        } else {
            part = part < bytes ? part : bytes;
            if (state->used == 0 && ready == 0) {
                encrypt_block(key, state->keystream, state->counter);
                counter_next32(state->counter);
            }
            gcm_part(state, out, in, part, decrypt);
        }
        in += part;
        out += part;
        bytes -= part;
    }
}

/* state->y becomes the tag. */
AESFIT_LOCAL void gcm_tag(aesfit_gcm_state *state)
{
    ghash_lengths(state->key, state->y, state->used, state->ad_bytes, state->data_bytes);
    xor_block(state->y, state->y, state->tag_mask);
}

/* ---------------------------------------------------------- one-shot, public */

/* A whole message; full: its tag. */
AESFIT_LOCAL void gcm_message(const aesfit_gcm_key *key, const uint8_t *nonce, size_t nonce_bytes,
                              const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                              size_t bytes, uint8_t full[16], int decrypt)
{
    aesfit_gcm_state state;
#if AESFIT_WITH_BULK
    const aesfit_bulk *bulk = key->aes.core->bulk;
    if (bulk != NULL && bulk->gcm_seal != NULL && bulk->gcm_ghash == key->ghash &&
        nonce_bytes == 12) {
        (decrypt ? bulk->gcm_open : bulk->gcm_seal)(key, nonce, ad, ad_bytes, out, in, bytes, full);
        return;
    }
#endif
    gcm_begin(&state, key, nonce, nonce_bytes, bytes);
    ghash_absorb(key, state.y, &state.used, ad, ad_bytes);
    ghash_pad(key, state.y, &state.used);
    state.ad_bytes = ad_bytes;
    gcm_data(&state, out, in, bytes, decrypt, 1);
    gcm_tag(&state);
    memcpy(full, state.y, 16);
    wipe(&state, sizeof state);
}

CLEARED AESFIT_LOCAL int gcm_encrypt(const aesfit_gcm_key *key, const uint8_t *nonce,
                                     size_t nonce_bytes, const uint8_t *ad, size_t ad_bytes,
                                     uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *tag,
                                     size_t tag_bytes)
{
    uint8_t full[16];
    TRY(gcm_check_message(key, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes, tag, tag_bytes));
    CHECK_APART(tag, tag_bytes, in, bytes);
    CHECK_MESSAGE_APART(tag, tag_bytes, key, nonce, nonce_bytes, ad, ad_bytes);
    gcm_message(key, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes, full, 0);
    memcpy(tag, full, tag_bytes);
    return AESFIT_OK;
}

int aesfit_gcm_encrypt(const aesfit_gcm_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, uint8_t *tag, size_t tag_bytes)
{
    return CLEAR_AFTER(clear_aead, gcm_encrypt(key, nonce, nonce_bytes, ad, ad_bytes, out, in,
                                               bytes, tag, tag_bytes));
}

CLEARED AESFIT_LOCAL int gcm_decrypt(const aesfit_gcm_key *key, const uint8_t *nonce,
                                     size_t nonce_bytes, const uint8_t *ad, size_t ad_bytes,
                                     uint8_t *out, const uint8_t *in, size_t bytes,
                                     const uint8_t *tag, size_t tag_bytes)
{
    uint8_t full[16];
    TRY(gcm_check_message(key, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes, tag, tag_bytes));
    gcm_message(key, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes, full, 1);
    int status = tag_verdict(full, tag, tag_bytes);
    if (status != AESFIT_OK && bytes > 0)
        wipe(out, bytes);
    return status;
}

int aesfit_gcm_decrypt(const aesfit_gcm_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, const uint8_t *tag, size_t tag_bytes)
{
    return CLEAR_AFTER(clear_aead, gcm_decrypt(key, nonce, nonce_bytes, ad, ad_bytes, out, in,
                                               bytes, tag, tag_bytes));
}

int aesfit_gmac(const aesfit_gcm_key *key, const uint8_t *nonce, size_t nonce_bytes,
                const uint8_t *in, size_t bytes, uint8_t *tag, size_t tag_bytes)
{
    return aesfit_gcm_encrypt(key, nonce, nonce_bytes, in, bytes, NULL, NULL, 0, tag, tag_bytes);
}

int aesfit_gmac_verify(const aesfit_gcm_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *in, size_t bytes, const uint8_t *tag, size_t tag_bytes)
{
    return aesfit_gcm_decrypt(key, nonce, nonce_bytes, in, bytes, NULL, NULL, 0, tag, tag_bytes);
}

/* ---------------------------------------------------------- streamed, public */

CLEARED AESFIT_LOCAL int gcm_start(aesfit_gcm_state *state, const aesfit_gcm_key *key,
                                   const uint8_t *nonce, size_t nonce_bytes)
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    state->phase = 0;
    TRY(gcm_check(key, nonce, nonce_bytes));
    CHECK_MESSAGE_APART(state, sizeof *state, key, nonce, nonce_bytes, NULL, 0);
    gcm_begin(state, key, nonce, nonce_bytes, 0);
    return AESFIT_OK;
}

int aesfit_gcm_start(aesfit_gcm_state *state, const aesfit_gcm_key *key, const uint8_t *nonce,
                     size_t nonce_bytes)
{
    return CLEAR_AFTER(clear_aead, gcm_start(state, key, nonce, nonce_bytes));
}

CLEARED AESFIT_LOCAL int gcm_ad(aesfit_gcm_state *state, const uint8_t *ad, size_t bytes)
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    if (state->phase != gcm_in_ad)
        return AESFIT_ERR_ORDER;
    TRY(check_input(ad, bytes));
    TRY(gcm_check_limits(bytes, 0)); /* so that the sum cannot wrap */
    TRY(gcm_check_limits(state->ad_bytes + bytes, 0));
    CHECK_APART(state, sizeof *state, ad, bytes);
    state->ad_bytes += bytes;
    ghash_absorb(state->key, state->y, &state->used, ad, bytes);
    return AESFIT_OK;
}

int aesfit_gcm_ad(aesfit_gcm_state *state, const uint8_t *ad, size_t bytes)
{
    return CLEAR_AFTER(clear_aead, gcm_ad(state, ad, bytes));
}

CLEARED AESFIT_LOCAL int gcm_update(aesfit_gcm_state *state, uint8_t *out, const uint8_t *in,
                                    size_t bytes, int decrypt)
{
    uint8_t phase = decrypt ? gcm_in_decryption : gcm_in_encryption;
    if (state == NULL)
        return AESFIT_ERR_NULL;
    if (state->phase != phase && state->phase != gcm_in_ad)
        return AESFIT_ERR_ORDER;
    TRY(gcm_check_limits(0, bytes)); /* so that the sum cannot wrap */
    TRY(gcm_check_limits(0, state->data_bytes + bytes));
    TRY(check_buffers(out, in, bytes));
    CHECK_APART(out, bytes, state->key, sizeof *state->key);
    CHECK_APART(state, sizeof *state, out, bytes);
    CHECK_APART(state, sizeof *state, in, bytes);
    if (state->phase == gcm_in_ad)
        ghash_pad(state->key, state->y, &state->used);
    state->phase = phase;
    gcm_data(state, out, in, bytes, decrypt, 0);
    return AESFIT_OK;
}

int aesfit_gcm_encrypt_update(aesfit_gcm_state *state, uint8_t *out, const uint8_t *in,
                              size_t bytes)
{
    return CLEAR_AFTER(clear_aead, gcm_update(state, out, in, bytes, 0));
}

int aesfit_gcm_decrypt_update_unverified(aesfit_gcm_state *state, uint8_t *out, const uint8_t *in,
                                         size_t bytes)
{
    return CLEAR_AFTER(clear_aead, gcm_update(state, out, in, bytes, 1));
}

/* state->y becomes the tag; `other`: the phase that does not end this way. */
AESFIT_LOCAL int gcm_end(aesfit_gcm_state *state, const uint8_t *tag, size_t tag_bytes,
                         uint8_t other)
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    if (state->phase == 0 || state->phase == other)
        return AESFIT_ERR_ORDER;
    TRY(gcm_check_tag(tag, tag_bytes));
    CHECK_APART(state, sizeof *state, tag, tag_bytes);
    CHECK_APART(tag, other == gcm_in_decryption ? tag_bytes : 0, state->key, sizeof *state->key);
    gcm_tag(state);
    return AESFIT_OK;
}

CLEARED AESFIT_LOCAL int gcm_finish(aesfit_gcm_state *state, uint8_t *tag, size_t tag_bytes)
{
    TRY(gcm_end(state, tag, tag_bytes, gcm_in_decryption));
    memcpy(tag, state->y, tag_bytes);
    wipe(state, sizeof *state);
    return AESFIT_OK;
}

int aesfit_gcm_finish(aesfit_gcm_state *state, uint8_t *tag, size_t tag_bytes)
{
    return CLEAR_AFTER(clear_aead, gcm_finish(state, tag, tag_bytes));
}

CLEARED AESFIT_LOCAL int gcm_verify(aesfit_gcm_state *state, const uint8_t *tag, size_t tag_bytes)
{
    TRY(gcm_end(state, tag, tag_bytes, gcm_in_encryption));
    int status = tag_verdict(state->y, tag, tag_bytes);
    wipe(state, sizeof *state);
    return status;
}

int aesfit_gcm_verify(aesfit_gcm_state *state, const uint8_t *tag, size_t tag_bytes)
{
    return CLEAR_AFTER(clear_aead, gcm_verify(state, tag, tag_bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

const aesfit_mode_facts aesfit_mode_gcm = {
    .name = "gcm",
    .title = "GCM",
    .summary = "GCM and GMAC: CTR with a polynomial MAC (GHASH) of the ciphertext",
    .standard = "NIST SP 800-38D",
    .properties = AESFIT_MODE_VERDICT | AESFIT_MODE_KEYSTREAM | AESFIT_MODE_GHASH,
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .nonce = {1, (UINT64_C(1) << 61) - 1, 1},
    .ad = {0, (UINT64_C(1) << 61) - 1, 1},
    .tag = {12, 16, 1},
    .short_tags = {4, 8},
    .payload = {0, (UINT64_C(1) << 36) - 32, 1},
    .usual = {12, 22, 16},
    .nonce_called = "nonce",
    .nonce_rule = "never twice under one key: count up",
    .expand_key = "aesfit_gcm_expand_key",
    .encrypt = {"aesfit_gcm_encrypt", "nonce nonce_bytes ad ad_bytes out in bytes tag tag_bytes"},
    .decrypt = {"aesfit_gcm_decrypt", "nonce nonce_bytes ad ad_bytes out in bytes tag tag_bytes"},
    .loops = 1041,
};
#endif
