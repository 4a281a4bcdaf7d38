/* SPDX-License-Identifier: MIT */
/* Nonces: none comes twice, at the end of a counter, after a reset or by a copy of what was saved;
 * and messages sealed in one piece are what encryption and its tag are. */
#include "test.h"

static const uint8_t fixed[16] = {0xde, 0xad, 0xbe, 0xef};
static uint8_t saved[AESFIT_NONCES_SAVED_BYTES];

/* A counter of one byte: 256 nonces, all different, and no more. */
static void test_counter(void)
{
    aesfit_nonces nonces;
    uint8_t nonce[16], seen[256] = {0};
    test_context("counter");
    CHECK_STATUS(aesfit_nonces_start(&nonces, 12, fixed, 11), AESFIT_OK);
    for (unsigned i = 0; i < 256; i++) {
        CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, NULL), AESFIT_OK);
        CHECK_BYTES(nonce, fixed, 11);
        CHECK(nonce[11] == i && seen[nonce[11]]++ == 0);
    }
    CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, NULL), AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, NULL), AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_nonces_save(&nonces, 1, saved), AESFIT_ERR_LIMIT);
}

static uint64_t counter_of(const uint8_t *nonce, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | nonce[i];
    return value;
}

/* Carries through every byte, from what was saved on. */
static void test_carries(void)
{
    aesfit_nonces nonces;
    uint8_t nonce[16];
    for (size_t bytes = 2; bytes <= 8; bytes++) {
        const uint64_t ahead = (UINT64_C(1) << (8 * (bytes - 1))) - 1;
        test_context("counter of %u bytes", (unsigned)bytes);
        CHECK_STATUS(aesfit_nonces_start(&nonces, 12, fixed, 12 - bytes), AESFIT_OK);
        CHECK_STATUS(aesfit_nonces_save(&nonces, ahead, saved), AESFIT_OK);
        CHECK_STATUS(aesfit_nonces_restore(&nonces, saved), AESFIT_OK);
        CHECK_STATUS(aesfit_nonces_save(&nonces, 2, saved), AESFIT_OK);
        for (uint64_t i = 0; i < 2; i++) {
            CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, NULL), AESFIT_OK);
            CHECK_BYTES(nonce, fixed, 12 - bytes);
            CHECK(counter_of(nonce + 12 - bytes, bytes) == ahead + i);
        }
        CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, NULL), AESFIT_ERR_ORDER);
    }
}

/* Resets at random moments: what is saved is ahead of all that was handed out. */
static void test_resets(void)
{
    aesfit_nonces nonces;
    uint8_t nonce[16], seen[1 << 16] = {0};
    int status = AESFIT_OK;
    test_context("resets");
    CHECK_STATUS(aesfit_nonces_start(&nonces, 13, fixed, 11), AESFIT_OK);
    for (size_t turn = 0; turn < sizeof seen && status == AESFIT_OK; turn++) {
        status = aesfit_nonces_save(&nonces, 1 + random_below(40), saved);
        for (size_t left = random_below(50); status == AESFIT_OK && left > 0; left--) {
            const int next = aesfit_nonces_next(&nonces, nonce, NULL);
            if (next == (nonces.left == 0 ? AESFIT_ERR_LIMIT : AESFIT_ERR_ORDER))
                break;
            CHECK_STATUS(next, AESFIT_OK);
            CHECK(seen[counter_of(nonce + 11, 2)]++ == 0);
        }
        if (status == AESFIT_OK) {
            CHECK_STATUS(aesfit_nonces_restore(&nonces, saved), AESFIT_OK);
            CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, NULL),
                         nonces.left == 0 ? AESFIT_ERR_LIMIT : AESFIT_ERR_ORDER);
        }
    }
    CHECK_STATUS(status, AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_nonces_restore(&nonces, saved), AESFIT_OK);
    CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, NULL), AESFIT_ERR_LIMIT);
}

