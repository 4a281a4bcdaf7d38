/* SPDX-License-Identifier: MIT */
/* The PSA driver over a shim of PSA's header: what it writes is what the library writes, whatever
 * the pieces; bad input has PSA's statuses, and nothing is left in the output. */
#include "test.h"
#include <aesfit_psa.h>

enum { LONGEST = 99, ROOM = LONGEST + 32 };
static const psa_key_attributes_t aes = {PSA_KEY_TYPE_AES}, des = {PSA_KEY_TYPE_DES};
static uint8_t key[32], iv[16], plain[LONGEST], ad[LONGEST];

static const struct cipher {
    psa_algorithm_t alg;
    aesfit_mode mode;
} ciphers[] = {
    {PSA_ALG_ECB_NO_PADDING, AESFIT_ECB},
    {PSA_ALG_CBC_NO_PADDING, AESFIT_CBC},
    {PSA_ALG_CBC_PKCS7, AESFIT_CBC_PKCS7},
    {PSA_ALG_CTR, AESFIT_CTR},
    {PSA_ALG_CFB, AESFIT_CFB},
    {PSA_ALG_OFB, AESFIT_OFB},
};

static void check_wiped(const uint8_t *out, size_t bytes)
{
    static const uint8_t zeros[ROOM];
    CHECK_BYTES(out, zeros, bytes);
}

/* A data unit in one call; PSA has room for nothing behind it. */
static void check_xts(size_t bytes)
{
    const size_t key_bytes = bytes % 2 == 0 ? 32 : 64;
    uint8_t two_keys[64], expected[LONGEST], got[LONGEST], back[LONGEST];
    aesfit_psa_cipher_operation_t operation, moved;
    aesfit_xts_key library;
    size_t got_bytes;
    test_context("XTS, %u bytes", (unsigned)bytes);
    random_fill(two_keys, sizeof two_keys);
    CHECK_STATUS(aesfit_xts_expand_key(&library, NULL, two_keys, key_bytes, AESFIT_ENCRYPT),
                 AESFIT_OK);
    CHECK_STATUS(aesfit_xts_encrypt(&library, iv, expected, plain, bytes), AESFIT_OK);
    CHECK(aesfit_psa_cipher_encrypt(&aes, two_keys, key_bytes, PSA_ALG_XTS, iv, 16, plain, bytes,
                                    got, bytes, &got_bytes) == PSA_SUCCESS);
    CHECK(got_bytes == bytes);
    CHECK_BYTES(got, expected, bytes);
    CHECK(aesfit_psa_cipher_decrypt_setup(&operation, &aes, two_keys, key_bytes, PSA_ALG_XTS) ==
          PSA_SUCCESS);
    CHECK(aesfit_psa_cipher_set_iv(&operation, iv, 16) == PSA_SUCCESS);
    moved = operation;
    memset(&operation, 0xa5, sizeof operation);
    CHECK(aesfit_psa_cipher_update(&moved, expected, bytes, back, bytes - 1, &got_bytes) ==
          PSA_ERROR_BUFFER_TOO_SMALL);
    CHECK(aesfit_psa_cipher_update(&moved, expected, bytes, back, bytes, &got_bytes) ==
          PSA_SUCCESS);
    CHECK(got_bytes == bytes);
    CHECK_BYTES(back, plain, bytes);
    operation = moved;
    CHECK(aesfit_psa_cipher_update(&operation, expected, 16, back, 16, &got_bytes) ==
          PSA_ERROR_BAD_STATE);
    check_wiped(back, 16);
    CHECK(aesfit_psa_cipher_finish(&moved, NULL, 0, &got_bytes) == PSA_SUCCESS);
    CHECK(got_bytes == 0);
    CHECK(aesfit_psa_cipher_abort(&moved) == PSA_SUCCESS);
}

