/* SPDX-License-Identifier: MIT */
/* CMAC, CBC-MAC, KW and KWP over every core: the published answers of tests/vectors/mac_wrap.txt,
 * streams in random chunks, all tag lengths, forgeries and bad padding, refused arguments. */
#include "records.h"

enum { LONGEST = 200 };

static const uint8_t zero[LONGEST + 16] = {0};

/* Number of the core: varies the forged bit and the changed byte. */
static size_t turn;

/* ------------------------------------------------------------- CMAC, CBC-MAC */

static void check_cmac(const aesfit_key *key, const record *r)
{
    uint8_t tag[16], wrong[16];
    CHECK_STATUS(aesfit_cmac(key, r->plain.bytes, r->plain.length, tag, 16), AESFIT_OK);
    CHECK_BYTES(tag, r->tag.bytes, 16);
    for (size_t bytes = 0; bytes <= 17; bytes++) {
        int good = bytes >= 4 && bytes <= 16;
        memset(tag, 0, 16);
        CHECK_STATUS(aesfit_cmac(key, r->plain.bytes, r->plain.length, tag, bytes),
                     good ? AESFIT_OK : AESFIT_ERR_TAG_LENGTH);
        CHECK_BYTES(tag, good ? r->tag.bytes : zero, good ? bytes : 16);
        CHECK_STATUS(aesfit_cmac_verify(key, r->plain.bytes, r->plain.length, r->tag.bytes, bytes),
                     good ? AESFIT_OK : AESFIT_ERR_TAG_LENGTH);
    }
    for (size_t bit = turn % TEST_TURNS(8); bit < 128; bit += TEST_TURNS(8)) {
        memcpy(wrong, r->tag.bytes, 16);
        wrong[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK_STATUS(aesfit_cmac_verify(key, r->plain.bytes, r->plain.length, wrong, 16),
                     AESFIT_ERR_AUTHENTICATION);
    }
}

/* Random messages: a stream in random chunks gives the one-shot tag.  Each core takes one length in
 * three, here and below. */
static void check_cmac_stream(const aesfit_key *key)
{
    uint8_t text[LONGEST], tag[16], streamed[16];
    random_fill(text, sizeof text);
    for (size_t bytes = turn % TEST_TURNS(3); bytes <= LONGEST; bytes += TEST_TURNS(3)) {
        aesfit_cmac_state state;
        CHECK_STATUS(aesfit_cmac(key, text, bytes, tag, 16), AESFIT_OK);
        CHECK_STATUS(aesfit_cmac_start(&state, key), AESFIT_OK);
        for (size_t i = 0, n; i < bytes; i += n) {
            n = random_below(50);
            n = n < bytes - i ? n : bytes - i;
            CHECK_STATUS(aesfit_cmac_update(&state, text + i, n), AESFIT_OK);
        }
        CHECK_STATUS(aesfit_cmac_finish(&state, streamed, 16), AESFIT_OK);
        CHECK_BYTES(streamed, tag, 16);
        CHECK_BYTES(&state, zero, sizeof state);
        CHECK_STATUS(aesfit_cmac_update(&state, text, 1), AESFIT_ERR_ORDER);
        CHECK_STATUS(aesfit_cmac_finish(&state, streamed, 16), AESFIT_ERR_ORDER);
    }
}

static void check_cbc_mac(const aesfit_key *key, const record *r)
{
    uint8_t tag[16];
    CHECK_STATUS(aesfit_cbc_mac(key, r->plain.bytes, r->plain.length, tag), AESFIT_OK);
    CHECK_BYTES(tag, r->tag.bytes, 16);
    CHECK_STATUS(aesfit_cbc_mac(key, r->plain.bytes, 0, tag), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_cbc_mac(key, r->plain.bytes, 17, tag), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_cbc_mac(key, NULL, 16, tag), AESFIT_ERR_NULL);
}

/* --------------------------------------------------------------------- KW, KWP */

typedef int wrap_function(const aesfit_key *key, uint8_t *out, size_t out_size, size_t *out_bytes,
                          const uint8_t *in, size_t bytes);

/* Wraps and unwraps, apart and in place; every changed bit is refused and clears the output. */
static void check_wrap(const aesfit_key *key, wrap_function *wrap, wrap_function *unwrap,
                       const uint8_t *plain, size_t bytes, const uint8_t *cipher, size_t wrapped)
{
    uint8_t out[LONGEST + 16], text[LONGEST + 16];
    size_t n = 0;
    CHECK_STATUS(wrap(key, out, wrapped, &n, plain, bytes), AESFIT_OK);
    CHECK(n == wrapped);
    if (cipher != NULL)
        CHECK_BYTES(out, cipher, wrapped);
    memcpy(text, plain, bytes);
    CHECK_STATUS(wrap(key, text, sizeof text, &n, text, bytes), AESFIT_OK);
    CHECK_BYTES(text, out, wrapped);
    CHECK_STATUS(unwrap(key, text, wrapped - 8, &n, out, wrapped), AESFIT_OK);
    CHECK(n == bytes);
    CHECK_BYTES(text, plain, bytes);
    memcpy(text, out, wrapped);
    CHECK_STATUS(unwrap(key, text, wrapped - 8, &n, text, wrapped), AESFIT_OK);
    CHECK_BYTES(text, plain, bytes);
    for (size_t i = turn % TEST_TURNS(8); i < wrapped; i += TEST_TURNS(8)) {
        out[i] ^= (uint8_t)(1u << i % 8);
        CHECK_STATUS(unwrap(key, text, sizeof text, &n, out, wrapped), AESFIT_ERR_AUTHENTICATION);
        CHECK(n == 0);
        CHECK_BYTES(text, zero, wrapped - 8);
        out[i] ^= (uint8_t)(1u << i % 8);
    }
    CHECK_STATUS(wrap(key, text, wrapped - 1, &n, plain, bytes), AESFIT_ERR_OUTPUT_SIZE);
    CHECK_STATUS(unwrap(key, text, wrapped - 9, &n, out, wrapped), AESFIT_ERR_OUTPUT_SIZE);
    CHECK_STATUS(unwrap(key, text, wrapped, &n, out, wrapped - 1), AESFIT_ERR_LENGTH);
}

static void check_wrap_lengths(const aesfit_key *key)
{
    uint8_t text[LONGEST];
    random_fill(text, sizeof text);
    for (size_t bytes = 1 + turn % TEST_TURNS(3); bytes <= 70; bytes += TEST_TURNS(3)) {
        size_t padded = (bytes + 7) / 8 * 8;
        check_wrap(key, aesfit_key_wrap_padded, aesfit_key_unwrap_padded, text, bytes, NULL,
                   padded + 8);
        if (bytes >= 16 && bytes % 8 == 0)
            check_wrap(key, aesfit_key_wrap, aesfit_key_unwrap, text, bytes, NULL, bytes + 8);
    }
}

/* KWP with another integrity block: SP 800-38F's W, implemented again for this test.  The first 8
 * bytes are A. */
static void book_w(const aesfit_key *key, uint8_t *text, size_t semiblocks)
{
    uint8_t block[16];
    if (semiblocks == 1) {
        aesfit_ecb_encrypt(key, text, text, 16);
        return;
    }
    memcpy(block, text, 8);
    for (size_t step = 1; step <= 6 * semiblocks; step++) {
        uint8_t *r = text + 8 * ((step - 1) % semiblocks + 1);
        memcpy(block + 8, r, 8);
        aesfit_ecb_encrypt(key, block, block, 16);
        block[7] ^= (uint8_t)step;
        memcpy(r, block + 8, 8);
    }
    memcpy(text, block, 8);
}

/* Every length that `a` may claim, over zeros and with one byte set: valid exactly if the length
 * ends in the last semiblock and the set byte lies before it. */
static void check_bad_padding(const aesfit_key *key)
{
    for (size_t n = 1; n <= 3; n++)
        for (size_t claimed = 0; claimed <= 8 * n + 9; claimed++)
            for (size_t set = turn % TEST_TURNS(8); set < 8 * n; set += TEST_TURNS(8)) {
                uint8_t text[32] = {0xa6, 0x59, 0x59, 0xa6}, out[24];
                size_t got = 99;
                int good = claimed > 8 * (n - 1) && claimed <= 8 * n && set < claimed;
                text[7] = (uint8_t)claimed;
                text[8 + set] = 0x10;
                book_w(key, text, n);
                CHECK_STATUS(aesfit_key_unwrap_padded(key, out, 24, &got, text, 8 * n + 8),
                             good ? AESFIT_OK : AESFIT_ERR_AUTHENTICATION);
                CHECK(got == (good ? claimed : 0));
                if (!good)
                    CHECK_BYTES(out, zero, 8 * n);
            }
}

static void check_wrap_arguments(const aesfit_key *key)
{
    uint8_t out[64];
    size_t n;
    aesfit_key encrypt_only = *key;
    encrypt_only.directions = AESFIT_ENCRYPT;
    CHECK_STATUS(aesfit_key_wrap(key, out, 64, &n, zero, 8), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_key_wrap(key, out, 64, &n, zero, 20), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_key_wrap(key, out, 64, NULL, zero, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_key_wrap(key, NULL, 64, &n, zero, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_key_wrap(NULL, out, 64, &n, zero, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_key_unwrap(key, out, 64, &n, zero, 16), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_key_unwrap(key, out, 64, &n, zero, 0), AESFIT_ERR_LENGTH);
#if SIZE_MAX > 0xffffffff /* 2^54 semiblocks or more */
    CHECK_STATUS(aesfit_key_wrap(key, out, SIZE_MAX, &n, zero, (size_t)1 << 57), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_key_unwrap(key, out, SIZE_MAX, &n, zero, ((size_t)1 << 57) + 8),
                 AESFIT_ERR_LENGTH);
#endif
    CHECK_STATUS(aesfit_key_unwrap(&encrypt_only, out, 64, &n, zero, 24), AESFIT_ERR_DIRECTION);
    CHECK_STATUS(aesfit_key_wrap_padded(key, out, 64, &n, zero, 0), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_key_unwrap_padded(key, out, 64, &n, zero, 8), AESFIT_ERR_LENGTH);
}

/* ----------------------------------------------------------------- every core */

static void check_with_key(const aesfit_key *key, const record *r)
{
    if (strcmp(r->mode, "cmac") == 0)
        check_cmac(key, r);
    else if (strcmp(r->mode, "cbc_mac") == 0)
        check_cbc_mac(key, r);
    else if (strcmp(r->mode, "kw") == 0)
        check_wrap(key, aesfit_key_wrap, aesfit_key_unwrap, r->plain.bytes, r->plain.length,
                   r->cipher.bytes, r->cipher.length);
    else if (CHECK(strcmp(r->mode, "kwp") == 0))
        check_wrap(key, aesfit_key_wrap_padded, aesfit_key_unwrap_padded, r->plain.bytes,
                   r->plain.length, r->cipher.bytes, r->cipher.length);
}

static void check_record(const record *r, size_t number)
{
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        aesfit_key key;
        if (!aesfit_core_available(core))
            continue;
        turn = i;
        test_context("record %u, %s, %s", (unsigned)number, r->mode, aesfit_core_name(core));
        CHECK_STATUS(aesfit_expand_key(&key, core, r->key.bytes, r->key.length, AESFIT_BOTH),
                     AESFIT_OK);
        check_with_key(&key, r);
    }
}

int main(int argc, char **argv)
{
    uint8_t bytes[32];
    test_begin(argc, argv);
    random_fill(bytes, sizeof bytes);
    CHECK(for_each_record("mac_wrap.txt", check_record) == 12 + 3 + 6 + 2);
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        aesfit_key key;
        if (!aesfit_core_available(core))
            continue;
        turn = i;
        test_context("%s", aesfit_core_name(core));
        CHECK_STATUS(aesfit_expand_key(&key, core, bytes, 16 + 8 * random_below(3), AESFIT_BOTH),
                     AESFIT_OK);
        check_cmac_stream(&key);
        check_wrap_lengths(&key);
        check_bad_padding(&key);
        check_wrap_arguments(&key);
    }
    return test_end();
}
