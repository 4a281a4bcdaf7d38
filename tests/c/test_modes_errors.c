/* SPDX-License-Identifier: MIT */
/* Every refusal of the confidentiality modes and of streams: the right error, and no output. */
#include "modes.h"

static uint8_t in[64], out[96], iv[16];

static void expect_untouched(void)
{
    for (size_t i = 0; i < sizeof out; i++)
        if (!CHECK(out[i] == 0xa5))
            break;
    memset(out, 0xa5, sizeof out);
}

static aesfit_mode mode_at(int i)
{
    return (aesfit_mode)i;
}

/* Modes of single bytes encrypt blocks in both directions. */
static int encrypts_only(aesfit_mode mode)
{
    return mode_takes(mode, 1) && !mode_pads(mode);
}

/* NULL key, input or output; a length that the mode does not allow. */
static void check_one_shot(const mode_key *key, aesfit_mode mode, int encrypt)
{
    size_t written;
    const size_t bad = mode == AESFIT_CBC_CS3 || mode == AESFIT_XTS ? 15 : 31;
    int padded = mode_pads(mode);
    int refuses = encrypt ? !mode_takes(mode, bad) : padded || !mode_takes(mode, bad);
    test_context("%s, %s", mode_names[mode], encrypt ? "encrypt" : "decrypt");
    CHECK_STATUS(mode_crypt(key, mode, encrypt, iv, NULL, &written, in, 32), AESFIT_ERR_NULL);
    CHECK_STATUS(mode_crypt(key, mode, encrypt, iv, out, &written, NULL, 32), AESFIT_ERR_NULL);
    if (refuses)
        CHECK_STATUS(mode_crypt(key, mode, encrypt, iv, out, &written, in, bad), AESFIT_ERR_LENGTH);
    if (!encrypt && padded)
        CHECK_STATUS(mode_crypt(key, mode, encrypt, iv, out, &written, in, 0), AESFIT_ERR_LENGTH);
    expect_untouched();
}

/* A key for the other direction, or for none. */
static void check_direction(const uint8_t *bytes, aesfit_mode mode, int encrypt)
{
    mode_key key;
    size_t written;
    unsigned wrong = encrypt || encrypts_only(mode) ? AESFIT_DECRYPT : AESFIT_ENCRYPT;
    test_context("%s, %s, wrong direction", mode_names[mode], encrypt ? "encrypt" : "decrypt");
    CHECK_STATUS(aesfit_expand_key(&key.aes, NULL, bytes, 16, wrong), AESFIT_OK);
    CHECK_STATUS(aesfit_xts_expand_key(&key.xts, NULL, bytes, 32, wrong), AESFIT_OK);
    CHECK_STATUS(mode_crypt(&key, mode, encrypt, iv, out, &written, in, 32), AESFIT_ERR_DIRECTION);
    CHECK_STATUS(mode_stream(&key, mode, encrypt, iv, out, &written, in, 32, 0),
                 AESFIT_ERR_DIRECTION);
    key.aes.directions = key.xts.data.directions = 0; /* as after a failed expansion */
    CHECK_STATUS(mode_crypt(&key, mode, encrypt, iv, out, &written, in, 32), AESFIT_ERR_DIRECTION);
    expect_untouched();
}

