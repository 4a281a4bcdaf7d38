/* SPDX-License-Identifier: MIT */
/* A drop-in, as `aesfit emit --prefix dropin` writes it, against the library: CBC, CTR in chunks,
 * CMAC, key wrap, CCM and GCM, with messages in buffers without slack, and refused when the tag is
 * wrong. */
#include "fuzz.h"
#include "dropin.h"

enum { MAX_BYTES = 300, MAX_AD = 80 };

/* The same bytes to both. */
typedef struct sides {
    aesfit_key key;
    dropin_key dropin;
    uint8_t *in, *expected, *got;
    size_t bytes;
} sides;

static void check_cbc(sides *s)
{
    uint8_t iv[16], *chain;
    random_fill(iv, sizeof iv);
    chain = fuzz_copy(iv, sizeof iv);
    CHECK_STATUS(dropin_cbc_encrypt(&s->dropin, chain, s->got, s->in, s->bytes),
                 aesfit_cbc_encrypt(&s->key, iv, s->expected, s->in, s->bytes));
    CHECK_BYTES(s->got, s->expected, s->bytes);
    CHECK_BYTES(chain, iv, sizeof iv);
    CHECK_STATUS(dropin_cbc_decrypt(&s->dropin, chain, s->got, s->in, s->bytes),
                 aesfit_cbc_decrypt(&s->key, iv, s->expected, s->in, s->bytes));
    CHECK_BYTES(s->got, s->expected, s->bytes);
}

static void check_ctr(sides *s)
{
    uint8_t counter[16];
    unsigned bits = (unsigned)random_below(130);
    aesfit_ctr ctr = {0};
    dropin_ctr dropin = {0};
    random_fill(counter, sizeof counter);
    CHECK_STATUS(dropin_ctr_start(&dropin, counter, bits), aesfit_ctr_start(&ctr, counter, bits));
    for (size_t done = 0, take; done < s->bytes; done += take) {
        take = 1 + random_below(s->bytes - done);
        CHECK_STATUS(dropin_ctr_crypt(&s->dropin, &dropin, s->got + done, s->in + done, take),
                     aesfit_ctr_crypt(&s->key, &ctr, s->expected + done, s->in + done, take));
    }
    CHECK_BYTES(s->got, s->expected, s->bytes);
}

static void check_mac(sides *s)
{
    size_t tag_bytes = random_below(18);
    uint8_t *tag = fuzz_room(tag_bytes), *expected = fuzz_room(tag_bytes);
    CHECK_STATUS(dropin_cmac(&s->dropin, s->in, s->bytes, tag, tag_bytes),
                 aesfit_cmac(&s->key, s->in, s->bytes, expected, tag_bytes));
    CHECK_BYTES(tag, expected, tag_bytes);
}

static void check_wrap(sides *s)
{
    size_t room = random_below(4) ? s->bytes + 8 : random_below(s->bytes + 8), got, expected;
    uint8_t *out = fuzz_room(room), *back = fuzz_room(s->bytes), *theirs = fuzz_room(room);
    int status = aesfit_key_wrap(&s->key, theirs, room, &expected, s->in, s->bytes);
    CHECK_STATUS(dropin_key_wrap(&s->dropin, out, room, &got, s->in, s->bytes), status);
    CHECK(got == expected);
    CHECK_BYTES(out, theirs, room);
    if (status != AESFIT_OK)
        return;
    CHECK_STATUS(dropin_key_unwrap(&s->dropin, back, s->bytes, &got, out, expected), AESFIT_OK);
    CHECK(got == s->bytes);
    CHECK_BYTES(back, s->in, s->bytes);
    out[random_below(expected)] ^= 1;
    CHECK_STATUS(dropin_key_unwrap(&s->dropin, back, s->bytes, &got, out, expected),
                 AESFIT_ERR_AUTHENTICATION);
}

/* X(ours, theirs, mode, key): one AEAD; status and bytes equal, and a wrong tag refused. */
#define CHECK_AEAD(mode, dropin_side, library_side)                                                \
    do {                                                                                           \
        int expected_status =                                                                      \
            aesfit_##mode##_encrypt(library_side, nonce, nonce_bytes, ad, ad_bytes, s->expected,   \
                                    s->in, s->bytes, expected, tag_bytes);                         \
        CHECK_STATUS(dropin_##mode##_encrypt(dropin_side, nonce, nonce_bytes, ad, ad_bytes,        \
                                             s->got, s->in, s->bytes, tag, tag_bytes),             \
                     expected_status);                                                             \
        CHECK_BYTES(s->got, s->expected, s->bytes);                                                \
        CHECK_BYTES(tag, expected, tag_bytes);                                                     \
        if (expected_status != AESFIT_OK || tag_bytes == 0)                                        \
            break;                                                                                 \
        CHECK_STATUS(dropin_##mode##_decrypt(dropin_side, nonce, nonce_bytes, ad, ad_bytes,        \
                                             s->got, s->got, s->bytes, tag, tag_bytes),            \
                     AESFIT_OK);                                                                   \
        CHECK_BYTES(s->got, s->in, s->bytes);                                                      \
        tag[random_below(tag_bytes)] ^= (uint8_t)(1u << random_below(8));                          \
        CHECK_STATUS(dropin_##mode##_decrypt(dropin_side, nonce, nonce_bytes, ad, ad_bytes,        \
                                             s->got, s->expected, s->bytes, tag, tag_bytes),       \
                     AESFIT_ERR_AUTHENTICATION);                                                   \
    } while (0)

static void check_aead(sides *s, int gcm, const uint8_t *key_bytes, size_t key_size)
{
    size_t nonce_bytes = random_below(4) ? 12 : random_below(20), ad_bytes = random_below(MAX_AD);
    size_t tag_bytes = random_below(4) ? 4 + 2 * random_below(7) : random_below(18);
    uint8_t *nonce = fuzz_text(nonce_bytes), *ad = fuzz_text(ad_bytes);
    uint8_t *tag = fuzz_room(tag_bytes), *expected = fuzz_room(tag_bytes);
    aesfit_gcm_key library;
    dropin_gcm_key dropin;
    if (!gcm) {
        CHECK_AEAD(ccm, &s->dropin, &s->key);
        return;
    }
    CHECK_STATUS(aesfit_gcm_expand_key(&library, NULL, NULL, key_bytes, key_size), AESFIT_OK);
    CHECK_STATUS(dropin_gcm_expand_key(&dropin, NULL, NULL, key_bytes, key_size), AESFIT_OK);
    CHECK_AEAD(gcm, &dropin, &library);
}

static void fuzz_one(void)
{
    size_t which = random_below(6), key_size = 16 + 8 * random_below(3);
    uint8_t *key = fuzz_text(key_size);
    sides s;
    s.bytes = random_below(MAX_BYTES) & ~(random_below(2) ? (size_t)15 : 0);
    s.in = fuzz_text(s.bytes);
    s.expected = fuzz_room(s.bytes);
    s.got = fuzz_room(s.bytes);
    test_context("choice %lu, %lu bytes", (unsigned long)which, (unsigned long)s.bytes);
    CHECK_STATUS(aesfit_expand_key(&s.key, NULL, key, key_size, AESFIT_BOTH), AESFIT_OK);
    CHECK_STATUS(dropin_expand_key(&s.dropin, NULL, key, key_size, DROPIN_BOTH), AESFIT_OK);
    if (which == 0)
        check_cbc(&s);
    else if (which == 1)
        check_ctr(&s);
    else if (which == 2)
        check_mac(&s);
    else if (which == 3)
        check_wrap(&s);
    else
        check_aead(&s, which == 4, key, key_size);
}
