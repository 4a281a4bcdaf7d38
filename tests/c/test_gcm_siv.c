/* SPDX-License-Identifier: MIT */
/* GCM-SIV: the published answers of tests/vectors/siv.txt over every core and GHASH multiplier, at
 * once and in place, with the tag, the nonce, the associated data or the data changed; all lengths,
 * arguments that are refused, and what a repeated nonce shows. */
#include "records.h"

enum { LONGEST = 200 };

static const uint8_t zero[LONGEST];

/* A message with one changed bit must be refused, and its output must be cleared. */
static void check_refused(const aesfit_gcm_siv_key *key, const record *r)
{
    uint8_t out[128];
    memset(out, 0xa5, sizeof out);
    CHECK_STATUS(aesfit_gcm_siv_decrypt(key, r->nonce.bytes, r->ad.bytes, r->ad.length, out,
                                        r->cipher.bytes, r->cipher.length, r->tag.bytes),
                 AESFIT_ERR_AUTHENTICATION);
    CHECK_BYTES(out, zero, r->cipher.length);
    memcpy(out, r->cipher.bytes, r->cipher.length);
    CHECK_STATUS(aesfit_gcm_siv_decrypt(key, r->nonce.bytes, r->ad.bytes, r->ad.length, out, out,
                                        r->cipher.length, r->tag.bytes),
                 AESFIT_ERR_AUTHENTICATION);
    CHECK_BYTES(out, zero, r->cipher.length);
}

static void flip(field *f, size_t bit)
{
    if (f->length > 0)
        f->bytes[bit / 8 % f->length] ^= (uint8_t)(1u << bit % 8);
}

static void check_forgeries(const aesfit_gcm_siv_key *key, const record *r)
{
    static size_t turn;
    for (size_t bit = turn++ % TEST_TURNS(8); bit < 128; bit += TEST_TURNS(8)) {
        record forged = *r;
        flip(&forged.tag, bit);
        check_refused(key, &forged);
    }
    for (size_t part = 0; part < 3; part++) {
        record forged = *r;
        field *const changed[] = {&forged.nonce, &forged.ad, &forged.cipher};
        if (changed[part]->length == 0)
            continue;
        flip(changed[part], random_below(8 * changed[part]->length));
        check_refused(key, &forged);
    }
}

static void check_answer(const aesfit_gcm_siv_key *key, const record *r)
{
    uint8_t out[128], tag[16];
    const size_t bytes = r->plain.length;
    CHECK_STATUS(aesfit_gcm_siv_encrypt(key, r->nonce.bytes, r->ad.bytes, r->ad.length, out,
                                        r->plain.bytes, bytes, tag),
                 AESFIT_OK);
    CHECK_BYTES(out, r->cipher.bytes, bytes);
    CHECK_BYTES(tag, r->tag.bytes, 16);
    CHECK_STATUS(aesfit_gcm_siv_decrypt(key, r->nonce.bytes, r->ad.bytes, r->ad.length, out, out,
                                        bytes, tag),
                 AESFIT_OK);
    CHECK_BYTES(out, r->plain.bytes, bytes);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(key, r->nonce.bytes, r->ad.bytes, r->ad.length, out, out,
                                        bytes, tag),
                 AESFIT_OK);
    CHECK_BYTES(out, r->cipher.bytes, bytes);
    check_forgeries(key, r);
}

/* Every core with one multiplier in three, and every multiplier with some core. */
static void check_record(const record *r, size_t number)
{
    size_t turn = number;
    for (size_t i = 0; i < aesfit_core_count(); i++)
        for (size_t j = 0; j < aesfit_ghash_count(); j++) {
            const aesfit_core *core = aesfit_core_at(i);
            const aesfit_ghash *ghash = aesfit_ghash_at(j);
            aesfit_gcm_siv_key key;
            if (turn++ % TEST_TURNS(3) != 0 || !aesfit_core_available(core) ||
                !aesfit_ghash_available(ghash))
                continue;
            test_context("record %u, %s, %s", (unsigned)number, aesfit_core_name(core),
                         aesfit_ghash_name(ghash));
            CHECK_STATUS(aesfit_gcm_siv_expand_key(&key, core, ghash, r->key.bytes, r->key.length),
                         AESFIT_OK);
            check_answer(&key, r);
        }
}

