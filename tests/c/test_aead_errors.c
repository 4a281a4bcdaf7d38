/* SPDX-License-Identifier: MIT */
/* CCM and GCM: every refused argument, the limits of the standards, streams out of order, and
 * CCM's encodings of long associated data. */
#include "aead.h"

static aesfit_key ccm_key;
static aesfit_gcm_key gcm_key;
static uint8_t nonce[16], out[64], tag[16];
static const uint8_t data[64] = {1};

static void check_ccm_arguments(void)
{
    aesfit_key decrypt_only;
    aesfit_expand_key(&decrypt_only, aesfit_core_by_name("bytewise"), data, 16, AESFIT_DECRYPT);
    test_context("ccm arguments");
    CHECK_STATUS(aesfit_ccm_encrypt(NULL, nonce, 12, NULL, 0, out, data, 9, tag, 16),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_encrypt(&decrypt_only, nonce, 12, NULL, 0, out, data, 9, tag, 16),
                 AESFIT_ERR_DIRECTION);
    CHECK_STATUS(aesfit_ccm_encrypt(&ccm_key, NULL, 12, NULL, 0, out, data, 9, tag, 16),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_encrypt(&ccm_key, nonce, 12, NULL, 1, out, data, 9, tag, 16),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_encrypt(&ccm_key, nonce, 12, NULL, 0, NULL, data, 9, tag, 16),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_decrypt(&ccm_key, nonce, 12, NULL, 0, out, NULL, 9, tag, 16),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_encrypt(&ccm_key, nonce, 12, NULL, 0, out, data, 9, NULL, 16),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_encrypt(&ccm_key, nonce, 12, NULL, 0, NULL, NULL, 0, tag, 16),
                 AESFIT_OK);
    for (size_t bytes = 0; bytes <= 20; bytes++) {
        int nonce_good = bytes >= 7 && bytes <= 13;
        int tag_good = bytes % 2 == 0 && bytes >= 4 && bytes <= 16;
        uint8_t long_nonce[20] = {0}, long_tag[20];
        CHECK_STATUS(aesfit_ccm_encrypt(&ccm_key, long_nonce, bytes, NULL, 0, out, data, 9, tag, 8),
                     nonce_good ? AESFIT_OK : AESFIT_ERR_NONCE_LENGTH);
        CHECK_STATUS(
            aesfit_ccm_encrypt(&ccm_key, nonce, 12, NULL, 0, out, data, 9, long_tag, bytes),
            tag_good ? AESFIT_OK : AESFIT_ERR_TAG_LENGTH);
        CHECK_STATUS(aesfit_ccm_crypt_unauthenticated(&ccm_key, long_nonce, bytes, out, data, 9),
                     nonce_good ? AESFIT_OK : AESFIT_ERR_NONCE_LENGTH);
    }
    CHECK_STATUS(aesfit_ccm_crypt_unauthenticated(NULL, nonce, 12, out, data, 9), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_crypt_unauthenticated(&ccm_key, NULL, 12, out, data, 9),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_crypt_unauthenticated(&ccm_key, nonce, 12, NULL, data, 9),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_crypt_unauthenticated(&ccm_key, nonce, 12, NULL, NULL, 0), AESFIT_OK);
}

