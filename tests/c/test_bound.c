/* SPDX-License-Identifier: MIT */
/* The authenticated modes bound to one core (transposed unless told otherwise) and one GHASH
 * multiplier at compile time, all in this one translation unit: known answers typed from the
 * standards.  tests/python/library/test_bound.py compiles every core with every mode in this way
 * and looks for indirect calls. */
#ifndef AESFIT_BOUND
#define AESFIT_BOUND transposed
#define BOUND_CORE <cores/transposed.c>
#define AESFIT_BOUND_COUNTER 1
#endif
#define AESFIT_BOUND_GHASH shift32
#define AESFIT_WITH_BULK 0
#include <core.h>
#include BOUND_CORE
#include <ghash/shift32.c>
#include <key.c>
#include <modes/cbc_mac.c>
#include <modes/cmac.c>
#include <modes/ccm.c>
#include <modes/gcm.c>
#include <modes/kw.c>
#include <modes/ccmp.c>

#include "test.h"

typedef struct text {
    uint8_t bytes[64];
    size_t length;
} text;

static text parse(const char *hex)
{
    text t;
    t.length = hex_parse(t.bytes, sizeof t.bytes, hex);
    return t;
}

static aesfit_key expand(const char *hex)
{
    aesfit_key key;
    text bytes = parse(hex);
    CHECK_STATUS(aesfit_expand_key(&key, NULL, bytes.bytes, bytes.length, AESFIT_BOTH), AESFIT_OK);
    return key;
}

/* SP 800-38C, example 3. */
static void check_ccm(void)
{
    aesfit_key key = expand("404142434445464748494a4b4c4d4e4f");
    text nonce = parse("101112131415161718191a1b");
    text ad = parse("000102030405060708090a0b0c0d0e0f10111213");
    text plain = parse("202122232425262728292a2b2c2d2e2f3031323334353637");
    text want = parse("e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951");
    uint8_t out[32];
    CHECK_STATUS(
        aesfit_ccm_encrypt(&key, nonce.bytes, 12, ad.bytes, 20, out, plain.bytes, 24, out + 24, 8),
        AESFIT_OK);
    CHECK_BYTES(out, want.bytes, 32);
    CHECK_STATUS(aesfit_ccm_decrypt(&key, nonce.bytes, 12, ad.bytes, 20, out, out, 24, out + 24, 8),
                 AESFIT_OK);
    CHECK_BYTES(out, plain.bytes, 24);
}

/* McGrew and Viega, GCM, test case 4. */
static void check_gcm(void)
{
    aesfit_gcm_key key;
    text bytes = parse("feffe9928665731c6d6a8f9467308308"),
         nonce = parse("cafebabefacedbaddecaf888");
    text ad = parse("feedfacedeadbeeffeedfacedeadbeefabaddad2");
    text plain = parse("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                       "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
    text want = parse("42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                      "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091");
    text tag = parse("5bc94fbc3221a5db94fae95ae7121a47");
    uint8_t out[64], got[16];
    CHECK_STATUS(aesfit_gcm_expand_key(&key, NULL, NULL, bytes.bytes, 16), AESFIT_OK);
    CHECK_STATUS(
        aesfit_gcm_encrypt(&key, nonce.bytes, 12, ad.bytes, 20, out, plain.bytes, 60, got, 16),
        AESFIT_OK);
    CHECK_BYTES(out, want.bytes, 60);
    CHECK_BYTES(got, tag.bytes, 16);
    CHECK_STATUS(aesfit_gcm_decrypt(&key, nonce.bytes, 12, ad.bytes, 20, out, out, 60, got, 16),
                 AESFIT_OK);
    CHECK_BYTES(out, plain.bytes, 60);
}

/* RFC 4493, section 4, example 2; one block of CBC-MAC is one block of ECB. */
static void check_macs(void)
{
    aesfit_key key = expand("2b7e151628aed2a6abf7158809cf4f3c");
    text plain = parse("6bc1bee22e409f96e93d7e117393172a");
    uint8_t tag[16];
    CHECK_STATUS(aesfit_cmac(&key, plain.bytes, 16, tag, 16), AESFIT_OK);
    CHECK_BYTES(tag, parse("070a16b46b4d4144f79bdd9dd04a287c").bytes, 16);
    CHECK_STATUS(aesfit_cbc_mac(&key, plain.bytes, 16, tag), AESFIT_OK);
    CHECK_BYTES(tag, parse("3ad77bb40d7a3660a89ecaf32466ef97").bytes, 16);
}

/* RFC 3394, 4.1; RFC 5649, 6. */
static void check_wrap(void)
{
    aesfit_key key = expand("000102030405060708090a0b0c0d0e0f");
    text plain = parse("00112233445566778899aabbccddeeff");
    uint8_t out[32];
    size_t n = 0;
    CHECK_STATUS(aesfit_key_wrap(&key, out, 32, &n, plain.bytes, 16), AESFIT_OK);
    CHECK(n == 24);
    CHECK_BYTES(out, parse("1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5").bytes, 24);
    CHECK_STATUS(aesfit_key_unwrap(&key, out, 32, &n, out, 24), AESFIT_OK);
    CHECK_BYTES(out, plain.bytes, 16);
    key = expand("5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8");
    CHECK_STATUS(aesfit_key_wrap_padded(&key, out, 32, &n, parse("466f7250617369").bytes, 7),
                 AESFIT_OK);
    CHECK_BYTES(out, parse("afbeb0f07dfbf5419200f2ccb50bb24f").bytes, 16);
}

/* IEEE Std 802.11-2012, annex M.6.4. */
static void check_ccmp(void)
{
    aesfit_key key = expand("c97c1f67ce371185514a8a19f2bdd52f");
    text mpdu = parse("0848c32c0fd2e128a57c5030f1844408abaea5b8fcba8033"
                      "f8ba1a55d02f85ae967bb62fb6cda8eb7e78a050");
    text want = parse("0ce70020769703b5f3d0a2fe9a3dbf2342a643e43246e80c3c04d019"
                      "7845ce0b16f97623");
    uint8_t out[60];
    size_t n = 0;
    CHECK_STATUS(
        aesfit_ccmp_encapsulate(&key, UINT64_C(0xb5039776e70c), 0, out, 60, &n, mpdu.bytes, 24, 44),
        AESFIT_OK);
    CHECK(n == 60);
    CHECK_BYTES(out + 24, want.bytes, 36);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    check_ccm();
    check_gcm();
    check_macs();
    check_wrap();
    check_ccmp();
    return test_end();
}
