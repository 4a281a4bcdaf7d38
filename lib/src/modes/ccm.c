/* SPDX-License-Identifier: MIT */
/* CCM, and CCM* of IEEE 802.15.4: CTR with a CBC-MAC of the plaintext.
 *
 * Source: NIST SP 800-38C (RFC 3610).
 * Formatting: SP 800-38C appendix A.  B0 holds flags, nonce and data length; associated data
 * follow behind their length in 2, 6 or 10 bytes; counter block i encrypts data block i, counter
 * block 0 the tag.
 * aesfit_ccm_crypt_unauthenticated() is CCM* without a tag: CTR from counter 1.  The state then has
 * a tag of 0 bytes, which every other function refuses.
 * Cost: two blocks of AES per block of data.  The CBC-MAC is serial, but its block and the counter
 * block that is next go through the core together (parts/ccm_blocks.h), so that a core of two
 * lanes needs the time of one.
 * One-shot and streamed calls share everything; a one-shot call is a state on the stack.
 * Constant-time: as the core; comparing tags always. */
#include "../parts/ccm_blocks.h"
#include "../parts/check.h"
#include "../parts/clear.h"
#include "../parts/compare.h"
#include "../parts/declassify.h"
#if AESFIT_WITH_BULK
#include "../parts/mac.h"
#endif

/* aesfit_ccm_state.phase; 0: not started, or over */
enum { ccm_in_ad = 1, ccm_in_encryption, ccm_in_decryption };

AESFIT_LOCAL int ccm_check(const aesfit_key *key, const uint8_t *nonce, size_t nonce_bytes,
                           uint64_t bytes)
{
    TRY(check_key(key, AESFIT_ENCRYPT));
    TRY(check_input(nonce, nonce_bytes));
    if (nonce_bytes < 7 || nonce_bytes > 13)
        return AESFIT_ERR_NONCE_LENGTH;
    if (nonce_bytes > 7 && bytes >> (8 * (15 - nonce_bytes)) != 0)
        return AESFIT_ERR_LIMIT;
    return AESFIT_OK;
}

AESFIT_LOCAL int ccm_check_tag(size_t tag_bytes)
{
    return tag_bytes >= 4 && tag_bytes <= 16 && tag_bytes % 2 == 0 ? AESFIT_OK
                                                                   : AESFIT_ERR_TAG_LENGTH;
}

/* XORs a public number into the bytes before `end`, big-endian. */
AESFIT_LOCAL void ccm_add_number(uint8_t *end, uint64_t number)
{
    for (; number != 0; number >>= 8)
        *--end ^= (uint8_t)number;
}

/* Takes associated data into the MAC, from byte state->used of its block on. */
AESFIT_LOCAL void ccm_absorb(aesfit_ccm_state *state, const uint8_t *in, size_t bytes)
{
    uint8_t *mac = ccm_bytes(state, ccm_mac);
    while (bytes > 0) {
        size_t used = state->used, part = 16 - used;
#if AESFIT_WITH_BULK
        if (used == 0 && bytes >= 16) {
            mac_blocks(state->key, mac, in, bytes / 16);
            in += bytes / 16 * 16;
            bytes %= 16;
            continue;
        }
#endif
        part = part < bytes ? part : bytes;
        xor_part(mac + used, mac + used, in, part);
        state->used = (uint8_t)(used + part);
        if (state->used == 16)
            ccm_pad(state);
        in += part;
        bytes -= part;
    }
}

/* Their length stands before the associated data: in 2 bytes, or in 4 or 8 behind a mark. */
AESFIT_LOCAL void ccm_absorb_ad_length(aesfit_ccm_state *state, uint64_t bytes)
{
    uint8_t *mac = ccm_bytes(state, ccm_mac);
    int wide = bytes >> 32 != 0;
    state->used = 2;
    if (bytes >= 0xff00) {
        mac[0] ^= 0xff;
        mac[1] ^= wide ? 0xff : 0xfe;
        state->used = wide ? 10 : 6;
    }
    ccm_add_number(mac + state->used, bytes);
}

/* What lazy messages begin with: B0 and counter 0 encrypted in one call, and with them, if asked
 * for, the keystream of the last, short block. */
AESFIT_LOCAL void ccm_begin_lazy(aesfit_ccm_state *state, uint64_t bytes, int short_block)
{
    uint8_t *keystream = ccm_bytes(state, ccm_keystream);
    uint8_t *first = short_block ? keystream : ccm_bytes(state, ccm_mac);
    memcpy(keystream, state->counter, 16);
    ccm_add_number(keystream + 16, bytes / 16 + 1);
    memcpy(ccm_bytes(state, ccm_tag_mask), state->counter, 16);
    ccm_count(state);
    if (ccm_has_tag(state))
        encrypt_few(state->key, first, first, short_block ? 3 : 2);
    else if (short_block)
        encrypt_block(state->key, keystream, keystream);
}

