/* SPDX-License-Identifier: MIT */
/* The driver of aes32_axil on a model of its registers, beside AES in software (a drop-in). */
#include "aes32_axil_mock.h"
#include "aes32_axil_registers.h"
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 40, BYTES = 16 * BLOCKS, LONGEST = BYTES + 8 };

static int failures;

#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            printf("FAIL line %d: %s\n", __LINE__, #what);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static mock core;
static aes32_axil device;
static fitaes_key key;
static uint8_t raw_key[32], text[LONGEST], got[LONGEST], want[LONGEST];
static uint32_t seed = 1;

static uint8_t draw(void)
{
    seed = 1664525u * seed + 1013904223u;
    return (uint8_t)(seed >> 24);
}

/* A core after power-on, with a random key in it and in software. */
static void prepare(size_t key_bytes)
{
    mock_reset(&core);
    core.random = seed;
    for (size_t i = 0; i < sizeof raw_key; i++)
        raw_key[i] = draw();
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = draw();
    memset(got, 0, sizeof got);
    CHECK(aes32_axil_open(&device, &core) == AES32_AXIL_OK);
    CHECK(aes32_axil_load_key(&device, raw_key, key_bytes) == AES32_AXIL_OK);
    CHECK(fitaes_expand_key(&key, NULL, raw_key, key_bytes, FITAES_BOTH) == FITAES_OK);
}

static void check_blocks(size_t blocks, size_t shift)
{
    uint8_t *out = got + shift;
    const uint8_t *in = text + shift / 2;
    fitaes_ecb_encrypt(&key, want, in, 16 * blocks);
    CHECK(aes32_axil_encrypt(&device, out, in, blocks) == AES32_AXIL_OK);
    CHECK(memcmp(out, want, 16 * blocks) == 0);
    CHECK(aes32_axil_decrypt(&device, out, out, blocks) == AES32_AXIL_OK);
    CHECK(memcmp(out, in, 16 * blocks) == 0);
}

static void check_cbc(size_t blocks, size_t shift)
{
    uint8_t iv[16], other[16], *out = got + shift;
    const uint8_t *in = text + shift / 2;
    memcpy(iv, text + 3, 16);
    memcpy(other, iv, 16);
    fitaes_cbc_encrypt(&key, other, want, in, 16 * blocks);
    CHECK(aes32_axil_cbc_encrypt(&device, iv, out, in, blocks) == AES32_AXIL_OK);
    CHECK(memcmp(out, want, 16 * blocks) == 0 && memcmp(iv, other, 16) == 0);
    memcpy(iv, text + 3, 16);
    CHECK(aes32_axil_cbc_decrypt(&device, iv, out, out, blocks) == AES32_AXIL_OK);
    CHECK(memcmp(out, in, 16 * blocks) == 0);
    CHECK(blocks == 0 || memcmp(iv, want + 16 * (blocks - 1), 16) == 0);
}

/* In two parts, from a counter whose last `ones` bytes are ff. */
static void check_ctr(size_t bytes, size_t shift, size_t ones)
{
    uint8_t counter[16], *out = got + shift;
    const uint8_t *in = text + shift / 2;
    fitaes_ctr ctr;
    size_t first = bytes / 32 * 16;
    memcpy(counter, text + 5, 16);
    memset(counter + 16 - ones, 0xff, ones);
    CHECK(fitaes_ctr_start(&ctr, counter, 128) == FITAES_OK);
    CHECK(fitaes_ctr_crypt(&key, &ctr, want, in, bytes) == FITAES_OK);
    memcpy(out, in, bytes); /* in place */
    CHECK(aes32_axil_ctr(&device, counter, out, out, first) == AES32_AXIL_OK);
    CHECK(aes32_axil_ctr(&device, counter, out + first, out + first, bytes - first) ==
          AES32_AXIL_OK);
    CHECK(memcmp(out, want, bytes) == 0);
    CHECK(memcmp(counter, ctr.counter, 16) == 0);
}