static void test_random_nonces(void)
{
    aesfit_nonces nonces;
    uint8_t nonce[16], random[16];
    test_context("random");
    CHECK_STATUS(aesfit_nonces_start_random(&nonces, 12), AESFIT_OK);
    CHECK(nonces.left == UINT64_C(1) << 32);
    random_fill(random, sizeof random);
    CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, NULL), AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, random), AESFIT_OK);
    CHECK_BYTES(nonce, random, 12);
    CHECK_STATUS(aesfit_nonces_save(&nonces, (UINT64_C(1) << 32) - 3, saved), AESFIT_OK);
    CHECK_STATUS(aesfit_nonces_restore(&nonces, saved), AESFIT_OK);
    CHECK_STATUS(aesfit_nonces_save(&nonces, 100, saved), AESFIT_OK);
    CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, random), AESFIT_OK);
    CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, random), AESFIT_OK);
    CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, random), AESFIT_ERR_LIMIT);
}

/* Erased, half-written or changed memory is no saved source. */
static void test_spoilt(void)
{
    aesfit_nonces nonces;
    uint8_t nonce[16];
    test_context("spoilt");
    for (unsigned value = 0; value < 256; value += 255) {
        memset(saved, (int)value, sizeof saved);
        CHECK_STATUS(aesfit_nonces_restore(&nonces, saved), AESFIT_ERR_ARGUMENT);
        CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, NULL), AESFIT_ERR_ORDER);
    }
    CHECK_STATUS(aesfit_nonces_start(&nonces, 12, fixed, 8), AESFIT_OK);
    CHECK_STATUS(aesfit_nonces_save(&nonces, 1000, saved), AESFIT_OK);
    for (size_t at = 0; at < sizeof saved; at++) {
        if (at >= 4 && at < 12)
            continue; /* the fixed field */
        if (at >= 16 && at < 20)
            continue; /* not used by nonces of 12 bytes */
        uint8_t spoilt[sizeof saved];
        memcpy(spoilt, saved, sizeof saved);
        spoilt[at] ^= (uint8_t)(1u << random_below(8));
        test_context("spoilt, byte %u", (unsigned)at);
        CHECK_STATUS(aesfit_nonces_restore(&nonces, spoilt), AESFIT_ERR_ARGUMENT);
    }
    CHECK_STATUS(aesfit_nonces_restore(&nonces, saved), AESFIT_OK);
}

static void test_arguments(void)
{
    aesfit_nonces nonces;
    uint8_t nonce[16];
    test_context("arguments");
    CHECK_STATUS(aesfit_nonces_start(NULL, 12, fixed, 8), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_nonces_start(&nonces, 12, NULL, 8), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_nonces_start(&nonces, 6, fixed, 2), AESFIT_ERR_NONCE_LENGTH);
    CHECK_STATUS(aesfit_nonces_start(&nonces, 17, fixed, 9), AESFIT_ERR_NONCE_LENGTH);
    CHECK_STATUS(aesfit_nonces_start(&nonces, 12, fixed, 12), AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_nonces_start(&nonces, 12, fixed, 3), AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, NULL), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_nonces_save(&nonces, 1, saved), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_nonces_start_random(NULL, 12), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_nonces_start_random(&nonces, 11), AESFIT_ERR_NONCE_LENGTH);
    CHECK_STATUS(aesfit_nonces_start(&nonces, 8, NULL, 0), AESFIT_OK);
    CHECK_STATUS(aesfit_nonces_next(NULL, nonce, NULL), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_nonces_next(&nonces, NULL, NULL), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_nonces_next(&nonces, nonce, fixed), AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_nonces_save(NULL, 1, saved), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_nonces_save(&nonces, 1, NULL), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_nonces_save(&nonces, 0, saved), AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_nonces_restore(NULL, saved), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_nonces_restore(&nonces, NULL), AESFIT_ERR_NULL);
}

enum { LONGEST = 70 };

