/* SPDX-License-Identifier: MIT */
/* Part of constant_time.c: GCM and GCM-SIV, with each GHASH multiplier. */
#ifndef AESFIT_TEST_CONSTANT_TIME_GCM_H
#define AESFIT_TEST_CONSTANT_TIME_GCM_H

static void run_gcm(const aesfit_core *core, const aesfit_ghash *ghash, size_t bytes)
{
    aesfit_gcm_key key;
    uint8_t key_bytes[32], nonce[20], ad[40], tag[16];
    size_t nonce_bytes = bytes % 2 != 0 ? 12 : 20, ad_bytes = bytes % sizeof ad;
    fill_secret(key_bytes, sizeof key_bytes);
    random_fill(nonce, sizeof nonce);
    fill_secret(ad, sizeof ad);
    CHECK_STATUS(aesfit_gcm_expand_key(&key, core, ghash, key_bytes, 32), AESFIT_OK);
    if (bytes == MAX_BYTES) /* the usual nonce with a long message too */
        nonce_bytes = 12;
    CHECK_STATUS(
        aesfit_gcm_encrypt(&key, nonce, nonce_bytes, ad, ad_bytes, sealed, text, bytes, tag, 16),
        AESFIT_OK);
    expect(
        aesfit_gcm_decrypt(&key, nonce, nonce_bytes, ad, ad_bytes, opened, sealed, bytes, tag, 16),
        AESFIT_OK, bytes);
    tag[bytes % 16] ^= 1;
    expect(
        aesfit_gcm_decrypt(&key, nonce, nonce_bytes, ad, ad_bytes, opened, sealed, bytes, tag, 16),
        AESFIT_ERR_AUTHENTICATION, bytes);
}

static void run_gcm_siv(const aesfit_core *core, const aesfit_ghash *ghash, size_t bytes)
{
    aesfit_gcm_siv_key key;
    uint8_t key_bytes[32], nonce[12], ad[40], tag[16];
    const size_t ad_bytes = bytes % sizeof ad;
    fill_secret(key_bytes, sizeof key_bytes);
    random_fill(nonce, sizeof nonce);
    fill_secret(ad, sizeof ad);
    CHECK_STATUS(aesfit_gcm_siv_expand_key(&key, core, ghash, key_bytes, 32), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_siv_encrypt(&key, nonce, ad, ad_bytes, sealed, text, bytes, tag),
                 AESFIT_OK);
    expect(aesfit_gcm_siv_decrypt(&key, nonce, ad, ad_bytes, opened, sealed, bytes, tag), AESFIT_OK,
           bytes);
    tag[bytes % 16] ^= 1;
    expect(aesfit_gcm_siv_decrypt(&key, nonce, ad, ad_bytes, opened, sealed, bytes, tag),
           AESFIT_ERR_AUTHENTICATION, bytes);
}

#endif
