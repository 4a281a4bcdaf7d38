/* SPDX-License-Identifier: MIT */
/* CCM and GCM over every core and GHASH multiplier against the standard's text (aead.h): all
 * lengths up to four lanes and a block, all nonce and tag lengths, streams in random chunks, in
 * place, unaligned, and the wrap of GCM's 32-bit counter. */
#include "aead.h"

enum { MAX_BYTES = 16 * 33 + 15, MAX_AD = 300 };

typedef struct expected {
    aead_message m;
    const uint8_t *in, *out, *tag;
} expected;

static uint8_t key_bytes_all[32], nonce[64], ad[MAX_AD];
static uint8_t plain[MAX_BYTES], cipher[MAX_BYTES], tag[16];
static aesfit_key book_key;

/* One message, one core: in place at an odd address, and chunked. */
static void check_message(const aead_key *key, void *data)
{
    const expected *e = (const expected *)data;
    uint8_t buffer[MAX_BYTES + 3], got_tag[16], *text = buffer + 1 + random_below(3);
    memcpy(text, e->in, e->m.bytes);
    CHECK_STATUS(aead_encrypt(key, &e->m, text, text, got_tag), AESFIT_OK);
    CHECK_BYTES(text, e->out, e->m.bytes);
    CHECK_BYTES(got_tag, e->tag, e->m.tag_bytes);
    CHECK_STATUS(aead_decrypt(key, &e->m, text, text, got_tag), AESFIT_OK);
    CHECK_BYTES(text, e->in, e->m.bytes);
    CHECK_STATUS(aead_stream(key, &e->m, 1, text, text, got_tag, 0), AESFIT_OK);
    CHECK_BYTES(text, e->out, e->m.bytes);
    CHECK_BYTES(got_tag, e->tag, e->m.tag_bytes);
    CHECK_STATUS(aead_stream(key, &e->m, 0, text, text, got_tag, 0), AESFIT_OK);
    CHECK_BYTES(text, e->in, e->m.bytes);
}

/* Each core takes every other message of CCM, and all of GCM with one multiplier in six. */
static void check_case(int gcm, size_t key_bytes, size_t nonce_bytes, size_t ad_bytes, size_t bytes,
                       size_t tag_bytes)
{
    expected e = {{nonce, ad, nonce_bytes, ad_bytes, bytes, tag_bytes}, plain, cipher, tag};
    CHECK_STATUS(aesfit_expand_key(&book_key, aesfit_core_by_name("bytewise"), key_bytes_all,
                                   key_bytes, AESFIT_ENCRYPT),
                 AESFIT_OK);
    (gcm ? book_gcm : book_ccm)(&book_key, &e.m, cipher, plain, tag);
    for_each_aead(gcm, gcm ? TEST_TURNS(6) : TEST_TURNS(2), key_bytes_all, key_bytes, check_message,
                  &e);
}

/* CCM* without a tag is CTR from counter 1. */
static void check_no_tag(const aead_key *key, void *data)
{
    const expected *e = (const expected *)data;
    uint8_t out[MAX_BYTES];
    CHECK_STATUS(aesfit_ccm_crypt_unauthenticated(&key->ccm_key, nonce, e->m.nonce_bytes, out,
                                                  e->in, e->m.bytes),
                 AESFIT_OK);
    CHECK_BYTES(out, e->out, e->m.bytes);
    CHECK_STATUS(aesfit_ccm_crypt_unauthenticated(&key->ccm_key, nonce, e->m.nonce_bytes, out, out,
                                                  e->m.bytes),
                 AESFIT_OK);
    CHECK_BYTES(out, e->in, e->m.bytes);
}

static void check_ccm_star(size_t nonce_bytes, size_t bytes)
{
    expected e = {{nonce, ad, nonce_bytes, 0, bytes, 0}, plain, cipher, NULL};
    uint8_t counter[16] = {0};
    CHECK_STATUS(aesfit_expand_key(&book_key, aesfit_core_by_name("bytewise"), key_bytes_all, 16,
                                   AESFIT_ENCRYPT),
                 AESFIT_OK);
    counter[0] = (uint8_t)(14 - nonce_bytes);
    memcpy(counter + 1, nonce, nonce_bytes);
    memcpy(cipher, plain, bytes);
    book_ctr(&book_key, counter, 15 - nonce_bytes, cipher, bytes);
    for_each_aead(0, 1, key_bytes_all, 16, check_no_tag, &e);
}

/* A 16-byte nonce whose J0 ends in `last`, so that the counter wraps soon: J0 = (nonce block * H ^
 * lengths) * H, solved for the nonce with 1 / H. */
static void make_wrapping_nonce(uint32_t last)
{
    uint8_t h[16] = {0}, inverse[16] = {0}, j0[16], lengths[16] = {0};
    aesfit_expand_key(&book_key, aesfit_core_by_name("bytewise"), key_bytes_all, 16,
                      AESFIT_ENCRYPT);
    book_block(&book_key, h, h);
    inverse[0] = 0x80;              /* 1 */
    for (int i = 127; i > 0; i--) { /* h^(2^128 - 2) */
        uint8_t square[16];
        memcpy(square, inverse, 16);
        book_multiply(inverse, square);
        book_multiply(inverse, h);
    }
    memcpy(j0, inverse, 16);
    book_multiply(inverse, j0);
    random_fill(j0, 16);
    book_big_endian(j0 + 12, 4, last);
    book_multiply(j0, inverse);
    lengths[15] = 128;
    for (int i = 0; i < 16; i++)
        j0[i] ^= lengths[i];
    book_multiply(j0, inverse);
    memcpy(nonce, j0, 16);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    random_fill(key_bytes_all, sizeof key_bytes_all);
    random_fill(nonce, sizeof nonce);
    random_fill(ad, sizeof ad);
    random_fill(plain, sizeof plain);
    for (size_t bytes = 0; bytes <= MAX_BYTES; bytes += bytes < 160 ? 1 : 1 + random_below(25))
        for (int gcm = 0; gcm < 2; gcm++)
            check_case(gcm, 16 + 8 * (bytes % 3), gcm ? 12 : 13, random_below(MAX_AD), bytes, 16);
    for (size_t n = 0; n <= 49; n++)
        for (int gcm = 0; gcm < 2; gcm++)
            check_case(gcm, 16, 12, n, random_below(80), 8);
    for (size_t n = 1; n <= 40; n++)
        check_case(1, 16, n, n % 20, random_below(200), 12);
    for (size_t n = 7; n <= 13; n++)
        for (size_t tag_bytes = 4; tag_bytes <= 16; tag_bytes += 2)
            check_case(0, 16, n, random_below(40), random_below(80), tag_bytes);
    for (size_t n = 7; n <= 13; n++)
        check_ccm_star(n, n == 7 ? 0 : random_below(MAX_BYTES));
    make_wrapping_nonce(UINT32_C(0xfffffffd));
    check_case(1, 16, 16, 5, MAX_BYTES, 16);
    check_case(1, 16, 16, 5, 80, 16);
    make_wrapping_nonce(UINT32_C(0xffffffff));
    check_case(1, 16, 16, 5, MAX_BYTES, 16);
    check_aead_met();
    return test_end();
}