static void check_null(const mode_key *key)
{
    const aesfit_key *aes = &key->aes;
    aesfit_feedback state;
    size_t n;
    test_context("NULL arguments");
    CHECK_STATUS(aesfit_ecb_encrypt(NULL, out, in, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_encrypt(aes, NULL, out, in, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_decrypt(aes, NULL, out, in, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_cs3_encrypt(aes, NULL, out, in, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_cs3_decrypt(aes, NULL, out, in, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_pkcs7_encrypt(aes, NULL, out, 96, &n, in, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_pkcs7_decrypt(aes, NULL, out, 96, &n, in, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ecb_pkcs7_encrypt(aes, out, 96, NULL, in, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ecb_pkcs7_decrypt(aes, out, 96, NULL, in, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ecb_pkcs7_encrypt(aes, NULL, 96, &n, NULL, 0), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_xts_encrypt(NULL, iv, out, in, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_xts_encrypt(&key->xts, NULL, out, in, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_feedback_start(NULL, iv), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_feedback_start(&state, NULL), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cfb_encrypt(aes, NULL, out, in, 16), AESFIT_ERR_NULL);
    expect_untouched();
}

/* Memory of zeros or ones does not count as a started state, nor does a failed start. */
static void check_not_started(const aesfit_key *aes)
{
    aesfit_feedback state;
    aesfit_stream stream;
    size_t n;
    test_context("not started");
    for (int byte = 0; byte <= 0xff; byte += 0xff) {
        memset(&state, byte, sizeof state);
        CHECK_STATUS(aesfit_ofb_crypt(aes, &state, out, in, 16), AESFIT_ERR_ORDER);
        CHECK_STATUS(aesfit_cfb_encrypt(aes, &state, out, in, 16), AESFIT_ERR_ORDER);
        CHECK_STATUS(aesfit_cfb8_decrypt(aes, &state, out, in, 16), AESFIT_ERR_ORDER);
        memset(&stream, byte, sizeof stream);
        CHECK_STATUS(aesfit_stream_update(&stream, out, 96, &n, in, 32), AESFIT_ERR_ORDER);
        CHECK_STATUS(aesfit_stream_finish(&stream, out, 96, &n), AESFIT_ERR_ORDER);
    }
    CHECK_STATUS(aesfit_feedback_start(&state, iv), AESFIT_OK);
    CHECK_STATUS(aesfit_feedback_start(&state, NULL), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cfb_decrypt(aes, &state, out, in, 16), AESFIT_ERR_ORDER);
    expect_untouched();
}

static void check_output_size(const aesfit_key *aes)
{
    size_t n;
    test_context("output too small");
    CHECK_STATUS(aesfit_ecb_pkcs7_encrypt(aes, out, 15, &n, in, 0), AESFIT_ERR_OUTPUT_SIZE);
    CHECK_STATUS(aesfit_ecb_pkcs7_encrypt(aes, out, 31, &n, in, 16), AESFIT_ERR_OUTPUT_SIZE);
    CHECK_STATUS(aesfit_cbc_pkcs7_encrypt(aes, iv, out, 16, &n, in, 31), AESFIT_ERR_OUTPUT_SIZE);
    CHECK_STATUS(aesfit_ecb_pkcs7_decrypt(aes, out, 31, &n, in, 32), AESFIT_ERR_OUTPUT_SIZE);
    CHECK_STATUS(aesfit_cbc_pkcs7_decrypt(aes, iv, out, 0, &n, in, 16), AESFIT_ERR_OUTPUT_SIZE);
    CHECK(n == 0);
    expect_untouched();
}

static void check_xts_keys(const aesfit_xts_key *key, const uint8_t *bytes)
{
    static uint8_t large[(16 << 20) + 1];
    uint8_t equal[64];
    aesfit_xts_key xts;
    aesfit_stream stream;
    size_t n;
    test_context("XTS keys and limits");
    memcpy(equal, bytes, 32);
    memcpy(equal + 32, bytes, 32);
    CHECK_STATUS(aesfit_xts_expand_key(&xts, NULL, equal, 64, AESFIT_BOTH), AESFIT_ERR_KEY_HALVES);
    CHECK_STATUS(aesfit_xts_encrypt(&xts, iv, out, in, 32), AESFIT_ERR_DIRECTION);
    CHECK_STATUS(aesfit_xts_expand_key(&xts, NULL, bytes, 16, AESFIT_BOTH), AESFIT_ERR_KEY_LENGTH);
    CHECK_STATUS(aesfit_xts_expand_key(&xts, NULL, bytes, 48, AESFIT_BOTH), AESFIT_ERR_KEY_LENGTH);
    CHECK_STATUS(aesfit_xts_expand_key(&xts, NULL, NULL, 32, AESFIT_BOTH), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_xts_expand_key(NULL, NULL, bytes, 32, AESFIT_BOTH), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_xts_expand_key(&xts, NULL, bytes, 32, 0), AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_xts_encrypt(key, iv, large, large, sizeof large), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_xts_decrypt(key, iv, large, large, sizeof large), AESFIT_ERR_LENGTH);
    expect_untouched();
    CHECK_STATUS(aesfit_stream_start_xts(&stream, AESFIT_ENCRYPT, key, iv), AESFIT_OK);
    CHECK_STATUS(aesfit_stream_update(&stream, out, sizeof out, &n, in, 1), AESFIT_OK);
    CHECK_STATUS(aesfit_stream_update(&stream, large, sizeof large, &n, large, sizeof large - 1),
                 AESFIT_ERR_LENGTH);
}

/* A stream of `bytes` bytes ends with `expected`, and then accepts nothing more. */
static void check_stream_end(const mode_key *key, aesfit_mode mode, unsigned direction,
                             size_t bytes, int expected)
{
    aesfit_stream stream;
    size_t n;
    test_context("%s stream of %lu bytes, direction %u", mode_names[mode], (unsigned long)bytes,
                 direction);
    CHECK_STATUS(mode == AESFIT_XTS ? aesfit_stream_start_xts(&stream, direction, &key->xts, iv)
                                    : aesfit_stream_start(&stream, mode, direction, &key->aes, iv),
                 AESFIT_OK);
    CHECK_STATUS(aesfit_stream_update(&stream, out, sizeof out, &n, in, bytes), AESFIT_OK);
    CHECK_STATUS(aesfit_stream_finish(&stream, out, sizeof out, &n), expected);
    CHECK_STATUS(aesfit_stream_update(&stream, out, sizeof out, &n, in, 1), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_stream_finish(&stream, out, sizeof out, &n), AESFIT_ERR_ORDER);
    CHECK(n == 0);
    memset(out, 0xa5, sizeof out);
}

static void check_stream_arguments(const mode_key *key)
{
    const aesfit_key *aes = &key->aes;
    aesfit_stream s;
    size_t n;
    test_context("arguments of streams");
    CHECK_STATUS(aesfit_stream_start(NULL, AESFIT_CBC, AESFIT_ENCRYPT, aes, iv), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_stream_start(&s, AESFIT_CBC, AESFIT_ENCRYPT, NULL, iv), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_stream_start(&s, AESFIT_CBC, AESFIT_ENCRYPT, aes, NULL), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_stream_start(&s, AESFIT_CBC, AESFIT_BOTH, aes, iv), AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_stream_start(&s, AESFIT_XTS, AESFIT_ENCRYPT, aes, iv), AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_stream_start(&s, AESFIT_MODE_COUNT, AESFIT_ENCRYPT, aes, iv),
                 AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_stream_update(&s, out, 96, &n, in, 1), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_stream_start_xts(NULL, AESFIT_ENCRYPT, &key->xts, iv), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_stream_start_xts(&s, AESFIT_ENCRYPT, NULL, iv), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_stream_start_xts(&s, AESFIT_ENCRYPT, &key->xts, NULL), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_stream_start_xts(&s, 0, &key->xts, iv), AESFIT_ERR_ARGUMENT);

    CHECK_STATUS(aesfit_stream_start(&s, AESFIT_ECB_PKCS7, AESFIT_ENCRYPT, aes, NULL), AESFIT_OK);
    CHECK_STATUS(aesfit_stream_update(NULL, out, 96, &n, in, 32), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_stream_update(&s, out, 96, NULL, in, 32), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_stream_update(&s, out, 96, &n, NULL, 32), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_stream_update(&s, NULL, 96, &n, in, 32), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_stream_update(&s, out, 31, &n, in, 32), AESFIT_ERR_OUTPUT_SIZE);
    CHECK_STATUS(aesfit_stream_finish(&s, out, 15, &n), AESFIT_ERR_OUTPUT_SIZE);
    CHECK_STATUS(aesfit_stream_finish(&s, NULL, 16, &n), AESFIT_ERR_NULL);
    expect_untouched();
    CHECK_STATUS(aesfit_stream_finish(&s, out, 16, &n), AESFIT_OK); /* with room it continues */
    CHECK(n == 16);
    memset(out, 0xa5, sizeof out);
}

int main(int argc, char **argv)
{
    uint8_t bytes[64];
    mode_key key;
    test_begin(argc, argv);
    memset(out, 0xa5, sizeof out);
    random_fill(bytes, sizeof bytes);
    CHECK_STATUS(mode_expand(&key, AESFIT_ECB, NULL, bytes, 16), AESFIT_OK);
    CHECK_STATUS(mode_expand(&key, AESFIT_XTS, NULL, bytes, 16), AESFIT_OK);
    for (int i = 0; i < 2 * AESFIT_MODE_COUNT; i++) {
        check_one_shot(&key, mode_at(i / 2), i % 2);
        check_direction(bytes, mode_at(i / 2), i % 2);
    }
    check_null(&key);
    check_not_started(&key.aes);
    check_output_size(&key.aes);
    check_xts_keys(&key.xts, bytes);
    for (unsigned direction = AESFIT_ENCRYPT; direction <= AESFIT_DECRYPT; direction++) {
        check_stream_end(&key, AESFIT_ECB, direction, 17, AESFIT_ERR_LENGTH);
        check_stream_end(&key, AESFIT_CBC, direction, 31, AESFIT_ERR_LENGTH);
        check_stream_end(&key, AESFIT_CBC, direction, 0, AESFIT_OK);
        check_stream_end(&key, AESFIT_CBC_CS3, direction, 15, AESFIT_ERR_LENGTH);
        check_stream_end(&key, AESFIT_XTS, direction, 15, AESFIT_ERR_LENGTH);
        check_stream_end(&key, AESFIT_OFB, direction, 0, AESFIT_OK);
    }
    check_stream_end(&key, AESFIT_ECB_PKCS7, AESFIT_DECRYPT, 0, AESFIT_ERR_LENGTH);
    check_stream_end(&key, AESFIT_CBC_PKCS7, AESFIT_DECRYPT, 33, AESFIT_ERR_LENGTH);
    check_stream_arguments(&key);
    return test_end();
}