/* The data length must fit in 15 - nonce_bytes bytes; starting a stream reads no data. */
static void check_ccm_limits(void)
{
    aesfit_ccm_state state;
    for (size_t bytes = 8; bytes <= 13; bytes++) {
        uint64_t limit = UINT64_C(1) << (8 * (15 - bytes));
        test_context("ccm limit, nonce of %u bytes", (unsigned)bytes);
        CHECK_STATUS(aesfit_ccm_start(&state, &ccm_key, nonce, bytes, 0, limit - 1, 16), AESFIT_OK);
        CHECK_STATUS(aesfit_ccm_start(&state, &ccm_key, nonce, bytes, 0, limit, 16),
                     AESFIT_ERR_LIMIT);
        CHECK_STATUS(aesfit_ccm_encrypt_update(&state, out, data, 1), AESFIT_ERR_ORDER);
    }
    CHECK_STATUS(aesfit_ccm_start(&state, &ccm_key, nonce, 7, 0, UINT64_MAX, 16), AESFIT_OK);
    CHECK_STATUS(aesfit_ccm_encrypt(&ccm_key, nonce, 13, NULL, 0, out, data, 0x10000, tag, 16),
                 AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_ccm_decrypt(&ccm_key, nonce, 13, NULL, 0, out, data, 0x10000, tag, 16),
                 AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_ccm_crypt_unauthenticated(&ccm_key, nonce, 13, out, data, 0x10000),
                 AESFIT_ERR_LIMIT);
}

/* SP 800-38C, example 4: 524288 bits of associated data, their length in 6 bytes. */
static void check_ccm_long_ad(void)
{
    static const char cipher[] = "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72"
                                 "b4ac6bec93e8598e7f0dadbcea5b";
    static uint8_t ad[0x10000];
    uint8_t bytes[16], iv[13], text[46], want[46];
    aesfit_key key;
    aesfit_ccm_state state;
    test_context("ccm, long associated data");
    for (size_t i = 0; i < sizeof ad; i++)
        ad[i] = (uint8_t)i;
    for (size_t i = 0; i < 32; i++)
        text[i] = (uint8_t)(0x20 + i);
    memcpy(bytes, ad + 0x40, 16);
    memcpy(iv, ad + 0x10, 13);
    hex_parse(want, sizeof want, cipher);
    aesfit_expand_key(&key, aesfit_core_by_name("ttable4"), bytes, 16, AESFIT_ENCRYPT);
    CHECK_STATUS(aesfit_ccm_encrypt(&key, iv, 13, ad, sizeof ad, text, text, 32, text + 32, 14),
                 AESFIT_OK);
    CHECK_BYTES(text, want, 46);
    /* The first lengths that take 6 and 10 bytes: B0, then the MAC block with the length. */
    for (int i = 0; i < 4; i++) {
        const uint64_t lengths[] = {0xfeff, 0xff00, UINT32_MAX, UINT64_C(1) << 32};
        uint8_t block[32] = {0}, size = i == 0 ? 2 : i < 3 ? 6 : 10;
        CHECK_STATUS(aesfit_ccm_start(&state, &key, iv, 13, lengths[i], 0, 16), AESFIT_OK);
        CHECK_STATUS(aesfit_ccm_ad(&state, ad, 16u - size), AESFIT_OK);
        block[0] = 0x40 + 7 * 8 + 1;
        memcpy(block + 1, iv, 13);
        book_big_endian(block + 16, size, lengths[i]);
        if (size > 2) {
            block[16] = 0xff;
            block[17] = size == 6 ? 0xfe : 0xff;
        }
        memcpy(block + 16 + size, ad, 16u - size);
        CHECK_STATUS(aesfit_cbc_mac(&key, block, 32, tag), AESFIT_OK);
        CHECK_BYTES(state.blocks + 4, tag, 16);
    }
}