static void check_ccm(size_t nonce_bytes, size_t ad_bytes, size_t bytes, size_t tag_bytes)
{
    uint8_t tag[16], other[16];
    const uint8_t *nonce = text + 1, *ad = text + 7, *in = text;
    CHECK(fitaes_ccm_encrypt(&key, nonce, nonce_bytes, ad, ad_bytes, want, in, bytes, other,
                             tag_bytes) == FITAES_OK);
    CHECK(aes32_axil_ccm_encrypt(&device, nonce, nonce_bytes, ad, ad_bytes, got, in, bytes, tag,
                                 tag_bytes) == AES32_AXIL_OK);
    CHECK(memcmp(got, want, bytes) == 0 && memcmp(tag, other, tag_bytes) == 0);
    CHECK(aes32_axil_ccm_decrypt(&device, nonce, nonce_bytes, ad, ad_bytes, got, got, bytes, tag,
                                 tag_bytes) == AES32_AXIL_OK);
    CHECK(memcmp(got, in, bytes) == 0);
    tag[bytes % tag_bytes] ^= 0x10;
    CHECK(aes32_axil_ccm_decrypt(&device, nonce, nonce_bytes, ad, ad_bytes, got, want, bytes, tag,
                                 tag_bytes) == AES32_AXIL_ERR_AUTHENTICATION);
    for (size_t i = 0; i < bytes; i++)
        CHECK(got[i] == 0);
}

static void check_modes(size_t key_bytes)
{
    prepare(key_bytes);
    for (size_t blocks = 0; blocks <= 9; blocks++) {
        check_blocks(blocks, blocks % 5);
        check_cbc(blocks, blocks % 4);
    }
    check_blocks(BLOCKS, 0);
    for (size_t bytes = 0; bytes <= 70; bytes++)
        check_ctr(bytes, bytes % 5, bytes % 17);
    check_ctr(BYTES - 7, 0, 1);
    for (size_t n = 0; n <= 50; n++)
        check_ccm(7 + n % 7, (7 * n) % 45, n, 4 + 2 * (n % 7));
    check_ccm(13, 30, BYTES - 15, 8);
    CHECK(core.most_ahead >= 4); /* two in the core, and others before and behind it */
    CHECK(core.strays == 0 && core.erasures == 1);
}

static int is_zero(const void *some, size_t bytes)
{
    const uint8_t *at = some;
    while (bytes > 0 && at[bytes - 1] == 0)
        bytes--;
    return bytes == 0;
}

static void check_erasing(void)
{
    prepare(32);
    CHECK(aes32_axil_encrypt(&device, got, text, 3) == AES32_AXIL_OK);
    CHECK(aes32_axil_erase(&device) == AES32_AXIL_OK);
    CHECK(core.erasing == 0 && is_zero(core.key, sizeof core.key));
    CHECK(aes32_axil_encrypt(&device, got, text, 3) == AES32_AXIL_ERR_NO_KEY);
    core.never_erased = 1;
    CHECK(aes32_axil_erase(&device) == AES32_AXIL_ERR_TIMEOUT);
    CHECK(aes32_axil_load_key(&device, raw_key, 16) == AES32_AXIL_ERR_TIMEOUT);
    CHECK(aes32_axil_open(&device, &core) == AES32_AXIL_ERR_TIMEOUT);
}

static void check_devices(void)
{
    mock_reset(&core);
    core.version += AES32_AXIL_VERSION_MINOR & ~(AES32_AXIL_VERSION_MINOR - 1);
    CHECK(aes32_axil_open(&device, &core) == AES32_AXIL_OK);
    core.version += AES32_AXIL_VERSION_MAJOR & ~(AES32_AXIL_VERSION_MAJOR - 1);
    CHECK(aes32_axil_open(&device, &core) == AES32_AXIL_ERR_DEVICE);
    CHECK(aes32_axil_load_key(&device, raw_key, 16) == AES32_AXIL_ERR_ARGUMENT);
    mock_reset(&core);
    core.id ^= 1;
    CHECK(aes32_axil_open(&device, &core) == AES32_AXIL_ERR_DEVICE);
    CHECK(aes32_axil_open(NULL, &core) == AES32_AXIL_ERR_ARGUMENT);
    CHECK(aes32_axil_open(&device, NULL) == AES32_AXIL_ERR_ARGUMENT);
    CHECK(aes32_axil_open(&device, (uint8_t *)&core + 2) == AES32_AXIL_ERR_ARGUMENT);
}

