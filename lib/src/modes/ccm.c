/* SPDX-License-Identifier: MIT */
/* CCM, and CCM* of IEEE 802.15.4: CTR with a CBC-MAC of the plaintext.
 *
 * Source: NIST SP 800-38C (RFC 3610).
 * Formatting: SP 800-38C appendix A.  B0 holds flags, nonce and data length; associated data
 * follow behind their length in 2, 6 or 10 bytes; counter block i encrypts data block i, counter
 * block 0 the tag.
 * A tag of 0 bytes is CCM* without authentication: CTR from counter 1; associated data are
 * accepted and, since nothing is authenticated, have no effect.
 * Cost: two blocks of AES per block of data.  The CBC-MAC is serial, but its block and a counter
 * block go through the core together, so that a core of two lanes needs the time of one.  B0,
 * counter 0 and (one-shot) the keystream of the last, short block are one first call.
 * One-shot and streamed calls share everything; a one-shot call is a state on the stack.
 * Constant-time: as the core; comparing tags always. */
#include "../parts/check.h"
#include "../parts/compare.h"
#include "../parts/declassify.h"
#include "../parts/keystream.h"
#include "../parts/mac.h"

/* aesfit_ccm_state.phase; 0: not started, or over */
enum { ccm_in_ad = 1, ccm_in_encryption, ccm_in_decryption };

AESFIT_LOCAL int ccm_check(const aesfit_key *key, const uint8_t *nonce, size_t nonce_bytes,
                           uint64_t bytes, size_t tag_bytes)
{
    TRY(check_key(key, AESFIT_ENCRYPT));
    TRY(check_input(nonce, nonce_bytes));
    if (nonce_bytes < 7 || nonce_bytes > 13)
        return AESFIT_ERR_NONCE_LENGTH;
    if (tag_bytes > 16 || tag_bytes % 2 != 0 || tag_bytes == 2)
        return AESFIT_ERR_TAG_LENGTH;
    if (nonce_bytes > 7 && bytes >> (8 * (15 - nonce_bytes)) != 0)
        return AESFIT_ERR_LIMIT;
    return AESFIT_OK;
}

/* first[0..15] = B0 and first[16..31] = counter block 0. */
AESFIT_LOCAL void ccm_format(uint8_t first[32], const uint8_t *nonce, size_t nonce_bytes,
                             int has_ad, uint64_t bytes, size_t tag_bytes)
{
    size_t length_bytes = 15 - nonce_bytes; /* L of the standard, 2 to 8 */
    memset(first, 0, 32);
    store64_be(first + 8, bytes); /* the nonce overwrites the zero bytes above the field */
    memcpy(first + 1, nonce, nonce_bytes);
    first[0] = (uint8_t)((has_ad ? 0x40u : 0u) | (tag_bytes - 2) / 2 << 3 | (length_bytes - 1));
    first[16] = (uint8_t)(length_bytes - 1);
    memcpy(first + 17, nonce, nonce_bytes);
}

/* Takes bytes into the MAC, from byte state->used of its block on. */
AESFIT_LOCAL void ccm_absorb(aesfit_ccm_state *state, const uint8_t *in, size_t bytes)
{
    const aesfit_key *key = state->key;
    while (bytes > 0) {
        size_t used = state->used, part = 16 - used;
        if (used == 0 && bytes >= 16) {
            part = bytes / 16 * 16;
            mac_blocks(key, state->mac, in, bytes / 16);
        } else {
            part = part < bytes ? part : bytes;
            xor_message(state->mac + used, state->mac + used, in, part);
            state->used = (uint8_t)((used + part) % 16);
            if (state->used == 0)
                CORE_CALL(key, encrypt)(key, state->mac, state->mac, 1);
        }
        in += part;
        bytes -= part;
    }
}

/* Ends the associated data, or the data, with zeros up to the block's end. */
AESFIT_LOCAL void ccm_pad(aesfit_ccm_state *state)
{
    if (state->used != 0 && state->tag_bytes != 0)
        CORE_CALL(state->key, encrypt)(state->key, state->mac, state->mac, 1);
    state->used = 0;
}

AESFIT_LOCAL void ccm_absorb_ad_length(aesfit_ccm_state *state, uint64_t bytes)
{
    uint8_t field[10];
    store64_be(field + 2, bytes);
    if (bytes < 0xff00) {
        ccm_absorb(state, field + 8, 2);
        return;
    }
    size_t at = bytes >> 32 == 0 ? 4 : 0;
    field[at] = 0xff;
    field[at + 1] = bytes >> 32 == 0 ? 0xfe : 0xff;
    ccm_absorb(state, field + at, 10 - at);
}

/* Formats, and encrypts B0 and counter 0; the arguments are already checked.
 * `short_block`: the last block is short and state->keystream is to hold its keystream. */