static void check_ccm_order(void)
{
    aesfit_ccm_state state;
    test_context("ccm order");
    CHECK_STATUS(aesfit_ccm_start(&state, &ccm_key, nonce, 12, 5, 20, 8), AESFIT_OK);
    CHECK_STATUS(aesfit_ccm_encrypt_update(&state, out, data, 1), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_ccm_ad(&state, data, 6), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_ccm_ad(&state, NULL, 5), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_ad(&state, data, 5), AESFIT_OK);
    CHECK_STATUS(aesfit_ccm_finish(&state, tag, 8), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_ccm_encrypt_update(&state, out, data, 21), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_ccm_encrypt_update(&state, out, data, 19), AESFIT_OK);
    CHECK_STATUS(aesfit_ccm_ad(&state, data, 0), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_ccm_decrypt_update_unverified(&state, out, data, 1), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_ccm_finish(&state, tag, 8), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_ccm_encrypt_update(&state, out, data, 1), AESFIT_OK);
    CHECK_STATUS(aesfit_ccm_verify(&state, tag, 8), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_ccm_finish(&state, NULL, 8), AESFIT_ERR_NULL);
    for (size_t bytes = 0; bytes <= 20; bytes++)
        if (bytes != 8)
            CHECK_STATUS(aesfit_ccm_finish(&state, tag, bytes), AESFIT_ERR_TAG_LENGTH);
    CHECK_STATUS(aesfit_ccm_finish(&state, tag, 8), AESFIT_OK);
    CHECK_STATUS(aesfit_ccm_finish(&state, tag, 8), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_ccm_ad(&state, data, 0), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_ccm_start(NULL, &ccm_key, nonce, 12, 0, 0, 8), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_verify(NULL, tag, 8), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ccm_start(&state, &ccm_key, nonce, 12, 0, 20, 8), AESFIT_OK);
    CHECK_STATUS(aesfit_ccm_decrypt_update_unverified(&state, out, data, 21), AESFIT_ERR_LENGTH);
    CHECK_STATUS(aesfit_ccm_decrypt_update_unverified(&state, out, data, 20), AESFIT_OK);
    CHECK_STATUS(aesfit_ccm_verify(&state, tag, 4), AESFIT_ERR_TAG_LENGTH);
    CHECK_STATUS(aesfit_ccm_verify(&state, tag, 8), AESFIT_ERR_AUTHENTICATION);
}

static void check_gcm_arguments(void)
{
    aesfit_gcm_state state;
    test_context("gcm arguments");
    CHECK_STATUS(aesfit_gcm_encrypt(NULL, nonce, 12, NULL, 0, out, data, 9, tag, 16),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_encrypt(&gcm_key, NULL, 12, NULL, 0, out, data, 9, tag, 16),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_encrypt(&gcm_key, nonce, 0, NULL, 0, out, data, 9, tag, 16),
                 AESFIT_ERR_NONCE_LENGTH);
    CHECK_STATUS(aesfit_gcm_encrypt(&gcm_key, nonce, 12, NULL, 3, out, data, 9, tag, 16),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_encrypt(&gcm_key, nonce, 12, NULL, 0, out, NULL, 9, tag, 16),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_decrypt(&gcm_key, nonce, 12, NULL, 0, out, data, 9, NULL, 16),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gmac(&gcm_key, nonce, 12, NULL, 0, tag, 5), AESFIT_ERR_TAG_LENGTH);
    CHECK_STATUS(aesfit_gmac(&gcm_key, nonce, 12, data, 40, tag, 16), AESFIT_OK);
    CHECK_STATUS(aesfit_gmac_verify(&gcm_key, nonce, 12, data, 40, tag, 16), AESFIT_OK);
    CHECK_STATUS(aesfit_gmac_verify(&gcm_key, nonce, 12, data, 41, tag, 16),
                 AESFIT_ERR_AUTHENTICATION);
    CHECK_STATUS(aesfit_gcm_start(&state, &gcm_key, nonce, 0), AESFIT_ERR_NONCE_LENGTH);
    CHECK_STATUS(aesfit_gcm_ad(&state, data, 1), AESFIT_ERR_ORDER);
#if SIZE_MAX > 0xffffffff /* refused before anything is read */
    size_t most = ((size_t)1 << 36) - 32;
    CHECK_STATUS(aesfit_gcm_encrypt(&gcm_key, nonce, 12, NULL, 0, out, data, most + 1, tag, 16),
                 AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_gmac(&gcm_key, nonce, 12, data, (size_t)1 << 61, tag, 16),
                 AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_gcm_start(&state, &gcm_key, nonce, (size_t)1 << 61),
                 AESFIT_ERR_NONCE_LENGTH);
    CHECK_STATUS(aesfit_gcm_start(&state, &gcm_key, nonce, 12), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_ad(&state, data, (size_t)1 << 61), AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_gcm_encrypt_update(&state, out, data, most + 1), AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_gcm_decrypt_update_unverified(&state, out, data, most + 1),
                 AESFIT_ERR_LIMIT);
#endif
}

