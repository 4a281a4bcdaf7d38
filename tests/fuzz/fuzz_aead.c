/* SPDX-License-Identifier: MIT */
/* CCM and GCM on every core and GHASH multiplier: one call equals a stream in chunks, in place
 * equals apart, the plaintext comes back; and after one change to tag, ciphertext, associated data,
 * nonce or a length nothing does.  (A change is accepted by chance once in 2^32, at 4 bytes of
 * tag.) */
#include "fuzz.h"
#include "../c/aead.h"

enum { MAX_BYTES = 300, MAX_AD = 100, MAX_NONCE = 40 };

/* What is opened; of `key` one half is expanded. */
typedef struct sealed {
    aead_key key;
    aead_message m;
    uint8_t *nonce, *ad, *cipher, *tag;
    uint8_t *plain;
} sealed;

static size_t tag_length(int gcm)
{
    static const size_t of_gcm[] = {4, 8, 12, 13, 14, 15, 16};
    static const size_t of_ccm[] = {4, 6, 8, 10, 12, 14, 16};
    return (gcm ? of_gcm : of_ccm)[random_below(7)];
}

static void choose(sealed *s, int gcm)
{
    const aesfit_ghash *ghash = aesfit_ghash_at(random_below(aesfit_ghash_count()));
    uint8_t bytes[32];
    random_fill(bytes, sizeof bytes);
    CHECK_STATUS(aead_expand(&s->key, gcm, random_core(),
                             aesfit_ghash_available(ghash) ? ghash : NULL, bytes,
                             16 + 8 * random_below(3)),
                 AESFIT_OK);
    s->m.nonce_bytes =
        gcm ? (random_below(2) ? 12 : 1 + random_below(MAX_NONCE)) : 7 + random_below(7);
    s->m.ad_bytes = random_below(MAX_AD);
    s->m.bytes = random_below(MAX_BYTES);
    s->m.tag_bytes = tag_length(gcm);
    s->m.nonce = s->nonce = fuzz_text(s->m.nonce_bytes);
    s->m.ad = s->ad = fuzz_text(s->m.ad_bytes);
    s->plain = fuzz_text(s->m.bytes);
    s->cipher = fuzz_copy(s->plain, s->m.bytes); /* sealed in place */
    s->tag = fuzz_room(s->m.tag_bytes);
    CHECK_STATUS(aead_encrypt(&s->key, &s->m, s->cipher, s->cipher, s->tag), AESFIT_OK);
}

/* Apart, and in chunks. */
static void seal_otherwise(const sealed *s)
{
    for (int streamed = 0; streamed < 2; streamed++) {
        uint8_t *out = fuzz_room(s->m.bytes), *tag = fuzz_room(s->m.tag_bytes);
        CHECK_STATUS(streamed ? aead_stream(&s->key, &s->m, 1, out, s->plain, tag, 0)
                              : aead_encrypt(&s->key, &s->m, out, s->plain, tag),
                     AESFIT_OK);
        CHECK_BYTES(out, s->cipher, s->m.bytes);
        CHECK_BYTES(tag, s->tag, s->m.tag_bytes);
    }
}

/* All ways to open it give this status, and the plaintext only when it is AESFIT_OK. */
static void open_all_ways(const sealed *s, int expected)
{
    uint8_t *apart = fuzz_room(s->m.bytes), *place = fuzz_copy(s->cipher, s->m.bytes);
    uint8_t *chunks = fuzz_room(s->m.bytes);
    CHECK_STATUS(aead_decrypt(&s->key, &s->m, apart, s->cipher, s->tag), expected);
    CHECK_STATUS(aead_decrypt(&s->key, &s->m, place, place, s->tag), expected);
    CHECK_STATUS(aead_stream(&s->key, &s->m, 0, chunks, s->cipher, s->tag, 0), expected);
    if (expected == AESFIT_OK) {
        CHECK_BYTES(apart, s->plain, s->m.bytes);
        CHECK_BYTES(place, s->plain, s->m.bytes);
        CHECK_BYTES(chunks, s->plain, s->m.bytes);
    }
    size_t blank = 0;
    while (blank < s->m.bytes && (apart[blank] == 0 || apart[blank] == 0xa5))
        blank++; /* wiped, or never written */
    CHECK(expected == AESFIT_OK || blank == s->m.bytes);
}

/* One bit, every other time in the last byte: where a comparison goes wrong. */
static int flip(uint8_t *bytes, size_t count)
{
    if (count == 0)
        return 0;
    bytes[random_below(2) ? count - 1 : random_below(count)] ^= (uint8_t)(1u << random_below(8));
    return 1;
}

static int shorten(size_t *count)
{
    if (*count == 0)
        return 0;
    *count -= 1 + random_below(*count);
    return 1;
}

/* The tag cut to another length: CCM authenticates its length, GCM allows a few. */
static int cut_tag(sealed *s)
{
    size_t bytes = random_below(s->m.tag_bytes);
    int allowed = bytes >= 4 && bytes % 2 == 0;
    if (s->key.gcm && (bytes == 4 || bytes == 8 || bytes >= 12))
        return AESFIT_OK;
    s->tag = fuzz_copy(s->tag, bytes);
    s->m.tag_bytes = bytes;
    return !s->key.gcm && allowed ? AESFIT_ERR_AUTHENTICATION : AESFIT_ERR_TAG_LENGTH;
}

/* One change, where there is something to change; the status that opening must give. */
static int tamper(sealed *s)
{
    int changed;
    switch (random_below(6)) {
    case 0:
        changed = flip(s->tag, s->m.tag_bytes);
        break;
    case 1:
        changed = flip(s->cipher, s->m.bytes);
        break;
    case 2:
        changed = flip(s->ad, s->m.ad_bytes);
        break;
    case 3:
        changed = flip(s->nonce, s->m.nonce_bytes);
        break;
    case 4:
        changed = shorten(random_below(2) ? &s->m.bytes : &s->m.ad_bytes);
        break;
    default:
        return cut_tag(s);
    }
    return changed ? AESFIT_ERR_AUTHENTICATION : AESFIT_OK;
}

static void fuzz_one(void)
{
    sealed s;
    int gcm = random_below(2) == 0;
    choose(&s, gcm);
    test_context("%s, nonce %lu, ad %lu, data %lu, tag %lu bytes", gcm ? "gcm" : "ccm",
                 (unsigned long)s.m.nonce_bytes, (unsigned long)s.m.ad_bytes,
                 (unsigned long)s.m.bytes, (unsigned long)s.m.tag_bytes);
    seal_otherwise(&s);
    open_all_ways(&s, AESFIT_OK);
    int expected = tamper(&s);
    open_all_ways(&s, expected);
}