/* Formats and encrypts what comes before the data; the arguments are already checked.
 * `short_block`: all data will come at once, and their last block is short. */
AESFIT_NOINLINE AESFIT_LOCAL void ccm_begin(aesfit_ccm_state *state, const aesfit_key *key,
                                            const uint8_t *nonce, size_t nonce_bytes,
                                            uint64_t ad_bytes, uint64_t bytes, size_t tag_bytes,
                                            int short_block)
{
    uint8_t *first = ccm_bytes(state, ccm_mac), *counter = (uint8_t *)state->counter;
    memset(state, 0, sizeof *state);
    state->key = key;
    state->ad_left = ad_bytes;
    state->data_left = bytes;
    state->tag_bytes = (uint8_t)tag_bytes;
    state->phase = ccm_in_ad;
    counter[0] = (uint8_t)(14 - nonce_bytes); /* L - 1; L of the standard is 2 to 8 */
    memcpy(counter + 1, nonce, nonce_bytes);
    memcpy(first + 1, nonce, nonce_bytes);
    first[0] = (uint8_t)((ad_bytes > 0 ? 0x40u : 0u) | (tag_bytes - 2) / 2 << 3 | counter[0]);
    ccm_add_number(first + 16, bytes);
    if (ccm_is_lazy(state)) {
        ccm_begin_lazy(state, bytes, short_block);
    } else {
        keystream_kept none;
        keystream_begin(&none, key, 0);
        counter[15] = 1;
        ccm_end_block(state, &none, bytes == 0);
    }
    if (ad_bytes > 0)
        ccm_absorb_ad_length(state, ad_bytes);
}

/* The MAC becomes the tag, which it returns. */
AESFIT_LOCAL uint8_t *ccm_tag(aesfit_ccm_state *state)
{
    unsigned mask = ccm_is_lazy(state) ? ccm_tag_mask : ccm_keystream;
    ccm_pad(state); /* associated data, or lazy data */
    for (unsigned i = 0; i < 4; i++)
        state->blocks[ccm_mac + i] ^= state->blocks[mask + i];
    return ccm_bytes(state, ccm_mac);
}

/* A whole message but for its tag, with all checks. */
AESFIT_NOINLINE AESFIT_LOCAL int ccm_message(aesfit_ccm_state *state, const aesfit_key *key,
                                             const uint8_t *nonce, size_t nonce_bytes,
                                             const uint8_t *ad, size_t ad_bytes, uint8_t *out,
                                             const uint8_t *in, size_t bytes, const uint8_t *tag,
                                             size_t tag_bytes, int decrypt)
{
    TRY(ccm_check(key, nonce, nonce_bytes, bytes));
    TRY(ccm_check_tag(tag_bytes));
    TRY(check_input(ad, ad_bytes));
    TRY(check_input(tag, tag_bytes));
    TRY(check_buffers(out, in, bytes));
    CHECK_APART(out, bytes, tag, tag_bytes);
    CHECK_APART(tag, decrypt ? 0 : tag_bytes, in, bytes);
    CHECK_MESSAGE_APART(out, bytes, key, nonce, nonce_bytes, ad, ad_bytes);
    CHECK_MESSAGE_APART(tag, decrypt ? 0 : tag_bytes, key, nonce, nonce_bytes, ad, ad_bytes);
    ccm_begin(state, key, nonce, nonce_bytes, ad_bytes, bytes, tag_bytes, bytes % 16 != 0);
    ccm_absorb(state, ad, ad_bytes);
    ccm_pad(state);
    ccm_data(state, out, in, bytes, decrypt, 1);
    return AESFIT_OK;
}

AESFIT_LOCAL void ccm_give(aesfit_ccm_state *state, uint8_t *tag)
{
    const uint8_t *computed = ccm_tag(state);
    memcpy(tag, computed, state->tag_bytes);
    wipe(state, sizeof *state);
}

AESFIT_LOCAL int ccm_verdict(aesfit_ccm_state *state, const uint8_t *tag)
{
    uint32_t good = equal_bytes(ccm_tag(state), tag, state->tag_bytes);
    wipe(state, sizeof *state);
    declassify(&good, sizeof good); /* the verdict is the result of the call */
    return good ? AESFIT_OK : AESFIT_ERR_AUTHENTICATION;
}