static void test_xts(void)
{
    aesfit_psa_cipher_operation_t operation;
    uint8_t out[16];
    size_t out_bytes;
    for (size_t bytes = 16; bytes <= LONGEST; bytes++)
        check_xts(bytes);
    memset(out, 0xa5, sizeof out);
    CHECK(aesfit_psa_cipher_encrypt(&aes, plain, 32, PSA_ALG_XTS, iv, 16, plain, 15, out, 16,
                                    &out_bytes) == PSA_ERROR_INVALID_ARGUMENT);
    check_wiped(out, 16);
    CHECK(aesfit_psa_cipher_encrypt_setup(&operation, &aes, plain, 32, PSA_ALG_XTS) == PSA_SUCCESS);
    CHECK(aesfit_psa_cipher_set_iv(&operation, iv, 16) == PSA_SUCCESS);
    CHECK(aesfit_psa_cipher_finish(&operation, out, 16, &out_bytes) == PSA_ERROR_INVALID_ARGUMENT);
    CHECK(aesfit_psa_cipher_encrypt_setup(&operation, &aes, plain, 16, PSA_ALG_XTS) ==
          PSA_ERROR_NOT_SUPPORTED);
}

static size_t of_library(const struct cipher *cipher, size_t key_bytes, uint8_t *out, size_t bytes)
{
    aesfit_key expanded;
    aesfit_stream stream;
    size_t first = 0;
    size_t rest = 0;
    CHECK_STATUS(aesfit_expand_key(&expanded, NULL, key, key_bytes, AESFIT_BOTH), AESFIT_OK);
    CHECK_STATUS(aesfit_stream_start(&stream, cipher->mode, AESFIT_ENCRYPT, &expanded, iv),
                 AESFIT_OK);
    CHECK_STATUS(aesfit_stream_update(&stream, out, ROOM, &first, plain, bytes), AESFIT_OK);
    CHECK_STATUS(aesfit_stream_finish(&stream, out + first, ROOM - first, &rest), AESFIT_OK);
    return first + rest;
}

/* Feeds `in` in pieces of random lengths; between two of them the operation moves. */
static psa_status_t in_parts(psa_algorithm_t alg, int decrypt, size_t key_bytes, const uint8_t *in,
                             size_t bytes, uint8_t *out, size_t *out_bytes)
{
    aesfit_psa_cipher_operation_t operation;
    size_t written = 0;
    *out_bytes = 0;
    psa_status_t status =
        decrypt ? aesfit_psa_cipher_decrypt_setup(&operation, &aes, key, key_bytes, alg)
                : aesfit_psa_cipher_encrypt_setup(&operation, &aes, key, key_bytes, alg);
    CHECK(status == PSA_SUCCESS);
    if (alg != PSA_ALG_ECB_NO_PADDING)
        CHECK(aesfit_psa_cipher_set_iv(&operation, iv, 16) == PSA_SUCCESS);
    while (status == PSA_SUCCESS && bytes != 0) {
        aesfit_psa_cipher_operation_t moved = operation;
        const size_t piece = random_below(bytes + 1);
        status = aesfit_psa_cipher_update(&moved, in, piece, out + *out_bytes, ROOM - *out_bytes,
                                          &written);
        in += piece;
        bytes -= piece;
        *out_bytes += written;
        operation = moved;
    }
    if (status == PSA_SUCCESS)
        status =
            aesfit_psa_cipher_finish(&operation, out + *out_bytes, ROOM - *out_bytes, &written);
    *out_bytes += written;
    CHECK(aesfit_psa_cipher_abort(&operation) == PSA_SUCCESS);
    return status;
}

