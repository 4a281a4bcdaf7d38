/* SPDX-License-Identifier: MIT */
/* The published answers of tests/vectors/aead.txt for CCM and GCM, over every core and GHASH
 * multiplier: at once, in place, streamed, by tags of every length, and with the tag, the nonce,
 * the associated data or the data changed. */
#include "aead.h"
#include "records.h"

static void check_decryption(const aead_key *key, const aead_message *m, const record *r,
                             const uint8_t *tag)
{
    uint8_t out[128], all_tag[16];
    memcpy(all_tag, tag, 16);
    CHECK_STATUS(aead_decrypt(key, m, out, r->cipher.bytes, tag), AESFIT_OK);
    CHECK_BYTES(out, r->plain.bytes, m->bytes);
    memcpy(out, r->cipher.bytes, m->bytes);
    CHECK_STATUS(aead_decrypt(key, m, out, out, tag), AESFIT_OK);
    CHECK_BYTES(out, r->plain.bytes, m->bytes);
    CHECK_STATUS(aead_stream(key, m, 0, out, r->cipher.bytes, all_tag, 1), AESFIT_OK);
    CHECK_BYTES(out, r->plain.bytes, m->bytes);
}

/* A message with one changed bit must be refused, and its output must be cleared. */
static void check_refused(const aead_key *key, const aead_message *m, const uint8_t *cipher,
                          const uint8_t *tag)
{
    static const uint8_t zero[128] = {0};
    uint8_t out[128], stream_tag[16];
    memcpy(stream_tag, tag, 16);
    memset(out, 0xa5, sizeof out);
    CHECK_STATUS(aead_decrypt(key, m, out, cipher, tag), AESFIT_ERR_AUTHENTICATION);
    CHECK_BYTES(out, zero, m->bytes);
    memcpy(out, cipher, m->bytes);
    CHECK_STATUS(aead_decrypt(key, m, out, out, tag), AESFIT_ERR_AUTHENTICATION);
    CHECK_BYTES(out, zero, m->bytes);
    CHECK_STATUS(aead_stream(key, m, 0, out, cipher, stream_tag, 0), AESFIT_ERR_AUTHENTICATION);
}

static void flip(uint8_t *bytes, size_t length)
{
    if (length > 0)
        bytes[random_below(length)] ^= (uint8_t)(1u << random_below(8));
}

/* The changed bit of the tag varies, so that all cores of a record together change each bit. */
static void check_forgeries(const aead_key *key, const aead_message *m, const record *r,
                            const uint8_t *tag)
{
    static size_t turn;
    record f = *r;
    aead_message changed = *m;
    uint8_t wrong[16];
    turn++;
    for (size_t bit = turn % TEST_TURNS(8); bit < 8 * m->tag_bytes; bit += TEST_TURNS(8)) {
        memcpy(wrong, tag, 16);
        wrong[bit / 8] ^= (uint8_t)(1u << bit % 8);
        check_refused(key, m, r->cipher.bytes, wrong);
    }
    changed.nonce = f.nonce.bytes;
    flip(f.nonce.bytes, f.nonce.length);
    check_refused(key, &changed, r->cipher.bytes, tag);
    changed = *m;
    changed.ad = f.ad.bytes;
    flip(f.ad.bytes, f.ad.length);
    if (f.ad.length > 0)
        check_refused(key, &changed, r->cipher.bytes, tag);
    flip(f.cipher.bytes, f.cipher.length);
    if (f.cipher.length > 0)
        check_refused(key, m, f.cipher.bytes, tag);
}

static void check_answer(const aead_key *key, void *data)
{
    const record *r = (const record *)data;
    aead_message m = {r->nonce.bytes, r->ad.bytes,     r->nonce.length,
                      r->ad.length,   r->plain.length, r->tag.length};
    uint8_t out[128], tag[16];
    CHECK_STATUS(aead_encrypt(key, &m, out, r->plain.bytes, tag), AESFIT_OK);
    CHECK_BYTES(out, r->cipher.bytes, m.bytes);
    CHECK_BYTES(tag, r->tag.bytes, m.tag_bytes);
    CHECK_STATUS(aead_stream(key, &m, 1, out, r->plain.bytes, tag, 1), AESFIT_OK);
    CHECK_BYTES(out, r->cipher.bytes, m.bytes);
    CHECK_BYTES(tag, r->tag.bytes, m.tag_bytes);
    check_decryption(key, &m, r, r->tag.bytes);
    check_forgeries(key, &m, r, r->tag.bytes);
    for (size_t bytes = 0; key->gcm && bytes <= 17; bytes++) { /* GCM: shorter tags are prefixes */
        int allowed = bytes == 4 || bytes == 8 || (bytes >= 12 && bytes <= 16);
        m.tag_bytes = bytes;
        CHECK_STATUS(aead_encrypt(key, &m, out, r->plain.bytes, tag),
                     allowed ? AESFIT_OK : AESFIT_ERR_TAG_LENGTH);
        CHECK_STATUS(aead_decrypt(key, &m, out, r->cipher.bytes, r->tag.bytes),
                     allowed ? AESFIT_OK : AESFIT_ERR_TAG_LENGTH);
        if (allowed)
            CHECK_BYTES(tag, r->tag.bytes, bytes);
    }
}

static void check_record(const record *r, size_t number)
{
    record copy = *r;
    int gcm = strcmp(r->mode, "gcm") == 0;
    (void)number;
    if (strcmp(r->mode, "ccmp") != 0) /* test_ccmp.c */
        for_each_aead(gcm, gcm ? TEST_TURNS(3) : 1, r->key.bytes, r->key.length, check_answer,
                      &copy);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    CHECK(for_each_record("aead.txt", check_record) == 3 + 12 + 18 + 1);
    check_aead_met();
    return test_end();
}
