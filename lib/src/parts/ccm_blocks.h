/* SPDX-License-Identifier: MIT */
/* What CCM does with its state block by block: encrypting, counting, masking data.
 *
 * Usually keystream is ahead of the data by a block: the MAC's block and the counter block that is
 * next go through the core together, so that a core of two lanes needs the time of one.  B0 goes
 * with counter 1, the last block of the MAC with counter 0, so that nothing is left over.
 * Cores with bulk paths take those, and cores of several lanes make the keystream of tagless data
 * in batches: in ccm_data_lazy() keystream is made when data need it. */
#ifndef AESFIT_PARTS_CCM_BLOCKS_H
#define AESFIT_PARTS_CCM_BLOCKS_H

#include "keystream.h"

/* What stands where in aesfit_ccm_state.blocks.  Calls of the core are over neighbours. */
enum { ccm_keystream = 0, ccm_mac = 4, ccm_tag_mask = 8 };

AESFIT_INLINE uint8_t *ccm_bytes(aesfit_ccm_state *state, unsigned word)
{
    return (uint8_t *)(state->blocks + word);
}

/* A bound build has no CCM* without a tag, but that of a test. */
AESFIT_INLINE int ccm_has_tag(const aesfit_ccm_state *state)
{
#if defined(AESFIT_BOUND) && !defined(AESFIT_BOUND_UNTAGGED)
    (void)state;
    return 1;
#else
    return state->tag_bytes != 0;
#endif
}

AESFIT_INLINE int ccm_has_bulk(const aesfit_key *key)
{
#if AESFIT_WITH_BULK
    return CORE_BULK(key, ccm_encrypt) != NULL && CORE_BULK(key, ccm_decrypt) != NULL;
#else
    (void)key;
    return 0;
#endif
}

/* Keystream is made when data need it, not ahead. */
AESFIT_INLINE int ccm_is_lazy(const aesfit_ccm_state *state)
{
    return ccm_has_bulk(state->key) || (CORE_LANES(state->key) > 1 && !ccm_has_tag(state));
}

/* Counts on.  CCM's counter has 2 to 8 bytes that start at 0 and never wrap, so a carry stays
 * inside. */
AESFIT_INLINE void ccm_count(aesfit_ccm_state *state)
{
    counter_next((uint8_t *)state->counter, 64);
}

/* Counter 0, the tag's: its field has counter[0] + 1 bytes. */
AESFIT_INLINE void ccm_rewind(aesfit_ccm_state *state)
{
    uint8_t *counter = (uint8_t *)state->counter;
    for (unsigned i = 0; i <= counter[0]; i++) {
        counter[15 - i] = 0;
        AESFIT_BARRIER(i); /* a call of memset would take longer */
    }
}

/* The keystream, and if there is a MAC, its next block, both at once where the core can. */
AESFIT_INLINE void ccm_encrypt_both(aesfit_ccm_state *state, keystream_kept *kept)
{
    const aesfit_key *key = state->key;
    uint8_t *keystream = ccm_bytes(state, ccm_keystream), *mac = ccm_bytes(state, ccm_mac);
    if (CORE_LANES(key) == 1) {
        keystream_block(key, kept, keystream, (const uint8_t *)state->counter);
        if (ccm_has_tag(state))
            encrypt_block(key, mac, mac);
    } else {
        memcpy(keystream, state->counter, 16);
        CORE_CALL(key, encrypt)(key, keystream, keystream, ccm_has_tag(state) ? 2 : 1);
    }
}

/* Optimised for size, what is called twice stands once, and whole blocks of data take the way of
 * others. */
#ifdef __OPTIMIZE_SIZE__
#define CCM_ONCE AESFIT_NOINLINE AESFIT_LOCAL
#define CCM_BY_WORDS 0
#else
#define CCM_ONCE AESFIT_INLINE
#define CCM_BY_WORDS AESFIT_SMALL_CODE
#endif

/* Ends a block of data, or B0: the MAC takes it, and keystream for the next block is made, or,
 * after the `last`, the tag's. */
CCM_ONCE void ccm_end_block(aesfit_ccm_state *state, keystream_kept *kept, int last)
{
    if (last) {
        if (!ccm_has_tag(state))
            return;
        ccm_rewind(state);
    }
    ccm_encrypt_both(state, kept);
    ccm_count(state);
}

/* Ends the associated data, or lazy data, with zeros up to the block's end. */
AESFIT_LOCAL void ccm_pad(aesfit_ccm_state *state)
{
    uint8_t *mac = ccm_bytes(state, ccm_mac);
    if (state->used != 0 && ccm_has_tag(state))
        encrypt_block(state->key, mac, mac);
    state->used = 0;
}