static void check_cipher(const struct cipher *cipher, size_t key_bytes, size_t bytes)
{
    const int is_padded = cipher->mode == AESFIT_CBC_PKCS7;
    uint8_t expected[ROOM], got[16 + ROOM], back[ROOM];
    size_t got_bytes;
    const size_t expected_bytes = of_library(cipher, key_bytes, expected, bytes);
    const size_t iv_bytes = cipher->mode == AESFIT_ECB ? 0 : 16;
    test_context("algorithm %08lx, %u bytes", (unsigned long)cipher->alg, (unsigned)bytes);
    CHECK(aesfit_psa_cipher_encrypt(&aes, key, key_bytes, cipher->alg, iv, iv_bytes, plain, bytes,
                                    got + iv_bytes, expected_bytes, &got_bytes) == PSA_SUCCESS);
    CHECK(got_bytes == expected_bytes);
    CHECK_BYTES(got + iv_bytes, expected, expected_bytes);
    memcpy(got, iv, iv_bytes);
    CHECK(aesfit_psa_cipher_decrypt(&aes, key, key_bytes, cipher->alg, got,
                                    iv_bytes + expected_bytes, back, bytes,
                                    &got_bytes) == PSA_SUCCESS);
    CHECK(got_bytes == bytes);
    CHECK_BYTES(back, plain, bytes);
    CHECK(in_parts(cipher->alg, 0, key_bytes, plain, bytes, got, &got_bytes) == PSA_SUCCESS);
    CHECK(got_bytes == expected_bytes);
    CHECK_BYTES(got, expected, expected_bytes);
    CHECK(in_parts(cipher->alg, 1, key_bytes, expected, expected_bytes, back, &got_bytes) ==
          PSA_SUCCESS);
    CHECK(got_bytes == bytes);
    CHECK_BYTES(back, plain, bytes);
    if (expected_bytes != 0) {
        CHECK(aesfit_psa_cipher_encrypt(&aes, key, key_bytes, cipher->alg, iv, iv_bytes, plain,
                                        bytes, got, expected_bytes - 1,
                                        &got_bytes) == PSA_ERROR_BUFFER_TOO_SMALL);
        CHECK(got_bytes == 0);
        check_wiped(got, expected_bytes - 1);
    }
    if (is_padded) { /* the last byte of a block that is no padding */
        CHECK(aesfit_psa_cipher_encrypt(&aes, key, key_bytes, PSA_ALG_CBC_NO_PADDING, iv, 16,
                                        (const uint8_t[16]){0}, 16, got + 16, 16,
                                        &got_bytes) == PSA_SUCCESS);
        memcpy(got, iv, 16);
        CHECK(aesfit_psa_cipher_decrypt(&aes, key, key_bytes, cipher->alg, got, 32, back, 16,
                                        &got_bytes) == PSA_ERROR_INVALID_PADDING);
        check_wiped(back, 16);
    }
}

static void test_ciphers(void)
{
    for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++)
        for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8)
            for (size_t bytes = 0; bytes <= LONGEST; bytes++) {
                const int by_blocks =
                    ciphers[i].mode == AESFIT_ECB || ciphers[i].mode == AESFIT_CBC;
                if (bytes % 16 == 0 || !by_blocks)
                    check_cipher(&ciphers[i], key_bytes, bytes);
                else {
                    uint8_t out[ROOM];
                    size_t out_bytes = 1;
                    const size_t iv_bytes = ciphers[i].mode == AESFIT_ECB ? 0 : 16;
                    CHECK(aesfit_psa_cipher_encrypt(&aes, key, key_bytes, ciphers[i].alg, iv,
                                                    iv_bytes, plain, bytes, out, sizeof out,
                                                    &out_bytes) == PSA_ERROR_INVALID_ARGUMENT);
                    CHECK(out_bytes == 0);
                    check_wiped(out, sizeof out);
                }
            }
}

/* All of a message in parts, or the first status that is no success. */
static psa_status_t aead_in_parts(psa_algorithm_t alg, int decrypt, size_t nonce_bytes,
                                  size_t bytes, const uint8_t *in, uint8_t *out, uint8_t *tag,
                                  size_t tag_bytes)
{
    aesfit_psa_aead_operation_t start, operation;
    size_t written;
    const size_t cut = random_below(bytes + 1);
    psa_status_t status = decrypt ? aesfit_psa_aead_decrypt_setup(&start, &aes, key, 16, alg)
                                  : aesfit_psa_aead_encrypt_setup(&start, &aes, key, 16, alg);
    CHECK(status == PSA_SUCCESS);
    if (bytes % 2 == 0) /* lengths and nonce in either order */
        CHECK(aesfit_psa_aead_set_lengths(&start, bytes, bytes) == PSA_SUCCESS);
    status = aesfit_psa_aead_set_nonce(&start, iv, nonce_bytes);
    if (bytes % 2 != 0)
        CHECK(aesfit_psa_aead_set_lengths(&start, bytes, bytes) == PSA_SUCCESS);
    operation = start;
    memset(&start, 0xa5, sizeof start);
    if (status == PSA_SUCCESS)
        status = aesfit_psa_aead_update_ad(&operation, ad, bytes);
    if (status == PSA_SUCCESS)
        status = aesfit_psa_aead_update(&operation, in, cut, out, cut, &written);
    if (status == PSA_SUCCESS)
        status = aesfit_psa_aead_update(&operation, in + cut, bytes - cut, out + cut, bytes - cut,
                                        &written);
    if (status == PSA_SUCCESS && decrypt)
        status = aesfit_psa_aead_verify(&operation, NULL, 0, &written, tag, tag_bytes);
    else if (status == PSA_SUCCESS) {
        size_t got = 0;
        status = aesfit_psa_aead_finish(&operation, NULL, 0, &written, tag, tag_bytes, &got);
        CHECK(got == tag_bytes);
    }
    CHECK(aesfit_psa_aead_abort(&operation) == PSA_SUCCESS);
    return status;
}