/* As if 2^36 - 48 bytes had been processed: 16 more are allowed. */
static void check_gcm_limit(void)
{
    aesfit_gcm_state state;
    test_context("gcm limit");
    CHECK_STATUS(aesfit_gcm_start(&state, &gcm_key, nonce, 12), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_encrypt_update(&state, out, data, 16), AESFIT_OK);
    state.data_bytes = (UINT64_C(1) << 36) - 48;
    CHECK_STATUS(aesfit_gcm_encrypt_update(&state, out, data, 17), AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_gcm_encrypt_update(&state, out, data, 16), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_encrypt_update(&state, out, data, 1), AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_gcm_start(&state, &gcm_key, nonce, 12), AESFIT_OK);
    state.ad_bytes = (UINT64_C(1) << 61) - 2;
    CHECK_STATUS(aesfit_gcm_ad(&state, data, 2), AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_gcm_ad(&state, data, 1), AESFIT_OK);
}

static void check_gcm_order(void)
{
    aesfit_gcm_state state;
    test_context("gcm order");
    CHECK_STATUS(aesfit_gcm_start(&state, &gcm_key, nonce, 12), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_ad(&state, data, 5), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_decrypt_update_unverified(&state, out, data, 5), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_ad(&state, data, 5), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_gcm_encrypt_update(&state, out, data, 5), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_gcm_finish(&state, tag, 16), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_gcm_verify(&state, tag, 11), AESFIT_ERR_TAG_LENGTH);
    CHECK_STATUS(aesfit_gcm_verify(&state, NULL, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_verify(&state, tag, 16), AESFIT_ERR_AUTHENTICATION);
    CHECK_STATUS(aesfit_gcm_verify(&state, tag, 16), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_gcm_ad(&state, data, 5), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_gcm_finish(NULL, tag, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_start(NULL, &gcm_key, nonce, 12), AESFIT_ERR_NULL);
}

static void check_gcm_key(void)
{
    aesfit_gcm_key key;
    const aesfit_core *core = aesfit_core_by_name("bytewise");
    const aesfit_ghash *ghash = aesfit_ghash_by_name("shift32");
    test_context("gcm key");
    CHECK_STATUS(aesfit_gcm_expand_key(&key, core, ghash, data, 15), AESFIT_ERR_KEY_LENGTH);
    CHECK_STATUS(aesfit_gcm_encrypt(&key, nonce, 12, NULL, 0, out, data, 9, tag, 16),
                 AESFIT_ERR_DIRECTION);
    CHECK_STATUS(aesfit_gcm_expand_key(&key, core, ghash, NULL, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_expand_key(NULL, core, ghash, data, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_expand_key(&key, NULL, NULL, data, 16), AESFIT_OK);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    memset(tag, 0x5a, sizeof tag);
    CHECK_STATUS(
        aesfit_expand_key(&ccm_key, aesfit_core_by_name("bytewise"), data, 16, AESFIT_ENCRYPT),
        AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_expand_key(&gcm_key, aesfit_core_by_name("bytewise"),
                                       aesfit_ghash_by_name("shift32"), data, 16),
                 AESFIT_OK);
    check_ccm_arguments();
    check_ccm_limits();
    check_ccm_long_ad();
    check_ccm_order();
    check_gcm_arguments();
    check_gcm_limit();
    check_gcm_order();
    check_gcm_key();
    return test_end();
}
