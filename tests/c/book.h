/* SPDX-License-Identifier: MIT */
/* The reference of the tests: CCM, GCM and GHASH as in the standards, block by block over a key of
 * the core `bytewise`, GHASH bit by bit. */
#ifndef AESFIT_TEST_BOOK_H
#define AESFIT_TEST_BOOK_H

#include "test.h"

typedef struct aead_message {
    const uint8_t *nonce, *ad;
    size_t nonce_bytes, ad_bytes, bytes, tag_bytes;
} aead_message;

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
