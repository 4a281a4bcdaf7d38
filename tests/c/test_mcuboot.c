/* SPDX-License-Identifier: MIT */
/* MCUboot's interface over a shim of its headers: what it writes is what the library writes, from
 * any byte of a block on; a wrapped key that was changed is refused, and nothing of it is left. */
#include "bootutil/crypto/aes_ctr.h"
#include "bootutil/crypto/aes_kw.h"
#include "test.h"

enum { LONGEST = 67 };

static void check_offset(size_t offset, size_t bytes)
{
    uint8_t key[BOOT_ENC_KEY_SIZE], counter[16], next[16], whole[16 + LONGEST] = {0};
    uint8_t text[LONGEST], expected[LONGEST], got[LONGEST];
    aesfit_key expanded;
    aesfit_ctr state;
    bootutil_aes_ctr_context ctx;
    test_context("%lu bytes from byte %lu", (unsigned long)bytes, (unsigned long)offset);
    random_fill(key, sizeof key);
    random_fill(counter, sizeof counter);
    random_fill(text, sizeof text);
    memcpy(next, counter, sizeof next);
    CHECK_STATUS(aesfit_expand_key(&expanded, NULL, key, sizeof key, AESFIT_ENCRYPT), AESFIT_OK);
    CHECK_STATUS(aesfit_ctr_start(&state, counter, 128), AESFIT_OK);
    CHECK_STATUS(aesfit_ctr_crypt(&expanded, &state, whole, whole, offset + bytes), AESFIT_OK);
    for (size_t i = 0; i < bytes; i++)
        expected[i] = (uint8_t)(text[i] ^ whole[offset + i]);
    bootutil_aes_ctr_init(&ctx);
    CHECK(bootutil_aes_ctr_encrypt(&ctx, next, text, (uint32_t)bytes, offset, got) == -1);
    CHECK_BYTES(next, counter, sizeof next); /* no key was set */
    CHECK(bootutil_aes_ctr_set_key(&ctx, key) == 0);
    CHECK(bootutil_aes_ctr_encrypt(&ctx, next, text, (uint32_t)bytes, offset, got) == 0);
    CHECK_BYTES(got, expected, bytes);
    CHECK_BYTES(next, state.counter, sizeof next);
    CHECK(bootutil_aes_ctr_decrypt(&ctx, counter, got, (uint32_t)bytes, offset, got) == 0);
    CHECK_BYTES(got, text, bytes); /* in place */
    CHECK(bootutil_aes_ctr_decrypt(&ctx, counter, got, 1, 16, got) == -1);
    bootutil_aes_ctr_drop(&ctx);
    CHECK(bootutil_aes_ctr_encrypt(&ctx, next, text, (uint32_t)bytes, offset, got) == -1);
}

/* RFC 3394, 4.1 and 4.6: the key that wraps, and what it wraps. */
static void check_unwrapping(const char *kek, const char *data, const char *wrapped)
{
    static const uint8_t zeros[32];
    uint8_t key[32], expected[32], in[40], got[32];
    const uint32_t key_bytes = (uint32_t)hex_parse(key, sizeof key, kek);
    const uint32_t bytes = (uint32_t)hex_parse(expected, sizeof expected, data);
    const uint32_t in_bytes = (uint32_t)hex_parse(in, sizeof in, wrapped);
    bootutil_aes_kw_context ctx;
    test_context("a key of %lu bytes, wrapped with %lu", (unsigned long)bytes,
                 (unsigned long)key_bytes);
    bootutil_aes_kw_init(&ctx);
    CHECK(bootutil_aes_kw_set_unwrap_key(&ctx, key, 17) == -1);
    CHECK(bootutil_aes_kw_unwrap(&ctx, in, in_bytes, got, bytes) == -1);
    CHECK(bootutil_aes_kw_set_unwrap_key(&ctx, key, key_bytes) == 0);
    CHECK(bootutil_aes_kw_unwrap(&ctx, in, in_bytes, got, bytes) == 0);
    CHECK_BYTES(got, expected, bytes);
    CHECK(bootutil_aes_kw_unwrap(&ctx, in, in_bytes - 8, got, bytes) == -1);
    CHECK_BYTES(got, zeros, bytes);
    CHECK(bootutil_aes_kw_unwrap(&ctx, in, in_bytes, got, bytes - 8) == -1);
    for (uint32_t i = 0; i < in_bytes; i++) {
        memset(got, 0xa5, sizeof got);
        in[i] ^= 0x10;
        CHECK(bootutil_aes_kw_unwrap(&ctx, in, in_bytes, got, bytes) == -1);
        CHECK_BYTES(got, zeros, bytes);
        in[i] ^= 0x10;
    }
    bootutil_aes_kw_drop(&ctx);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    for (size_t offset = 0; offset < 16; offset++)
        for (size_t bytes = 1; bytes <= LONGEST; bytes++)
            check_offset(offset, bytes);
    check_unwrapping("000102030405060708090A0B0C0D0E0F", "00112233445566778899AABBCCDDEEFF",
                     "1FA68B0A8112B447AEF34BD8FB5A7B829D3E862371D2CFE5");
    check_unwrapping(
        "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
        "00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F",
        "28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21");
    return test_end();
}