CLEARED AESFIT_LOCAL int ccm_encrypt(const aesfit_key *key, const uint8_t *nonce,
                                     size_t nonce_bytes, const uint8_t *ad, size_t ad_bytes,
                                     uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *tag,
                                     size_t tag_bytes)
{
    aesfit_ccm_state state;
    TRY(ccm_message(&state, key, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes, tag, tag_bytes,
                    0));
    ccm_give(&state, tag);
    return AESFIT_OK;
}

int aesfit_ccm_encrypt(const aesfit_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, uint8_t *tag, size_t tag_bytes)
{
    return CLEAR_AFTER(clear_aead, ccm_encrypt(key, nonce, nonce_bytes, ad, ad_bytes, out, in,
                                               bytes, tag, tag_bytes));
}

CLEARED AESFIT_LOCAL int ccm_decrypt(const aesfit_key *key, const uint8_t *nonce,
                                     size_t nonce_bytes, const uint8_t *ad, size_t ad_bytes,
                                     uint8_t *out, const uint8_t *in, size_t bytes,
                                     const uint8_t *tag, size_t tag_bytes)
{
    aesfit_ccm_state state;
    TRY(ccm_message(&state, key, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes, tag, tag_bytes,
                    1));
    int status = ccm_verdict(&state, tag);
    if (status != AESFIT_OK && bytes > 0)
        wipe(out, bytes);
    return status;
}

int aesfit_ccm_decrypt(const aesfit_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, const uint8_t *tag, size_t tag_bytes)
{
    return CLEAR_AFTER(clear_aead, ccm_decrypt(key, nonce, nonce_bytes, ad, ad_bytes, out, in,
                                               bytes, tag, tag_bytes));
}

#if !defined(AESFIT_BOUND) || defined(AESFIT_BOUND_UNTAGGED)
CLEARED AESFIT_LOCAL int ccm_crypt_unauthenticated(const aesfit_key *key, const uint8_t *nonce,
                                                   size_t nonce_bytes, uint8_t *out,
                                                   const uint8_t *in, size_t bytes)
{
    aesfit_ccm_state state;
    TRY(ccm_check(key, nonce, nonce_bytes, bytes));
    TRY(check_buffers(out, in, bytes));
    CHECK_MESSAGE_APART(out, bytes, key, nonce, nonce_bytes, NULL, 0);
    ccm_begin(&state, key, nonce, nonce_bytes, 0, bytes, 0, bytes % 16 != 0);
    ccm_data(&state, out, in, bytes, 0, 1);
    wipe(&state, sizeof state);
    return AESFIT_OK;
}

int aesfit_ccm_crypt_unauthenticated(const aesfit_key *key, const uint8_t *nonce,
                                     size_t nonce_bytes, uint8_t *out, const uint8_t *in,
                                     size_t bytes)
{
    return CLEAR_AFTER(clear_aead,
                       ccm_crypt_unauthenticated(key, nonce, nonce_bytes, out, in, bytes));
}
#endif

CLEARED AESFIT_LOCAL int ccm_start(aesfit_ccm_state *state, const aesfit_key *key,
                                   const uint8_t *nonce, size_t nonce_bytes, uint64_t ad_bytes,
                                   uint64_t bytes, size_t tag_bytes)
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    state->phase = 0;
    TRY(ccm_check(key, nonce, nonce_bytes, bytes));
    TRY(ccm_check_tag(tag_bytes));
    CHECK_MESSAGE_APART(state, sizeof *state, key, nonce, nonce_bytes, NULL, 0);
    ccm_begin(state, key, nonce, nonce_bytes, ad_bytes, bytes, tag_bytes, 0);
    return AESFIT_OK;
}

int aesfit_ccm_start(aesfit_ccm_state *state, const aesfit_key *key, const uint8_t *nonce,
                     size_t nonce_bytes, uint64_t ad_bytes, uint64_t bytes, size_t tag_bytes)
{
    return CLEAR_AFTER(clear_aead,
                       ccm_start(state, key, nonce, nonce_bytes, ad_bytes, bytes, tag_bytes));
}

CLEARED AESFIT_LOCAL int ccm_ad(aesfit_ccm_state *state, const uint8_t *ad, size_t bytes)
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    if (state->phase != ccm_in_ad)
        return AESFIT_ERR_ORDER;
    TRY(check_input(ad, bytes));
    if (bytes > state->ad_left)
        return AESFIT_ERR_LENGTH;
    CHECK_APART(state, sizeof *state, ad, bytes);
    state->ad_left -= bytes;
    ccm_absorb(state, ad, bytes);
    return AESFIT_OK;
}