/* Every access of a message is refused once, and every wait is in vain: the core is erased. */
static void check_failures(void)
{
    uint8_t iv[16] = {0}, tag[8];
    for (long at = 0; at < 4 * 8; at++) {
        prepare(16);
        core.refuse_access = core.accesses + at;
        CHECK(aes32_axil_encrypt(&device, got, text, 4) < AES32_AXIL_ERR_BUSY);
        CHECK(core.erasures == 2 && !core.keyed && core.data.count + core.results.count == 0);
    }
    for (int way = 0; way < 4; way++) {
        prepare(24);
        core.stuck = 1;
        int status = way == 0   ? aes32_axil_decrypt(&device, got, text, 5)
                     : way == 1 ? aes32_axil_cbc_encrypt(&device, iv, got, text, 2)
                     : way == 2 ? aes32_axil_ctr(&device, iv, got, text, 50)
                                : aes32_axil_ccm_encrypt(&device, text, 13, NULL, 0, got, text, 20,
                                                         tag, sizeof tag);
        CHECK(status == AES32_AXIL_ERR_TIMEOUT);
        CHECK(core.erasures == 2 && !core.keyed && is_zero(iv, 16));
    }
    prepare(16);
    core.refuse_access = core.accesses + 2; /* a word of the key */
    CHECK(aes32_axil_load_key(&device, raw_key, 16) == AES32_AXIL_ERR_REFUSED);
    for (int words = 1; words <= 9; words++) { /* of somebody else */
        prepare(16);
        for (int i = 0; i < words; i++)
            mock_put(&core, AES32_AXIL_DATA, 0);
        CHECK(aes32_axil_encrypt(&device, got, text, 1) == AES32_AXIL_ERR_BUSY);
        CHECK(aes32_axil_load_key(&device, raw_key, 16) == AES32_AXIL_OK);
        CHECK(aes32_axil_encrypt(&device, got, text, 1) == AES32_AXIL_OK);
    }
}

static void check_arguments(void)
{
    const int wrong = AES32_AXIL_ERR_ARGUMENT;
    const aes32_axil closed = {NULL};
    uint8_t iv[16] = {0}, tag[16];
    prepare(16);
    for (size_t bytes = 0; bytes <= 33; bytes++)
        if (bytes != 16 && bytes != 24 && bytes != 32)
            CHECK(aes32_axil_load_key(&device, raw_key, bytes) == wrong);
    CHECK(aes32_axil_load_key(&device, NULL, 16) == wrong);
    CHECK(aes32_axil_load_key(&closed, raw_key, 16) == wrong);
    CHECK(aes32_axil_erase(NULL) == wrong && aes32_axil_erase(&closed) == wrong);
    CHECK(aes32_axil_encrypt(&closed, got, text, 1) == wrong);
    CHECK(aes32_axil_encrypt(NULL, got, text, 1) == wrong);
    CHECK(aes32_axil_encrypt(&device, NULL, text, 1) == wrong);
    CHECK(aes32_axil_decrypt(&device, got, NULL, 1) == wrong);
    CHECK(aes32_axil_encrypt(&device, got, text, SIZE_MAX / 16 + 1) == wrong);
    CHECK(aes32_axil_encrypt(&device, NULL, NULL, 0) == AES32_AXIL_OK);
    CHECK(aes32_axil_cbc_encrypt(&device, NULL, got, text, 1) == wrong);
    CHECK(aes32_axil_cbc_encrypt(&device, iv, got, text, SIZE_MAX / 16 + 1) == wrong);
    CHECK(aes32_axil_cbc_decrypt(&device, NULL, got, text, 1) == wrong);
    CHECK(aes32_axil_cbc_decrypt(&device, iv, got, NULL, 1) == wrong);
    CHECK(aes32_axil_ctr(&device, NULL, got, text, 1) == wrong);
    CHECK(aes32_axil_ctr(&device, iv, NULL, text, 1) == wrong);
    for (size_t nonce = 0; nonce <= 16; nonce++)
        for (size_t bytes = 0; bytes <= 17; bytes++) {
            int good = nonce >= 7 && nonce <= 13 && bytes >= 4 && bytes <= 16 && bytes % 2 == 0;
            CHECK(aes32_axil_ccm_encrypt(&device, text, nonce, NULL, 0, got, text, 5, tag, bytes) ==
                  (good ? AES32_AXIL_OK : wrong));
        }
    CHECK(aes32_axil_ccm_encrypt(&device, text, 13, NULL, 0, got, text, 65536, tag, 8) == wrong);
    CHECK(aes32_axil_ccm_encrypt(&device, text, 13, text, 0xff00, got, text, 5, tag, 8) == wrong);
    CHECK(aes32_axil_ccm_decrypt(&device, text, 13, NULL, 1, got, text, 5, tag, 8) == wrong);
    CHECK(core.strays == 0 && core.erasures == 1 && core.keyed);
}

int main(void)
{
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8)
        check_modes(key_bytes);
    check_erasing();
    check_devices();
    check_failures();
    check_arguments();
    puts(failures == 0 ? "PASS" : "FAIL");
    return failures != 0;
}
