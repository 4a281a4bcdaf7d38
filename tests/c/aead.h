/* SPDX-License-Identifier: MIT */
/* For the tests of CCM and GCM: both through one signature, at once or as a stream, over every core
 * (and GHASH multiplier); and both once more as the standards write them, block by block over the
 * core `bytewise`, GHASH bit by bit. */
#ifndef AESFIT_TEST_AEAD_H
#define AESFIT_TEST_AEAD_H

#include "test.h"

typedef struct aead_key {
    int gcm; /* which of the two is expanded */
    aesfit_key ccm_key;
    aesfit_gcm_key gcm_key;
} aead_key;

typedef struct aead_message {
    const uint8_t *nonce, *ad;
    size_t nonce_bytes, ad_bytes, bytes, tag_bytes;
} aead_message;

static inline int aead_expand(aead_key *key, int gcm, const aesfit_core *core,
                              const aesfit_ghash *ghash, const uint8_t *bytes, size_t key_bytes)
{
    key->gcm = gcm;
    return gcm ? aesfit_gcm_expand_key(&key->gcm_key, core, ghash, bytes, key_bytes)
               : aesfit_expand_key(&key->ccm_key, core, bytes, key_bytes, AESFIT_ENCRYPT);
}

static inline int aead_encrypt(const aead_key *key, const aead_message *m, uint8_t *out,
                               const uint8_t *in, uint8_t *tag)
{
    if (key->gcm)
        return aesfit_gcm_encrypt(&key->gcm_key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, out,
                                  in, m->bytes, tag, m->tag_bytes);
    return aesfit_ccm_encrypt(&key->ccm_key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, out, in,
                              m->bytes, tag, m->tag_bytes);
}

static inline int aead_decrypt(const aead_key *key, const aead_message *m, uint8_t *out,
                               const uint8_t *in, const uint8_t *tag)
{
    if (key->gcm)
        return aesfit_gcm_decrypt(&key->gcm_key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, out,
                                  in, m->bytes, tag, m->tag_bytes);
    return aesfit_ccm_decrypt(&key->ccm_key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, out, in,
                              m->bytes, tag, m->tag_bytes);
}

/* ------------------------------------------------------------------ streams */

/* cut 0: random. */
static inline size_t aead_cut(size_t cut, size_t left)
{
    size_t take = cut != 0 ? cut : random_below(random_below(4) == 0 ? 300 : 40);
    return take < left ? take : left;
}

static inline int aead_gcm_stream(const aead_key *key, const aead_message *m, int encrypt,
                                  uint8_t *out, const uint8_t *in, uint8_t *tag, size_t cut)
{
    aesfit_gcm_state state;
    int status = aesfit_gcm_start(&state, &key->gcm_key, m->nonce, m->nonce_bytes);
    for (size_t i = 0, n; status == AESFIT_OK && i < m->ad_bytes; i += n) {
        n = aead_cut(cut, m->ad_bytes - i);
        status = aesfit_gcm_ad(&state, m->ad + i, n);
    }
    for (size_t i = 0, n; status == AESFIT_OK && i < m->bytes; i += n) {
        n = aead_cut(cut, m->bytes - i);
        status = (encrypt ? aesfit_gcm_encrypt_update
                          : aesfit_gcm_decrypt_update_unverified)(&state, out + i, in + i, n);
    }
    if (status != AESFIT_OK)
        return status;
    return encrypt ? aesfit_gcm_finish(&state, tag, m->tag_bytes)
                   : aesfit_gcm_verify(&state, tag, m->tag_bytes);
}

/* Decryption reads the tag, encryption writes it. */
static inline int aead_stream(const aead_key *key, const aead_message *m, int encrypt, uint8_t *out,
                              const uint8_t *in, uint8_t *tag, size_t cut)
{
    aesfit_ccm_state state;
    int status;
    if (key->gcm)
        return aead_gcm_stream(key, m, encrypt, out, in, tag, cut);
    status = aesfit_ccm_start(&state, &key->ccm_key, m->nonce, m->nonce_bytes, m->ad_bytes,
                              m->bytes, m->tag_bytes);
    for (size_t i = 0, n; status == AESFIT_OK && i < m->ad_bytes; i += n) {
        n = aead_cut(cut, m->ad_bytes - i);
        status = aesfit_ccm_ad(&state, m->ad + i, n);
    }
    for (size_t i = 0, n; status == AESFIT_OK && i < m->bytes; i += n) {
        n = aead_cut(cut, m->bytes - i);
        status = (encrypt ? aesfit_ccm_encrypt_update
                          : aesfit_ccm_decrypt_update_unverified)(&state, out + i, in + i, n);
    }
    if (status != AESFIT_OK)
        return status;
    return encrypt ? aesfit_ccm_finish(&state, tag) : aesfit_ccm_verify(&state, tag);
}

/* ---------------------------------------------------- each core, each GHASH */

/* Calls check() for each core, in GCM with each multiplier, that this processor can run. */
static inline void for_each_aead(int gcm, const uint8_t *bytes, size_t key_bytes,
                                 void (*check)(const aead_key *key, void *data), void *data)
{
    aead_key key;
    for (size_t i = 0; i < aesfit_core_count(); i++)
        for (size_t j = 0; j < (gcm ? aesfit_ghash_count() : 1); j++) {
            const aesfit_core *core = aesfit_core_at(i);
            const aesfit_ghash *ghash = aesfit_ghash_at(j);
            if (!aesfit_core_available(core) || (gcm && !aesfit_ghash_available(ghash)))
                continue;
            test_context("%s, %s%s%s", gcm ? "gcm" : "ccm", aesfit_core_name(core), gcm ? ", " : "",
                         gcm ? aesfit_ghash_name(ghash) : "");
            if (CHECK_STATUS(aead_expand(&key, gcm, core, ghash, bytes, key_bytes), AESFIT_OK))
                check(&key, data);
        }
}