/* Word i of ccm_mask(): the MAC takes what comes in, or, where `all_out` is not 0 but all ones,
 * what goes out; a branch for each word would cost more. */
AESFIT_INLINE void ccm_mask_word(aesfit_ccm_state *state, unsigned i, uint8_t *out,
                                 const uint8_t *in, uint32_t all_out)
{
    uint32_t x = load_word(in + 4 * i), mask = state->blocks[ccm_keystream + i];
    state->blocks[ccm_mac + i] ^= x ^ (mask & all_out);
    store_word(out + 4 * i, x ^ mask);
}

/* ccm_mask() of what is no whole block, or not aligned. */
AESFIT_SHARED void ccm_mask_bytes(aesfit_ccm_state *state, size_t used, uint8_t *out,
                                  const uint8_t *in, size_t bytes, int decrypt)
{
    uint8_t *mac = ccm_bytes(state, ccm_mac) + used;
    const uint8_t *keystream = ccm_bytes(state, ccm_keystream) + used;
    if (!decrypt)
        xor_part(mac, mac, in, bytes);
    xor_part(out, in, keystream, bytes);
    if (decrypt)
        xor_part(mac, mac, out, bytes);
}

/* out = in ^ keystream, and the MAC takes the plaintext: some bytes inside one block, from byte
 * `used` on. */
AESFIT_INLINE void ccm_mask(aesfit_ccm_state *state, size_t used, uint8_t *out, const uint8_t *in,
                            size_t bytes, int decrypt)
{
    uint32_t all_out = (uint32_t)0 - (uint32_t)decrypt;
    if (!CCM_BY_WORDS || bytes != 16 || !words_at(out, in)) {
        ccm_mask_bytes(state, used, out, in, bytes, decrypt);
        return;
    }
    ccm_mask_word(state, 0, out, in, all_out);
    ccm_mask_word(state, 1, out, in, all_out);
    ccm_mask_word(state, 2, out, in, all_out);
    ccm_mask_word(state, 3, out, in, all_out);
}

/* Whole blocks, several in flight; the keystream in the state stays. */
AESFIT_LOCAL void ccm_blocks(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in,
                             size_t blocks, int decrypt)
{
    uint8_t *counter = (uint8_t *)state->counter;
#if AESFIT_WITH_BULK
    if (ccm_has_tag(state)) {
        (decrypt ? CORE_BULK(state->key, ccm_decrypt) : CORE_BULK(state->key, ccm_encrypt))(
            state->key, counter, ccm_bytes(state, ccm_mac), out, in, blocks);
        return;
    }
#endif
    (void)decrypt;
    keystream_xor(state->key, counter, 64, 1, out, in, blocks);
}

/* `ready`: the last, short block's keystream is there already. */
AESFIT_LOCAL void ccm_data_lazy(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in,
                                size_t bytes, int decrypt, int ready)
{
    while (bytes > 0) {
        size_t used = state->used, part = 16 - used;
        if (used == 0 && bytes >= 16) {
            part = bytes / 16 * 16;
            ccm_blocks(state, out, in, bytes / 16, decrypt);
        } else {
            part = part < bytes ? part : bytes;
            if (used == 0 && !ready) {
                encrypt_block(state->key, ccm_bytes(state, ccm_keystream),
                              (const uint8_t *)state->counter);
                ccm_count(state);
            }
            ccm_mask(state, used, out, in, part, decrypt);
            state->used = (uint8_t)(used + part);
            if (state->used == 16)
                ccm_pad(state);
        }
        in += part;
        out += part;
        bytes -= part;
    }
}

/* Data, as many as there are in this call; the first of them after ccm_pad().  `all`: in one call
 * (one-shot). */
AESFIT_NOINLINE AESFIT_LOCAL void ccm_data(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in,
                                           size_t bytes, int decrypt, int all)
{
    size_t end = state->data_left == bytes ? 0 : SIZE_MAX; /* `bytes` behind the last block */
    size_t used = state->used;
    keystream_kept kept;
    state->data_left -= bytes;
    if (ccm_is_lazy(state)) {
        ccm_data_lazy(state, out, in, bytes, decrypt, all);
        return;
    }
    keystream_begin(&kept, state->key, bytes / 16);
    while (bytes > 0) {
        size_t part = 16 - used < bytes ? 16 - used : bytes;
        ccm_mask(state, used, out, in, part, decrypt);
        in += part;
        out += part;
        bytes -= part;
        used += part;
        if (used == 16 || bytes == end) {
            ccm_end_block(state, &kept, bytes == end);
            used = 0;
        }
    }
    keystream_end(&kept);
    state->used = (uint8_t)used;
}

#undef CCM_ONCE
#undef CCM_BY_WORDS

#endif