/* Sealed in place, taken back in place, and refused where a bit is wrong or the tag is cut. */
#define CHECK_SEALED(name, seal, open, encrypt)                                                    \
    for (size_t bytes = 0; bytes <= LONGEST; bytes++) {                                            \
        uint8_t made[LONGEST + 16], apart[LONGEST + 16];                                           \
        test_context("%s, %u bytes", name, (unsigned)bytes);                                       \
        memcpy(made, plain, bytes);                                                                \
        CHECK_STATUS(seal(made, made, bytes), AESFIT_OK);                                          \
        CHECK_STATUS(encrypt(apart, plain, bytes, apart + bytes), AESFIT_OK);                      \
        CHECK_BYTES(made, apart, bytes + AESFIT_SEAL_BYTES);                                       \
        made[bytes + 3] ^= 1;                                                                      \
        CHECK_STATUS(open(apart, made, bytes + 16), AESFIT_ERR_AUTHENTICATION);                    \
        made[bytes + 3] ^= 1;                                                                      \
        CHECK_STATUS(open(apart, made, 15), AESFIT_ERR_AUTHENTICATION);                            \
        CHECK_STATUS(open(made, made, bytes + 16), AESFIT_OK);                                     \
        CHECK_BYTES(made, plain, bytes);                                                           \
    }                                                                                              \
    CHECK_STATUS(seal(NULL, plain, 1), AESFIT_ERR_NULL);                                           \
    CHECK_STATUS(open(NULL, NULL, 16), AESFIT_ERR_NULL)

static void test_sealed(void)
{
    static uint8_t raw[16], plain[LONGEST];
    aesfit_ccm_key ccm;
    aesfit_gcm_key gcm;
    aesfit_gcm_siv_key siv;
    random_fill(raw, sizeof raw);
    random_fill(plain, sizeof plain);
    CHECK_STATUS(aesfit_ccm_expand_key(&ccm, NULL, raw, 16), AESFIT_OK);
    CHECK_STATUS(aesfit_ccm_expand_key(NULL, NULL, raw, 16), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_gcm_expand_key(&gcm, NULL, NULL, raw, 16), AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_siv_expand_key(&siv, NULL, NULL, raw, 16), AESFIT_OK);
#define SEAL(out, in, n) aesfit_ccm_seal(&ccm, fixed, 12, raw, 5, out, in, n)
#define OPEN(out, in, n) aesfit_ccm_open(&ccm, fixed, 12, raw, 5, out, in, n)
#define ENCRYPT(out, in, n, tag)                                                                   \
    aesfit_ccm_encrypt(&ccm.aes, fixed, 12, raw, 5, out, in, n, tag, 16)
    CHECK_SEALED("CCM", SEAL, OPEN, ENCRYPT);
#undef SEAL
#undef OPEN
#undef ENCRYPT
#define SEAL(out, in, n) aesfit_gcm_seal(&gcm, fixed, 12, raw, 5, out, in, n)
#define OPEN(out, in, n) aesfit_gcm_open(&gcm, fixed, 12, raw, 5, out, in, n)
#define ENCRYPT(out, in, n, tag) aesfit_gcm_encrypt(&gcm, fixed, 12, raw, 5, out, in, n, tag, 16)
    CHECK_SEALED("GCM", SEAL, OPEN, ENCRYPT);
#undef SEAL
#undef OPEN
#undef ENCRYPT
#define SEAL(out, in, n) aesfit_gcm_siv_seal(&siv, fixed, raw, 5, out, in, n)
#define OPEN(out, in, n) aesfit_gcm_siv_open(&siv, fixed, raw, 5, out, in, n)
#define ENCRYPT(out, in, n, tag) aesfit_gcm_siv_encrypt(&siv, fixed, raw, 5, out, in, n, tag)
    CHECK_SEALED("GCM-SIV", SEAL, OPEN, ENCRYPT);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    test_counter();
    test_carries();
    test_resets();
    test_random_nonces();
    test_spoilt();
    test_arguments();
    test_sealed();
    return test_end();
}