/* -------------------------------------------------- by the book, encryption */

static inline void book_block(const aesfit_key *key, uint8_t out[16], const uint8_t in[16])
{
    CHECK_STATUS(aesfit_ecb_encrypt(key, out, in, 16), AESFIT_OK);
}

static inline void book_big_endian(uint8_t *out, size_t bytes, uint64_t value)
{
    for (size_t i = bytes; i-- > 0; value >>= 8)
        out[i] = (uint8_t)value;
}

/* out ^= keystream of the counter blocks after `counter`, whose last `width` bytes count. */
static inline void book_ctr(const aesfit_key *key, uint8_t counter[16], size_t width, uint8_t *out,
                            size_t bytes)
{
    uint8_t mask[16];
    for (size_t i = 0; i < bytes; i++) {
        if (i % 16 == 0) {
            for (size_t j = 15; j > 15 - width && ++counter[j] == 0; j--)
                continue;
            book_block(key, mask, counter);
        }
        out[i] ^= mask[i % 16];
    }
}

static inline void book_mac(const aesfit_key *key, uint8_t mac[16], const uint8_t *in, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        mac[i % 16] ^= in[i];
        if (i % 16 == 15 || i == bytes - 1)
            book_block(key, mac, mac);
    }
}

/* SP 800-38C, 6.1 and appendix A; associated data below 0xff00 bytes. */
static inline void book_ccm(const aesfit_key *key, const aead_message *m, uint8_t *out,
                            const uint8_t *in, uint8_t tag[16])
{
    static uint8_t ad[0x10000];
    uint8_t mac[16] = {0}, counter[16] = {0};
    size_t width = 15 - m->nonce_bytes;
    mac[0] = (uint8_t)((m->ad_bytes > 0 ? 64 : 0) + (m->tag_bytes - 2) / 2 * 8 + width - 1);
    memcpy(mac + 1, m->nonce, m->nonce_bytes);
    book_big_endian(mac + 16 - width, width, m->bytes);
    book_block(key, mac, mac);
    book_big_endian(ad, 2, m->ad_bytes);
    if (m->ad_bytes > 0) {
        memcpy(ad + 2, m->ad, m->ad_bytes);
        book_mac(key, mac, ad, m->ad_bytes + 2);
    }
    book_mac(key, mac, in, m->bytes);
    counter[0] = (uint8_t)(width - 1);
    memcpy(counter + 1, m->nonce, m->nonce_bytes);
    book_block(key, tag, counter);
    for (int i = 0; i < 16; i++)
        tag[i] ^= mac[i];
    memmove(out, in, m->bytes);
    book_ctr(key, counter, width, out, m->bytes);
}

/* y = (y ^ x) h, SP 800-38D, algorithm 1. */
static inline void book_multiply(uint8_t y[16], const uint8_t h[16])
{
    uint8_t z[16] = {0}, v[16];
    memcpy(v, h, 16);
    for (int i = 0; i < 128; i++) {
        uint8_t low = v[15] & 1;
        for (int j = 0; j < 16 && (y[i / 8] >> (7 - i % 8) & 1) != 0; j++)
            z[j] ^= v[j];
        for (int j = 15; j > 0; j--)
            v[j] = (uint8_t)(v[j] >> 1 | v[j - 1] << 7);
        v[0] = (uint8_t)(v[0] >> 1 ^ (low != 0 ? 0xe1 : 0));
    }
    memcpy(y, z, 16);
}

static inline void book_ghash(const uint8_t h[16], uint8_t y[16], const uint8_t *in, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        y[i % 16] ^= in[i];
        if (i % 16 == 15 || i == bytes - 1)
            book_multiply(y, h);
    }
}

/* SP 800-38D, algorithm 4. */
static inline void book_gcm(const aesfit_key *key, const aead_message *m, uint8_t *out,
                            const uint8_t *in, uint8_t tag[16])
{
    uint8_t h[16] = {0}, y[16] = {0}, counter[16] = {0}, lengths[16] = {0};
    book_block(key, h, h);
    if (m->nonce_bytes == 12) {
        memcpy(counter, m->nonce, 12);
        counter[15] = 1;
    } else {
        book_big_endian(lengths + 8, 8, 8 * (uint64_t)m->nonce_bytes);
        book_ghash(h, counter, m->nonce, m->nonce_bytes);
        book_ghash(h, counter, lengths, 16);
    }
    book_block(key, tag, counter);
    memmove(out, in, m->bytes);
    book_ctr(key, counter, 4, out, m->bytes);
    book_ghash(h, y, m->ad, m->ad_bytes);
    book_ghash(h, y, out, m->bytes);
    book_big_endian(lengths, 8, 8 * (uint64_t)m->ad_bytes);
    book_big_endian(lengths + 8, 8, 8 * (uint64_t)m->bytes);
    book_ghash(h, y, lengths, 16);
    for (int i = 0; i < 16; i++)
        tag[i] ^= y[i];
}

#endif