static void seal_by_library(psa_algorithm_t base, size_t nonce_bytes, size_t bytes, uint8_t *out,
                            size_t tag_bytes)
{
    aesfit_gcm_key gcm;
    CHECK_STATUS(aesfit_gcm_expand_key(&gcm, NULL, NULL, key, 16), AESFIT_OK);
    CHECK_STATUS(base == PSA_ALG_GCM ? aesfit_gcm_encrypt(&gcm, iv, nonce_bytes, ad, bytes, out,
                                                          plain, bytes, out + bytes, tag_bytes)
                                     : aesfit_ccm_encrypt(&gcm.aes, iv, nonce_bytes, ad, bytes, out,
                                                          plain, bytes, out + bytes, tag_bytes),
                 AESFIT_OK);
}

static void check_aead(psa_algorithm_t base, size_t bytes, size_t tag_bytes)
{
    const psa_algorithm_t alg = PSA_ALG_AEAD_WITH_SHORTENED_TAG(base, tag_bytes);
    const size_t nonce_bytes = base == PSA_ALG_CCM ? 7 + bytes % 7 : 1 + bytes % 16;
    uint8_t expected[ROOM], got[ROOM], back[ROOM];
    size_t got_bytes;
    test_context("algorithm %08lx, %u bytes", (unsigned long)alg, (unsigned)bytes);
    seal_by_library(base, nonce_bytes, bytes, expected, tag_bytes);
    const size_t sealed = bytes + tag_bytes;
    CHECK(aesfit_psa_aead_encrypt(&aes, key, 16, alg, iv, nonce_bytes, ad, bytes, plain, bytes, got,
                                  sealed, &got_bytes) == PSA_SUCCESS);
    CHECK(got_bytes == sealed);
    CHECK_BYTES(got, expected, sealed);
    CHECK(aesfit_psa_aead_decrypt(&aes, key, 16, alg, iv, nonce_bytes, ad, bytes, expected, sealed,
                                  back, bytes, &got_bytes) == PSA_SUCCESS);
    CHECK(got_bytes == bytes);
    CHECK_BYTES(back, plain, bytes);
    CHECK(aead_in_parts(alg, 0, nonce_bytes, bytes, plain, got, got + bytes, tag_bytes) ==
          PSA_SUCCESS);
    CHECK_BYTES(got, expected, sealed);
    CHECK(aead_in_parts(alg, 1, nonce_bytes, bytes, expected, back, expected + bytes, tag_bytes) ==
          PSA_SUCCESS);
    CHECK_BYTES(back, plain, bytes);
    CHECK(aesfit_psa_aead_encrypt(&aes, key, 16, alg, iv, nonce_bytes, ad, bytes, plain, bytes, got,
                                  sealed - 1, &got_bytes) == PSA_ERROR_BUFFER_TOO_SMALL);
    check_wiped(got, sealed - 1);
    CHECK(aesfit_psa_aead_decrypt(&aes, key, 16, alg, iv, nonce_bytes, ad, bytes, expected,
                                  tag_bytes - 1, back, bytes,
                                  &got_bytes) == PSA_ERROR_INVALID_ARGUMENT);
    expected[sealed - 1] ^= 1;
    CHECK(aesfit_psa_aead_decrypt(&aes, key, 16, alg, iv, nonce_bytes, ad, bytes, expected, sealed,
                                  back, bytes, &got_bytes) == PSA_ERROR_INVALID_SIGNATURE);
    CHECK(got_bytes == 0);
    check_wiped(back, bytes);
    CHECK(aead_in_parts(alg, 1, nonce_bytes, bytes, expected, back, expected + bytes, tag_bytes) ==
          PSA_ERROR_INVALID_SIGNATURE);
}