AESFIT_LOCAL void ccm_begin(aesfit_ccm_state *state, const aesfit_key *key, const uint8_t *nonce,
                            size_t nonce_bytes, uint64_t ad_bytes, uint64_t bytes, size_t tag_bytes,
                            int short_block)
{
    uint8_t first[48];
    ccm_format(first, nonce, nonce_bytes, ad_bytes > 0, bytes, tag_bytes);
    memcpy(state->counter, first + 16, 16);
    state->counter[15] = 1;
    memcpy(first + 32, first + 16, 16);
    store64_be(first + 40, load64_be(first + 40) | (bytes / 16 + 1));
    if (tag_bytes != 0)
        CORE_CALL(key, encrypt)(key, first, first, short_block ? 3 : 2);
    else if (short_block)
        CORE_CALL(key, encrypt)(key, first + 32, first + 32, 1);
    memcpy(state->mac, first, 16);
    memcpy(state->tag_mask, first + 16, 16);
    memcpy(state->keystream, first + 32, 16);
    wipe(first, sizeof first);
    state->key = key;
    state->ad_left = ad_bytes;
    state->data_left = bytes;
    state->used = 0;
    state->tag_bytes = (uint8_t)tag_bytes;
    state->phase = ccm_in_ad;
    if (ad_bytes > 0 && tag_bytes != 0)
        ccm_absorb_ad_length(state, ad_bytes);
}

/* CTR and MAC of whole blocks.  pair: the MAC under way and the next counter block, encrypted
 * together.  Encryption has both at once; decryption runs one keystream block ahead. */
AESFIT_LOCAL void ccm_pairs(const aesfit_key *key, uint8_t counter[16], uint8_t mac[16],
                            uint8_t *out, const uint8_t *in, size_t blocks, int decrypt)
{
    uint8_t pair[32];
    int ahead = decrypt || CORE_LANES(key) == 1;
    memcpy(pair, mac, 16);
    if (ahead) {
        memcpy(pair + 16, counter, 16);
        CORE_CALL(key, encrypt)(key, pair + 16, pair + 16, 1);
        counter_next64(counter);
    }
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        if (!decrypt)
            xor_block(pair, pair, in);
        if (ahead) {
            xor_block(out, in, pair + 16);
            if (decrypt)
                xor_block(pair, pair, out);
        }
        if (!ahead || blocks > 1) {
            memcpy(pair + 16, counter, 16);
            CORE_CALL(key, encrypt)(key, pair, pair, 2);
            counter_next64(counter);
        } else {
            CORE_CALL(key, encrypt)(key, pair, pair, 1);
        }
        if (!ahead)
            xor_block(out, in, pair + 16);
    }
    memcpy(mac, pair, 16);
    wipe(pair, sizeof pair);
}

AESFIT_LOCAL void ccm_blocks(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in,
                             size_t blocks, int decrypt)
{
    const aesfit_key *key = state->key;
    if (state->tag_bytes == 0) {
        keystream_xor(key, state->counter, 64, out, in, blocks);
        return;
    }
#if AESFIT_WITH_BULK
    if (CORE_BULK(key, ccm_encrypt) != NULL && !decrypt) {
        CORE_BULK(key, ccm_encrypt)(key, state->counter, state->mac, out, in, blocks);
        return;
    }
    if (CORE_BULK(key, ccm_decrypt) != NULL && decrypt) {
        CORE_BULK(key, ccm_decrypt)(key, state->counter, state->mac, out, in, blocks);
        return;
    }
#endif
    ccm_pairs(key, state->counter, state->mac, out, in, blocks, decrypt);
}

/* Some bytes inside one block; state->keystream is ready. */
AESFIT_LOCAL void ccm_part(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in, size_t bytes,
                           int decrypt)
{
    uint8_t *mac = state->mac + state->used, *stream = state->keystream + state->used;
    if (!decrypt)
        xor_message(mac, mac, in, bytes);
    xor_message(out, in, stream, bytes);
    if (decrypt)
        xor_message(mac, mac, out, bytes);
    state->used = (uint8_t)(state->used + bytes);
    if (state->used == 16)
        ccm_pad(state);
}

/* `ready`: the last, short block's keystream is there already. */
AESFIT_LOCAL void ccm_data(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in, size_t bytes,
                           int decrypt, int ready)
{
    const aesfit_key *key = state->key;
    state->data_left -= bytes;
    while (bytes > 0) {
        size_t part = 16u - state->used;
        if (state->used == 0 && bytes >= 16) {
            part = bytes / 16 * 16;
            ccm_blocks(state, out, in, bytes / 16, decrypt);
        } else {
            part = part < bytes ? part : bytes;
            if (state->used == 0 && !ready) {
                CORE_CALL(key, encrypt)(key, state->keystream, state->counter, 1);
                counter_next64(state->counter);
            }
            ccm_part(state, out, in, part, decrypt);
        }
        in += part;
        out += part;
        bytes -= part;
    }
}

/* A whole message; state->mac becomes the tag. */
AESFIT_LOCAL void ccm_message(aesfit_ccm_state *state, const uint8_t *ad, uint8_t *out,
                              const uint8_t *in, int decrypt)
{
    if (state->tag_bytes != 0)
        ccm_absorb(state, ad, (size_t)state->ad_left);
    ccm_pad(state);
    ccm_data(state, out, in, (size_t)state->data_left, decrypt, 1);
    ccm_pad(state);
    xor_block(state->mac, state->mac, state->tag_mask);
}

