/* SPDX-License-Identifier: MIT */
/* PKCS#7: every padding byte, every change of it, one error for all, and cleared output. */
#include "test.h"

static void check_unpad(void)
{
    uint8_t block[16];
    size_t data = 99;
    for (unsigned value = 0; value < 256; value++) {
        random_fill(block, sizeof block);
        for (unsigned i = 0; i < 16 && i < value; i++)
            block[15 - i] = (uint8_t)value;
        block[15] = (uint8_t)value;
        test_context("padding byte %u", value);
        if (value >= 1 && value <= 16) {
            CHECK_STATUS(aesfit_pkcs7_unpad(block, &data), AESFIT_OK);
            CHECK(data == 16 - value);
        } else {
            CHECK_STATUS(aesfit_pkcs7_unpad(block, &data), AESFIT_ERR_PADDING);
            CHECK(data == 0);
        }
    }
}

/* Each byte of good padding but the last, changed to each other value. */
static void check_damage(void)
{
    uint8_t block[16];
    size_t data;
    for (unsigned value = 2; value <= 16; value++)
        for (unsigned at = 16 - value; at < 15; at++)
            for (unsigned flip = 1; flip < 256; flip++) {
                random_fill(block, sizeof block);
                memset(block + 16 - value, (int)value, value);
                block[at] = (uint8_t)(block[at] ^ flip);
                test_context("padding %u, byte %u ^ %u", value, at, flip);
                CHECK_STATUS(aesfit_pkcs7_unpad(block, &data), AESFIT_ERR_PADDING);
            }
}

static void check_pad(void)
{
    uint8_t in[16], block[16];
    size_t data;
    random_fill(in, sizeof in);
    for (size_t used = 0; used < 16; used++) {
        CHECK_STATUS(aesfit_pkcs7_pad(block, in, used), AESFIT_OK);
        CHECK_BYTES(block, in, used);
        for (size_t i = used; i < 16; i++)
            CHECK(block[i] == 16 - used);
        CHECK_STATUS(aesfit_pkcs7_unpad(block, &data), AESFIT_OK);
        CHECK(data == used);
    }
    CHECK_STATUS(aesfit_pkcs7_pad(block, in, 16), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_pkcs7_pad(NULL, in, 1), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_pkcs7_pad(block, NULL, 1), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_pkcs7_pad(block, NULL, 0), AESFIT_OK);
    CHECK_STATUS(aesfit_pkcs7_unpad(NULL, &data), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_pkcs7_unpad(block, NULL), AESFIT_ERR_NULL);
}

/* Three blocks whose last one ends in `end`: refused, and `out` holds no plaintext. */
static void check_refused(const aesfit_key *key, int chained, uint8_t end)
{
    static const uint8_t iv[16] = {7}, zero[32] = {0};
    uint8_t chain[16], data[48], out[48], plain[48];
    size_t bytes = 99, part;
    aesfit_stream stream;
    memcpy(chain, iv, 16);
    random_fill(plain, sizeof plain);
    plain[46] = (uint8_t)~end;
    plain[47] = end;
    if (chained)
        CHECK_STATUS(aesfit_cbc_encrypt(key, chain, data, plain, 48), AESFIT_OK);
    else
        CHECK_STATUS(aesfit_ecb_encrypt(key, data, plain, 48), AESFIT_OK);
    if (chained)
        CHECK_STATUS(aesfit_cbc_pkcs7_decrypt(key, iv, out, 48, &bytes, data, 48),
                     AESFIT_ERR_PADDING);
    else
        CHECK_STATUS(aesfit_ecb_pkcs7_decrypt(key, out, 48, &bytes, data, 48), AESFIT_ERR_PADDING);
    CHECK(bytes == 0);
    CHECK_BYTES(out, zero, 32);

    CHECK_STATUS(aesfit_stream_start(&stream, chained ? AESFIT_CBC_PKCS7 : AESFIT_ECB_PKCS7,
                                     AESFIT_DECRYPT, key, iv),
                 AESFIT_OK);
    CHECK_STATUS(aesfit_stream_update(&stream, out, 48, &bytes, data, 48), AESFIT_OK);
    CHECK(bytes == 32);
    memset(out, 0, sizeof out);
    CHECK_STATUS(aesfit_stream_finish(&stream, out, 48, &part), AESFIT_ERR_PADDING);
    CHECK(part == 0);
    CHECK_BYTES(out, zero, 16);
}

int main(int argc, char **argv)
{
    static const uint8_t ends[] = {0, 2, 3, 16, 17, 128, 255};
    uint8_t bytes[16];
    aesfit_key key;
    test_begin(argc, argv);
    check_unpad();
    check_damage();
    check_pad();
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        if (!aesfit_core_available(core))
            continue;
        random_fill(bytes, sizeof bytes);
        CHECK_STATUS(aesfit_expand_key(&key, core, bytes, 16, AESFIT_BOTH), AESFIT_OK);
        for (size_t j = 0; j < sizeof ends; j++) {
            test_context("%s, last byte %u", aesfit_core_name(core), ends[j]);
            check_refused(&key, 0, ends[j]);
            check_refused(&key, 1, ends[j]);
        }
    }
    return test_end();
}
