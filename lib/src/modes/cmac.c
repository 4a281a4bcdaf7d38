/* SPDX-License-Identifier: MIT */
/* CMAC: CBC-MAC with a subkey in the last block.
 *
 * Source: NIST SP 800-38B; RFC 4493.
 * Idea: the subkeys are E(0) doubled once (last block whole) or twice (last block padded) in
 * GF(2^128).  A stream holds back up to 16 bytes, since only the end tells which block is the last.
 * Cost: one block of AES per block, serial.  Of a message of several blocks, E(0) and the first
 * block go through the core in one call, so that with two lanes or more the subkey costs nothing.
 * Constant-time: as the core; doubling and comparing tags always. */
#include "../parts/check.h"
#include "../parts/clear.h"
#include "../parts/compare.h"
#include "../parts/declassify.h"
#include "../parts/mac.h"
#include "../parts/mask.h"
#include "../parts/wipe.h"

/* Doubles in GF(2^128) = GF(2)[x] / (x^128 + x^7 + x^2 + x + 1), big-endian, constant time. */
AESFIT_LOCAL void cmac_double(uint8_t block[16])
{
    uint64_t high = load64_be(block), low = load64_be(block + 8);
    uint32_t carry = mask32((uint32_t)(high >> 63));
    store64_be(block, high << 1 | low >> 63);
    store64_be(block + 8, low << 1 ^ (carry & 0x87));
}

/* mac = E(mac ^ last block ^ subkey); zero: E(0); last: `bytes` (0 to 16) bytes. */
AESFIT_LOCAL void cmac_last(const aesfit_key *key, uint8_t mac[16], uint8_t zero[16],
                            const uint8_t *last, size_t bytes)
{
    cmac_double(zero);
    if (bytes < 16) {
        cmac_double(zero);
        mac[bytes] ^= 0x80;
    }
    xor_block(mac, mac, zero);
    xor_bytes(mac, mac, last, bytes);
    encrypt_block(key, mac, mac);
}

/* The whole tag of a message. */
AESFIT_LOCAL void cmac_tag(const aesfit_key *key, const uint8_t *in, size_t bytes, uint8_t tag[16])
{
    uint8_t work[32] = {0}; /* becomes E(0) and the MAC */
    if (bytes > 16) {
        size_t middle = (bytes - 1) / 16 - 1; /* blocks between the first and the last */
        memcpy(work + 16, in, 16);
        encrypt_few(key, work, work, 2);
        mac_blocks(key, work + 16, in + 16, middle);
        in += 16 * (middle + 1);
        bytes -= 16 * (middle + 1);
    } else {
        encrypt_block(key, work, work);
    }
    cmac_last(key, work + 16, work, in, bytes);
    memcpy(tag, work + 16, 16);
    wipe(work, sizeof work);
}

AESFIT_LOCAL int cmac_check(const aesfit_key *key, const uint8_t *in, size_t bytes,
                            const uint8_t *tag, size_t tag_bytes)
{
    TRY(check_key(key, AESFIT_ENCRYPT));
    TRY(check_input(in, bytes));
    TRY(check_input(tag, tag_bytes));
    return tag_bytes >= 4 && tag_bytes <= 16 ? AESFIT_OK : AESFIT_ERR_TAG_LENGTH;
}

CLEARED AESFIT_LOCAL int cmac_make(const aesfit_key *key, const uint8_t *in, size_t bytes,
                                   uint8_t *tag, size_t tag_bytes)
{
    uint8_t computed[16];
    TRY(cmac_check(key, in, bytes, tag, tag_bytes));
    CHECK_APART(tag, tag_bytes, key, sizeof *key);
    CHECK_APART(tag, tag_bytes, in, bytes);
    cmac_tag(key, in, bytes, computed);
    memcpy(tag, computed, tag_bytes);
    return AESFIT_OK;
}

int aesfit_cmac(const aesfit_key *key, const uint8_t *in, size_t bytes, uint8_t *tag,
                size_t tag_bytes)
{
    return CLEAR_AFTER(clear_blocks, cmac_make(key, in, bytes, tag, tag_bytes));
}

