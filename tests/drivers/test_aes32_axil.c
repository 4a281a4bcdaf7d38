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

/* --- what stands in `out` after a failure */

enum { ENCRYPT, DECRYPT, CBC_ENCRYPT, CBC_DECRYPT, CTR, CCM_ENCRYPT, CCM_DECRYPT, CALLS };

static uint8_t before[LONGEST]; /* what `got` was */
static uint8_t iv[16], tag[8];  /* iv: a counter too */

static size_t bytes_of(int call)
{
    return call < CTR ? 64 : 59;
}

static int run(int call, const aes32_axil *core_or_none, uint8_t *out, const uint8_t *in)
{
    size_t bytes = bytes_of(call), blocks = bytes / 16;
    switch (call) {
    case ENCRYPT:
        return aes32_axil_encrypt(core_or_none, out, in, blocks);
    case DECRYPT:
        return aes32_axil_decrypt(core_or_none, out, in, blocks);
    case CBC_ENCRYPT:
        return aes32_axil_cbc_encrypt(core_or_none, iv, out, in, blocks);
    case CBC_DECRYPT:
        return aes32_axil_cbc_decrypt(core_or_none, iv, out, in, blocks);
    case CTR:
        return aes32_axil_ctr(core_or_none, iv, out, in, bytes);
    case CCM_ENCRYPT:
        return aes32_axil_ccm_encrypt(core_or_none, raw_key, 13, raw_key, 20, out, in, bytes, tag,
                                      sizeof tag);
    default:
        return aes32_axil_ccm_decrypt(core_or_none, raw_key, 13, raw_key, 20, out, in, bytes, tag,
                                      sizeof tag);
    }
}

/* A core with a key; `from` is `text`, or `got` in place. */
static void prepare_failure(const uint8_t *from)
{
    prepare(16);
    memset(before, 0xa5, sizeof before);
    if (from == got)
        memcpy(before, text, sizeof before);
    memcpy(got, before, sizeof got);
    memset(iv, 0x5a, sizeof iv);
    memset(tag, 0x5a, sizeof tag);
}

/* Zeros as text or, if nothing began, what was there; all else is as it was. */
static void check_failed(int call, int status, int began)
{
    size_t bytes = bytes_of(call);
    CHECK(began == (status == AES32_AXIL_ERR_REFUSED || status == AES32_AXIL_ERR_TIMEOUT));
    CHECK(began ? is_zero(got, bytes) : memcmp(got, before, bytes) == 0);
    CHECK(memcmp(got + bytes, before + bytes, sizeof got - bytes) == 0);
    for (size_t i = 0; i < sizeof iv; i++)
        CHECK(iv[i] == 0x5a && tag[i % sizeof tag] == 0x5a);
    if (began)
        CHECK(core.erasures == 2 && !core.keyed && core.data.count + core.results.count == 0);
}

/* Every access is refused once, and the core stands still. */
static void check_refusals(int call, const uint8_t *from)
{
    prepare_failure(from);
    long first = core.accesses;
    run(call, &device, got, from);
    long count = core.accesses - first;
    CHECK(count >= 2 * 16);
    for (long at = 0; at < count; at++) {
        prepare_failure(from);
        core.refuse_access = core.accesses + at;
        check_failed(call, run(call, &device, got, from), 1);
    }
    prepare_failure(from);
    core.stuck = 1;
    check_failed(call, run(call, &device, got, from), 1);
}

/* Work cannot begin: no device, no key, blocks of somebody else in a core that works or is stuck.
 */
static void check_not_begun(int call, const uint8_t *from)
{
    const aes32_axil closed = {NULL};
    prepare_failure(from);
    check_failed(call, run(call, NULL, got, from), 0);
    check_failed(call, run(call, &closed, got, from), 0);
    CHECK(aes32_axil_erase(&device) == AES32_AXIL_OK);
    check_failed(call, run(call, &device, got, from), 0);
    for (int stuck = 0; stuck < 2; stuck++) {
        prepare_failure(from);
        for (int i = 0; i < 4; i++)
            mock_put(&core, AES32_AXIL_DATA, 0);
        core.stuck = stuck;
        int status = run(call, &device, got, from);
        CHECK(status == AES32_AXIL_ERR_BUSY && core.erasures == 1);
        check_failed(call, status, 0);
    }
}

static void check_failures(void)
{
    for (int call = 0; call < CALLS; call++) {
        check_refusals(call, text);
        check_refusals(call, got);
        check_not_begun(call, text);
        check_not_begun(call, got);
    }
    prepare(16);
    mock_put(&core, AES32_AXIL_KEY, 0); /* while the first is expanded */
    CHECK(core.refused);
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
    uint8_t whole[16];
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
            CHECK(aes32_axil_ccm_encrypt(&device, text, nonce, NULL, 0, got, text, 5, whole,
                                         bytes) == (good ? AES32_AXIL_OK : wrong));
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