AESFIT_LOCAL int ccm_verdict(aesfit_ccm_state *state, const uint8_t *tag)
{
    uint32_t good = equal_bytes(state->mac, tag, state->tag_bytes);
    wipe(state, sizeof *state);
    declassify(&good, sizeof good); /* the verdict is the result of the call */
    return good ? AESFIT_OK : AESFIT_ERR_AUTHENTICATION;
}

AESFIT_LOCAL int ccm_check_message(const aesfit_key *key, const uint8_t *nonce, size_t nonce_bytes,
                                   const uint8_t *ad, size_t ad_bytes, const uint8_t *out,
                                   const uint8_t *in, size_t bytes, const uint8_t *tag,
                                   size_t tag_bytes)
{
    TRY(ccm_check(key, nonce, nonce_bytes, bytes, tag_bytes));
    TRY(check_input(ad, ad_bytes));
    TRY(check_input(tag, tag_bytes));
    return check_buffers(out, in, bytes);
}

int aesfit_ccm_encrypt(const aesfit_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, uint8_t *tag, size_t tag_bytes)
{
    aesfit_ccm_state state;
    TRY(ccm_check_message(key, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes, tag, tag_bytes));
    ccm_begin(&state, key, nonce, nonce_bytes, ad_bytes, bytes, tag_bytes, bytes % 16 != 0);
    ccm_message(&state, ad, out, in, 0);
    if (tag_bytes > 0)
        memcpy(tag, state.mac, tag_bytes);
    wipe(&state, sizeof state);
    return AESFIT_OK;
}

int aesfit_ccm_decrypt(const aesfit_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, const uint8_t *tag, size_t tag_bytes)
{
    aesfit_ccm_state state;
    TRY(ccm_check_message(key, nonce, nonce_bytes, ad, ad_bytes, out, in, bytes, tag, tag_bytes));
    ccm_begin(&state, key, nonce, nonce_bytes, ad_bytes, bytes, tag_bytes, bytes % 16 != 0);
    ccm_message(&state, ad, out, in, 1);
    int status = ccm_verdict(&state, tag);
    if (status != AESFIT_OK && bytes > 0)
        wipe(out, bytes);
    return status;
}

int aesfit_ccm_start(aesfit_ccm_state *state, const aesfit_key *key, const uint8_t *nonce,
                     size_t nonce_bytes, uint64_t ad_bytes, uint64_t bytes, size_t tag_bytes)
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    state->phase = 0;
    TRY(ccm_check(key, nonce, nonce_bytes, bytes, tag_bytes));
    ccm_begin(state, key, nonce, nonce_bytes, ad_bytes, bytes, tag_bytes, 0);
    return AESFIT_OK;
}

int aesfit_ccm_ad(aesfit_ccm_state *state, const uint8_t *ad, size_t bytes)
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    if (state->phase != ccm_in_ad)
        return AESFIT_ERR_ORDER;
    TRY(check_input(ad, bytes));
    if (bytes > state->ad_left)
        return AESFIT_ERR_LENGTH;
    state->ad_left -= bytes;
    if (state->tag_bytes != 0)
        ccm_absorb(state, ad, bytes);
    return AESFIT_OK;
}

AESFIT_LOCAL int ccm_update(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in, size_t bytes,
                            int decrypt)
{
    uint8_t phase = decrypt ? ccm_in_decryption : ccm_in_encryption;
    if (state == NULL)
        return AESFIT_ERR_NULL;
    if (state->ad_left > 0 || (state->phase != phase && state->phase != ccm_in_ad))
        return AESFIT_ERR_ORDER;
    TRY(check_buffers(out, in, bytes));
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
    return ccm_update(state, out, in, bytes, 0);
}

int aesfit_ccm_decrypt_update_unverified(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in,
                                         size_t bytes)
{
    return ccm_update(state, out, in, bytes, 1);
}

/* state->mac becomes the tag; `other`: the phase that does not end this way. */
AESFIT_LOCAL int ccm_end(aesfit_ccm_state *state, const uint8_t *tag, uint8_t other)
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    if (state->phase == 0 || state->phase == other || state->ad_left > 0 || state->data_left > 0)
        return AESFIT_ERR_ORDER;
    TRY(check_input(tag, state->tag_bytes));
    ccm_pad(state);
    xor_block(state->mac, state->mac, state->tag_mask);
    return AESFIT_OK;
}

int aesfit_ccm_finish(aesfit_ccm_state *state, uint8_t *tag)
{
    TRY(ccm_end(state, tag, ccm_in_decryption));
    if (state->tag_bytes > 0)
        memcpy(tag, state->mac, state->tag_bytes);
    wipe(state, sizeof *state);
    return AESFIT_OK;
}

int aesfit_ccm_verify(aesfit_ccm_state *state, const uint8_t *tag)
{
    TRY(ccm_end(state, tag, ccm_in_encryption));
    return ccm_verdict(state, tag);
}