static void check_mac(size_t bytes, size_t mac_bytes)
{
    const psa_algorithm_t alg = PSA_ALG_TRUNCATED_MAC(PSA_ALG_CMAC, mac_bytes % 16);
    uint8_t expected[16], got[16];
    size_t got_bytes;
    aesfit_key expanded;
    aesfit_psa_mac_operation_t operation, moved;
    test_context("CMAC, %u bytes, tag of %u", (unsigned)bytes, (unsigned)mac_bytes);
    CHECK_STATUS(aesfit_expand_key(&expanded, NULL, key, 24, AESFIT_ENCRYPT), AESFIT_OK);
    CHECK_STATUS(aesfit_cmac(&expanded, plain, bytes, expected, mac_bytes), AESFIT_OK);
    CHECK(aesfit_psa_mac_compute(&aes, key, 24, alg, plain, bytes, got, mac_bytes, &got_bytes) ==
          PSA_SUCCESS);
    CHECK(got_bytes == mac_bytes);
    CHECK_BYTES(got, expected, mac_bytes);
    CHECK(aesfit_psa_mac_compute(&aes, key, 24, alg, plain, bytes, got, mac_bytes - 1,
                                 &got_bytes) == PSA_ERROR_BUFFER_TOO_SMALL);
    check_wiped(got, mac_bytes - 1);
    for (int wrong = 0; wrong <= 1; wrong++) {
        CHECK(aesfit_psa_mac_verify_setup(&operation, &aes, key, 24, alg) == PSA_SUCCESS);
        moved = operation;
        memset(&operation, 0xa5, sizeof operation);
        CHECK(aesfit_psa_mac_update(&moved, plain, bytes / 2) == PSA_SUCCESS);
        CHECK(aesfit_psa_mac_update(&moved, plain + bytes / 2, bytes - bytes / 2) == PSA_SUCCESS);
        expected[mac_bytes - 1] ^= (uint8_t)wrong;
        CHECK(aesfit_psa_mac_verify_finish(&moved, expected, mac_bytes) ==
              (wrong ? PSA_ERROR_INVALID_SIGNATURE : PSA_SUCCESS));
        CHECK(aesfit_psa_mac_abort(&moved) == PSA_SUCCESS);
    }
}

/* What the driver leaves to others, it leaves before it writes anything. */
static void test_not_supported(void)
{
    uint8_t out[32];
    size_t out_bytes = 77;
    memset(out, 0xa5, sizeof out);
    CHECK(aesfit_psa_cipher_encrypt(&des, key, 16, PSA_ALG_CTR, iv, 16, plain, 16, out, 32,
                                    &out_bytes) == PSA_ERROR_NOT_SUPPORTED);
    CHECK(aesfit_psa_cipher_encrypt(&aes, key, 16, PSA_ALG_CCM_STAR_NO_TAG, iv, 13, plain, 16, out,
                                    32, &out_bytes) == PSA_ERROR_NOT_SUPPORTED);
    CHECK(aesfit_psa_cipher_decrypt(&aes, key, 15, PSA_ALG_CTR, plain, 32, out, 32, &out_bytes) ==
          PSA_ERROR_NOT_SUPPORTED);
    CHECK(aesfit_psa_aead_encrypt(&des, key, 16, PSA_ALG_GCM, iv, 12, ad, 1, plain, 1, out, 32,
                                  &out_bytes) == PSA_ERROR_NOT_SUPPORTED);
    CHECK(aesfit_psa_mac_compute(&des, key, 16, PSA_ALG_CMAC, plain, 1, out, 16, &out_bytes) ==
          PSA_ERROR_NOT_SUPPORTED);
    CHECK(out_bytes == 77 && out[0] == 0xa5 && out[31] == 0xa5);
}