int aesfit_ccm_ad(aesfit_ccm_state *state, const uint8_t *ad, size_t bytes)
{
    return CLEAR_AFTER(clear_aead, ccm_ad(state, ad, bytes));
}

CLEARED AESFIT_LOCAL int ccm_update(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in,
                                    size_t bytes, int decrypt)
{
    uint8_t phase = decrypt ? ccm_in_decryption : ccm_in_encryption;
    if (state == NULL)
        return AESFIT_ERR_NULL;
    if (state->ad_left > 0 || (state->phase != phase && state->phase != ccm_in_ad))
        return AESFIT_ERR_ORDER;
    TRY(check_buffers(out, in, bytes));
    CHECK_APART(out, bytes, state->key, sizeof *state->key);
    CHECK_APART(state, sizeof *state, out, bytes);
    CHECK_APART(state, sizeof *state, in, bytes);
    if (bytes > state->data_left)
        return AESFIT_ERR_LENGTH;
    if (state->phase == ccm_in_ad)
        ccm_pad(state);
    state->phase = phase;
    ccm_data(state, out, in, bytes, decrypt, 0);
    return AESFIT_OK;
}

int aesfit_ccm_encrypt_update(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in,
                              size_t bytes)
{
    return CLEAR_AFTER(clear_aead, ccm_update(state, out, in, bytes, 0));
}

int aesfit_ccm_decrypt_update_unverified(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in,
                                         size_t bytes)
{
    return CLEAR_AFTER(clear_aead, ccm_update(state, out, in, bytes, 1));
}

/* May the stream end?  `other`: the phase that does not end this way. */
AESFIT_LOCAL int ccm_check_end(const aesfit_ccm_state *state, const uint8_t *tag, size_t tag_bytes,
                               uint8_t other)
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    if (state->phase == 0 || state->phase == other || state->ad_left > 0 || state->data_left > 0)
        return AESFIT_ERR_ORDER;
    if (tag_bytes != state->tag_bytes)
        return AESFIT_ERR_TAG_LENGTH;
    CHECK_APART(state, sizeof *state, tag, tag_bytes);
    CHECK_APART(tag, other == ccm_in_decryption ? tag_bytes : 0, state->key, sizeof *state->key);
    return check_input(tag, tag_bytes);
}

CLEARED AESFIT_LOCAL int ccm_finish(aesfit_ccm_state *state, uint8_t *tag, size_t tag_bytes)
{
    TRY(ccm_check_end(state, tag, tag_bytes, ccm_in_decryption));
    ccm_give(state, tag);
    return AESFIT_OK;
}

int aesfit_ccm_finish(aesfit_ccm_state *state, uint8_t *tag, size_t tag_bytes)
{
    return CLEAR_AFTER(clear_aead, ccm_finish(state, tag, tag_bytes));
}

CLEARED AESFIT_LOCAL int ccm_verify(aesfit_ccm_state *state, const uint8_t *tag, size_t tag_bytes)
{
    TRY(ccm_check_end(state, tag, tag_bytes, ccm_in_encryption));
    return ccm_verdict(state, tag);
}

int aesfit_ccm_verify(aesfit_ccm_state *state, const uint8_t *tag, size_t tag_bytes)
{
    return CLEAR_AFTER(clear_aead, ccm_verify(state, tag, tag_bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

const aesfit_mode_facts aesfit_mode_ccm = {
    .name = "ccm",
    .title = "CCM",
    .summary = "CCM, and CCM* of IEEE 802.15.4: CTR with a CBC-MAC of the plaintext",
    .standard = "NIST SP 800-38C; RFC 3610",
    .properties = AESFIT_MODE_VERDICT | AESFIT_MODE_KEYSTREAM,
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .nonce = {7, 13, 1},
    .ad = {0, AESFIT_NO_LIMIT, 1},
    .tag = {4, 16, 2},
    .payload = {0, 0xffff, 1}, /* with the longest nonce, which leaves two bytes for it */
    .usual = {13, 22, 8},
    .nonce_called = "nonce",
    .nonce_rule = "never twice under one key: count up",
    .expand_key = "aesfit_expand_key",
    .encrypt = {"aesfit_ccm_encrypt", "nonce nonce_bytes ad ad_bytes out in bytes tag tag_bytes"},
    .decrypt = {"aesfit_ccm_decrypt", "nonce nonce_bytes ad ad_bytes out in bytes tag tag_bytes"},
    .block_calls = 2,
    .loops = 81,
};
#endif
