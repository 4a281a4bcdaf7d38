/* SPDX-License-Identifier: MIT */
/* Memory with secrets is zero after the call that ends its use, on success and failure. */
#include "test.h"

static const uint8_t bytes[32] = {1, 2, 3};
static uint8_t out[64], tag[16];

static void check_zero(const void *memory, size_t size, const uint8_t *but)
{
    const uint8_t *p = memory;
    size_t set = 0;
    for (size_t i = 0; i < size; i++)
        set += &p[i] != but && p[i] != 0;
    CHECK(set == 0);
}

static void check_stream(const aesfit_key *key, aesfit_mode mode, size_t length, int expected)
{
    aesfit_stream stream;
    size_t n;
    test_context("stream, mode %d", (int)mode);
    memset(&stream, 0xa5, sizeof stream);
    CHECK_STATUS(aesfit_stream_start(&stream, mode, AESFIT_DECRYPT, key, bytes), AESFIT_OK);
    CHECK_STATUS(aesfit_stream_update(&stream, out, sizeof out, &n, bytes, length), AESFIT_OK);
    CHECK_STATUS(aesfit_stream_finish(&stream, out, sizeof out, &n), expected);
    CHECK(stream.finished);
    check_zero(&stream, sizeof stream, &stream.finished);
}

static void check_macs(const aesfit_key *key)
{
    aesfit_cmac_state cmac;
    aesfit_ccm_state ccm;
    test_context("CMAC and CCM");
    CHECK_STATUS(aesfit_cmac_start(&cmac, key), AESFIT_OK);
    CHECK_STATUS(aesfit_cmac_update(&cmac, bytes, 21), AESFIT_OK);
    CHECK_STATUS(aesfit_cmac_finish(&cmac, tag, 16), AESFIT_OK);
    check_zero(&cmac, sizeof cmac, NULL);
    for (int verify = 0; verify < 2; verify++) {
        memset(&ccm, 0xa5, sizeof ccm);
        CHECK_STATUS(aesfit_ccm_start(&ccm, key, bytes, 12, 3, 0, 8), AESFIT_OK);
        CHECK_STATUS(aesfit_ccm_ad(&ccm, bytes, 3), AESFIT_OK);
        if (verify)
            CHECK_STATUS(aesfit_ccm_verify(&ccm, bytes, 8), AESFIT_ERR_AUTHENTICATION);
        else
            CHECK_STATUS(aesfit_ccm_finish(&ccm, tag, 8), AESFIT_OK);
        check_zero(&ccm, sizeof ccm, NULL);
    }
}

static void check_gcm(void)
{
    aesfit_gcm_key key;
    aesfit_gcm_state gcm;
    test_context("GCM");
    CHECK_STATUS(aesfit_gcm_expand_key(&key, NULL, NULL, bytes, 16), AESFIT_OK);
    for (int verify = 0; verify < 2; verify++) {
        memset(&gcm, 0xa5, sizeof gcm);
        CHECK_STATUS(aesfit_gcm_start(&gcm, &key, bytes, 12), AESFIT_OK);
        if (verify)
            CHECK_STATUS(aesfit_gcm_verify(&gcm, bytes, 16), AESFIT_ERR_AUTHENTICATION);
        else
            CHECK_STATUS(aesfit_gcm_finish(&gcm, tag, 16), AESFIT_OK);
        check_zero(&gcm, sizeof gcm, NULL);
    }
}

int main(int argc, char **argv)
{
    aesfit_key key;
    test_begin(argc, argv);
    CHECK_STATUS(aesfit_expand_key(&key, NULL, bytes, 16, AESFIT_BOTH), AESFIT_OK);
    check_stream(&key, AESFIT_CTR, 20, AESFIT_OK);
    check_stream(&key, AESFIT_CBC_CS3, 20, AESFIT_OK);
    check_stream(&key, AESFIT_CBC, 20, AESFIT_ERR_LENGTH);
    check_stream(&key, AESFIT_CBC_PKCS7, 32, AESFIT_ERR_PADDING);
    check_macs(&key);
    check_gcm();
    return test_end();
}
