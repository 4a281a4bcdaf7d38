/* SPDX-License-Identifier: MIT */
/* The confidentiality modes bound to one core at compile time, all of them and the stream in this
 * one translation unit, with the debug check for overlapping buffers.  Known answers are typed
 * from NIST SP 800-38A and IEEE 1619; the stream is checked against the one-shot functions. */
#ifndef AESFIT_BOUND
#define AESFIT_BOUND sbox_columns
#define BOUND_CORE <cores/sbox_columns.c>
#define AESFIT_BOUND_COUNTER 1
#endif
#define AESFIT_WITH_BULK 0
#define AESFIT_CHECK_OVERLAP
#include <core.h>
#include BOUND_CORE
#include <key.c>
#include <streamed_modes.h>
#include <stream.c>

#include "modes.h"

static void parse(uint8_t *out, size_t size, const char *hex)
{
    CHECK(hex_parse(out, size, hex) == size);
}

/* SP 800-38A, appendix F, AES-128: the first block of each mode.  IEEE 1619, vector 15. */
static void check_answers(void)
{
    static const char *const first[] = {
        "3ad77bb40d7a3660a89ecaf32466ef97",
        "",
        "7649abac8119b246cee98e9b12e9197d",
        "",
        "",
        "874d6191b620e3261bef6864990db6ce",
        "3b3fd92eb72dad20333449f8e83cfb4a",
    };
    uint8_t bytes[32], iv[16], counter[16], plain[17], want[17], out[32];
    mode_key key;
    size_t n;
    parse(bytes, 16, "2b7e151628aed2a6abf7158809cf4f3c");
    parse(iv, 16, "000102030405060708090a0b0c0d0e0f");
    parse(counter, 16, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    parse(plain, 16, "6bc1bee22e409f96e93d7e117393172a");
    CHECK_STATUS(aesfit_expand_key(&key.aes, NULL, bytes, 16, AESFIT_BOTH), AESFIT_OK);
    for (int mode = AESFIT_ECB; mode <= AESFIT_CFB; mode++) {
        const uint8_t *start = mode == AESFIT_CTR ? counter : iv;
        test_context("%s", mode_names[mode]);
        if (first[mode][0] == '\0')
            continue;
        parse(want, 16, first[mode]);
        CHECK_STATUS(mode_crypt(&key, (aesfit_mode)mode, 1, start, out, &n, plain, 16), AESFIT_OK);
        CHECK_BYTES(out, want, 16);
    }
    test_context("xts");
    parse(bytes, 32, "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0");
    parse(iv, 16, "9a785634120000000000000000000000");
    parse(plain, 17, "000102030405060708090a0b0c0d0e0f10");
    parse(want, 17, "6c1625db4671522d3d7599601de7ca09ed");
    CHECK_STATUS(aesfit_xts_expand_key(&key.xts, NULL, bytes, 32, AESFIT_BOTH), AESFIT_OK);
    CHECK_STATUS(mode_crypt(&key, AESFIT_XTS, 1, iv, out, &n, plain, 17), AESFIT_OK);
    CHECK_BYTES(out, want, 17);
}

/* Encrypted as a stream and in one shot: equal; decrypted again: the plaintext. */
static void check_round_trips(const mode_key *key, const uint8_t iv[16])
{
    uint8_t plain[80], once[112], cut[112], back[112];
    random_fill(plain, sizeof plain);
    for (int i = 0; i < AESFIT_MODE_COUNT; i++) {
        aesfit_mode mode = (aesfit_mode)i;
        for (size_t bytes = 0; bytes <= sizeof plain; bytes++) {
            size_t n, m, b;
            test_context("%s, %lu bytes", mode_names[mode], (unsigned long)bytes);
            if (!mode_takes(mode, bytes))
                continue;
            CHECK_STATUS(mode_crypt(key, mode, 1, iv, once, &n, plain, bytes), AESFIT_OK);
            CHECK_STATUS(mode_stream(key, mode, 1, iv, cut, &m, plain, bytes, 0), AESFIT_OK);
            CHECK(n == m);
            CHECK_BYTES(cut, once, n);
            CHECK_STATUS(mode_crypt(key, mode, 0, iv, back, &b, once, n), AESFIT_OK);
            CHECK(b == bytes);
            CHECK_BYTES(back, plain, bytes);
        }
    }
}

/* Equal and adjacent buffers are allowed, overlapping ones are refused; streams also refuse equal
 * ones. */
static void check_overlap(const mode_key *key, const uint8_t iv[16])
{
    uint8_t memory[128];
    size_t n;
    memset(memory, 0, sizeof memory);
    for (int i = 0; i < AESFIT_MODE_COUNT; i++) {
        aesfit_mode mode = (aesfit_mode)i;
        test_context("%s", mode_names[mode]);
        CHECK_STATUS(mode_crypt(key, mode, 1, iv, memory, &n, memory, 32), AESFIT_OK);
        CHECK_STATUS(mode_crypt(key, mode, 1, iv, memory + 32, &n, memory, 32), AESFIT_OK);
        CHECK_STATUS(mode_crypt(key, mode, 1, iv, memory + 1, &n, memory, 32), AESFIT_ERR_OVERLAP);
        CHECK_STATUS(mode_crypt(key, mode, 0, iv, memory, &n, memory + 31, 32), AESFIT_ERR_OVERLAP);
        CHECK_STATUS(mode_stream(key, mode, 1, iv, memory + 8, &n, memory, 64, 64),
                     AESFIT_ERR_OVERLAP);
        CHECK_STATUS(mode_stream(key, mode, 1, iv, memory, &n, memory, 64, 64), AESFIT_ERR_OVERLAP);
    }
    /* Padding writes beyond the end of its input. */
    CHECK_STATUS(aesfit_ecb_pkcs7_encrypt(&key->aes, memory, 32, &n, memory + 17, 17),
                 AESFIT_ERR_OVERLAP);
}

int main(int argc, char **argv)
{
    uint8_t bytes[32], iv[16];
    mode_key key;
    test_begin(argc, argv);
    check_answers();
    random_fill(bytes, sizeof bytes);
    random_fill(iv, sizeof iv);
    CHECK_STATUS(aesfit_expand_key(&key.aes, NULL, bytes, 32, AESFIT_BOTH), AESFIT_OK);
    CHECK_STATUS(aesfit_xts_expand_key(&key.xts, NULL, bytes, 32, AESFIT_BOTH), AESFIT_OK);
    check_round_trips(&key, iv);
    check_overlap(&key, iv);
    return test_end();
}