CLEARED AESFIT_LOCAL int cmac_verify(const aesfit_key *key, const uint8_t *in, size_t bytes,
                                     const uint8_t *tag, size_t tag_bytes)
{
    uint8_t computed[16];
    TRY(cmac_check(key, in, bytes, tag, tag_bytes));
    cmac_tag(key, in, bytes, computed);
    uint32_t good = equal_bytes(computed, tag, tag_bytes);
    wipe(computed, sizeof computed);
    declassify(&good, sizeof good); /* the verdict is the result of the call */
    return good ? AESFIT_OK : AESFIT_ERR_AUTHENTICATION;
}

int aesfit_cmac_verify(const aesfit_key *key, const uint8_t *in, size_t bytes, const uint8_t *tag,
                       size_t tag_bytes)
{
    return CLEAR_AFTER(clear_blocks, cmac_verify(key, in, bytes, tag, tag_bytes));
}

int aesfit_cmac_start(aesfit_cmac_state *state, const aesfit_key *key)
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    CHECK_APART(state, sizeof *state, key, sizeof *key);
    memset(state, 0, sizeof *state);
    TRY(check_key(key, AESFIT_ENCRYPT));
    state->key = key;
    return AESFIT_OK;
}

CLEARED AESFIT_LOCAL int cmac_update(aesfit_cmac_state *state, const uint8_t *in, size_t bytes)
{
    if (state == NULL)
        return AESFIT_ERR_NULL;
    if (state->key == NULL)
        return AESFIT_ERR_ORDER;
    TRY(check_input(in, bytes));
    CHECK_APART(state, sizeof *state, in, bytes);
    size_t room = 16u - state->held_bytes;
    if (bytes > room) { /* what is held is not the last block */
        if (state->held_bytes > 0) {
            memcpy(state->held + state->held_bytes, in, room);
            mac_blocks(state->key, state->mac, state->held, 1);
            state->held_bytes = 0;
            in += room;
            bytes -= room;
        }
        size_t blocks = (bytes - 1) / 16;
        mac_blocks(state->key, state->mac, in, blocks);
        in += 16 * blocks;
        bytes -= 16 * blocks;
    }
    if (bytes > 0)
        memcpy(state->held + state->held_bytes, in, bytes);
    state->held_bytes = (uint8_t)(state->held_bytes + bytes);
    return AESFIT_OK;
}

int aesfit_cmac_update(aesfit_cmac_state *state, const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, cmac_update(state, in, bytes));
}

CLEARED AESFIT_LOCAL int cmac_finish(aesfit_cmac_state *state, uint8_t *tag, size_t tag_bytes)
{
    uint8_t zero[16] = {0};
    if (state == NULL)
        return AESFIT_ERR_NULL;
    if (state->key == NULL)
        return AESFIT_ERR_ORDER;
    TRY(cmac_check(state->key, NULL, 0, tag, tag_bytes));
    CHECK_APART(tag, tag_bytes, state->key, sizeof *state->key);
    CHECK_APART(tag, tag_bytes, state, sizeof *state);
    encrypt_block(state->key, zero, zero);
    cmac_last(state->key, state->mac, zero, state->held, state->held_bytes);
    memcpy(tag, state->mac, tag_bytes);
    wipe(zero, sizeof zero);
    wipe(state, sizeof *state);
    return AESFIT_OK;
}

int aesfit_cmac_finish(aesfit_cmac_state *state, uint8_t *tag, size_t tag_bytes)
{
    return CLEAR_AFTER(clear_blocks, cmac_finish(state, tag, tag_bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

const aesfit_mode_facts aesfit_mode_cmac = {
    .name = "cmac",
    .title = "CMAC",
    .summary = "CMAC: CBC-MAC with a subkey in the last block",
    .standard = "NIST SP 800-38B; RFC 4493",
    .properties = AESFIT_MODE_VERDICT,
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .tag = {4, 16, 1},
    .payload = {0, AESFIT_NO_LIMIT, 1},
    .usual = {0, 0, 16},
    .expand_key = "aesfit_expand_key",
    .encrypt = {"aesfit_cmac", "in bytes tag tag_bytes"},
    .decrypt = {"aesfit_cmac_verify", "in bytes tag tag_bytes"},
    .block_calls = 1,
    .loops = 81,
};
#endif