static void test_order(void)
{
    aesfit_psa_cipher_operation_t cipher = {0};
    aesfit_psa_aead_operation_t aead = {0};
    aesfit_psa_mac_operation_t mac = {0};
    uint8_t out[32];
    size_t bytes, more;
    test_context("order of calls");
    CHECK(aesfit_psa_cipher_update(&cipher, plain, 1, out, 32, &bytes) == PSA_ERROR_BAD_STATE);
    CHECK(aesfit_psa_aead_update(&aead, plain, 1, out, 32, &bytes) == PSA_ERROR_BAD_STATE);
    CHECK(aesfit_psa_mac_update(&mac, plain, 1) == PSA_ERROR_BAD_STATE);
    CHECK(aesfit_psa_mac_sign_finish(&mac, out, 16, &bytes) == PSA_ERROR_BAD_STATE);
    CHECK(aesfit_psa_cipher_encrypt_setup(&cipher, &aes, key, 16, PSA_ALG_CTR) == PSA_SUCCESS);
    CHECK(aesfit_psa_cipher_finish(&cipher, out, 32, &bytes) == PSA_ERROR_BAD_STATE);
    CHECK(aesfit_psa_cipher_set_iv(&cipher, iv, 12) == PSA_ERROR_INVALID_ARGUMENT);
    CHECK(aesfit_psa_cipher_set_iv(&cipher, iv, 16) == PSA_SUCCESS);
    CHECK(aesfit_psa_cipher_set_iv(&cipher, iv, 16) == PSA_ERROR_BAD_STATE);
    CHECK(aesfit_psa_aead_encrypt_setup(&aead, &aes, key, 16, PSA_ALG_CCM) == PSA_SUCCESS);
    CHECK(aesfit_psa_aead_set_nonce(&aead, iv, 14) == PSA_ERROR_INVALID_ARGUMENT);
    CHECK(aesfit_psa_aead_set_nonce(&aead, iv, 13) == PSA_SUCCESS);
    CHECK(aesfit_psa_aead_update_ad(&aead, ad, 1) == PSA_ERROR_BAD_STATE); /* no lengths yet */
    CHECK(aesfit_psa_aead_set_lengths(&aead, 1, 2) == PSA_SUCCESS);
    CHECK(aesfit_psa_aead_update_ad(&aead, ad, 2) == PSA_ERROR_INVALID_ARGUMENT);
    CHECK(aesfit_psa_aead_update_ad(&aead, ad, 1) == PSA_SUCCESS);
    CHECK(aesfit_psa_aead_finish(&aead, NULL, 0, &bytes, out, 16, &more) ==
          PSA_ERROR_INVALID_ARGUMENT); /* data are missing */
    check_wiped(out, 16);
    CHECK(aesfit_psa_aead_encrypt_setup(&aead, &aes, key, 16, PSA_ALG_CCM) == PSA_SUCCESS);
    CHECK(aesfit_psa_aead_set_nonce(&aead, iv, 13) == PSA_SUCCESS);
    CHECK(aesfit_psa_aead_finish(&aead, NULL, 0, &bytes, out, 16, &more) == PSA_SUCCESS);
    CHECK(more == 16); /* an empty message needs no lengths */
    CHECK(aesfit_psa_aead_encrypt_setup(&aead, &aes, key, 16,
                                        PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 5)) ==
          PSA_ERROR_INVALID_ARGUMENT);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    random_fill(key, sizeof key);
    random_fill(iv, sizeof iv);
    random_fill(plain, sizeof plain);
    random_fill(ad, sizeof ad);
    test_ciphers();
    test_xts();
    for (size_t bytes = 0; bytes <= LONGEST; bytes++) {
        for (size_t tag_bytes = 4; tag_bytes <= 16; tag_bytes += 2)
            check_aead(PSA_ALG_CCM, bytes, tag_bytes);
        for (size_t tag_bytes = 12; tag_bytes <= 16; tag_bytes++)
            check_aead(PSA_ALG_GCM, bytes, tag_bytes);
        check_mac(bytes, 4 + bytes % 13);
    }
    test_not_supported();
    test_order();
    return test_end();
}