/* Every length: a core gives what another core with another multiplier gives, and takes it back. */
static void check_lengths(void)
{
    uint8_t raw[32], nonce[12], ad[LONGEST], plain[LONGEST];
    uint8_t out[LONGEST], other[LONGEST], tag[16], other_tag[16];
    aesfit_gcm_siv_key key, bytewise;
    random_fill(raw, sizeof raw);
    random_fill(nonce, sizeof nonce);
    random_fill(ad, sizeof ad);
    random_fill(plain, sizeof plain);
    CHECK_STATUS(aesfit_gcm_siv_expand_key(&key, NULL, NULL, raw, 32), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_siv_expand_key(&bytewise, aesfit_core_by_name("bytewise"),
                                           aesfit_ghash_by_name("table4"), raw, 32),
                 AESFIT_OK);
    for (size_t bytes = 0; bytes <= LONGEST; bytes++) {
        const size_t ad_bytes = (7 * bytes) % (LONGEST + 1);
        test_context("%u bytes, %u of associated data", (unsigned)bytes, (unsigned)ad_bytes);
        CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, nonce, ad, ad_bytes, out, plain, bytes, tag),
                     AESFIT_OK);
        CHECK_STATUS(
            aesfit_gcm_siv_encrypt(&bytewise, nonce, ad, ad_bytes, other, plain, bytes, other_tag),
            AESFIT_OK);
        CHECK_BYTES(out, other, bytes);
        CHECK_BYTES(tag, other_tag, 16);
        CHECK_STATUS(aesfit_gcm_siv_decrypt(&key, nonce, ad, ad_bytes, out, out, bytes, tag),
                     AESFIT_OK);
        CHECK_BYTES(out, plain, bytes);
    }
}

static void check_arguments(void)
{
    static const uint8_t data[64] = {1};
    uint8_t out[64], tag[16];
    aesfit_gcm_siv_key key, never = {0};
    test_context("arguments");
    CHECK_STATUS(aesfit_gcm_siv_expand_key(NULL, NULL, NULL, data, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_siv_expand_key(&key, NULL, NULL, NULL, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_siv_expand_key(&key, NULL, NULL, data, 24), AESFIT_ERR_KEY_LENGTH);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, data, NULL, 0, out, data, 9, tag),
                 AESFIT_ERR_DIRECTION);
    CHECK_STATUS(aesfit_gcm_siv_expand_key(&key, NULL, NULL, data, 17), AESFIT_ERR_KEY_LENGTH);
    CHECK_STATUS(aesfit_gcm_siv_expand_key(&key, NULL, NULL, data, 16), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_siv_decrypt(&never, data, NULL, 0, out, data, 9, tag),
                 AESFIT_ERR_DIRECTION);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(NULL, data, NULL, 0, out, data, 9, tag), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, NULL, NULL, 0, out, data, 9, tag), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, data, NULL, 1, out, data, 9, tag), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, data, NULL, 0, NULL, data, 9, tag), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, data, NULL, 0, out, NULL, 9, tag), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, data, NULL, 0, out, data, 9, NULL), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_siv_decrypt(&key, data, NULL, 0, out, data, 9, NULL), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, data, NULL, 0, NULL, NULL, 0, tag), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_siv_decrypt(&key, data, NULL, 0, NULL, NULL, 0, tag), AESFIT_OK);
}

/* Equal messages give equal results, and a changed last bit changes everything. */
static void check_repeated_nonce(void)
{
    static const uint8_t raw[16] = {7}, nonce[12] = {3};
    uint8_t plain[32] = {1}, first[32], again[32], other[32], tag[16], again_tag[16];
    aesfit_gcm_siv_key key;
    test_context("a nonce that comes twice");
    CHECK_STATUS(aesfit_gcm_siv_expand_key(&key, NULL, NULL, raw, 16), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, nonce, NULL, 0, first, plain, 32, tag), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, nonce, NULL, 0, again, plain, 32, again_tag),
                 AESFIT_OK);
    CHECK_BYTES(again, first, 32);
    CHECK_BYTES(again_tag, tag, 16);
    plain[31] ^= 1;
    CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, nonce, NULL, 0, other, plain, 32, again_tag),
                 AESFIT_OK);
    CHECK(memcmp(other, first, 16) != 0 && memcmp(other + 16, first + 16, 15) != 0);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    CHECK(for_each_record("siv.txt", check_record) == 24 + 24 + 2);
    check_lengths();
    check_arguments();
    check_repeated_nonce();
    return test_end();
}
