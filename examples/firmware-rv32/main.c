/* SPDX-License-Identifier: MIT */
/* AES-GCM in a firmware: self-test, test cases of GCM for two key sizes, and one record. */
#include "board.h"
#include "fitaes.h"

#ifndef BROKEN_BIT /* 1: one expected byte is wrong, to see that this is noticed */
#define BROKEN_BIT 0
#endif

/* McGrew and Viega, The Galois/Counter Mode of Operation (GCM), submitted to NIST for SP 800-38D,
 * appendix B, test cases 4 (the first 16 bytes of the key) and 16 (the key twice). */
static const uint8_t case_key[16] = {0xfe, 0xff, 0xe9, 0x92, 0x86, 0x65, 0x73, 0x1c,
                                     0x6d, 0x6a, 0x8f, 0x94, 0x67, 0x30, 0x83, 0x08};
static const uint8_t case_nonce[12] = {0xca, 0xfe, 0xba, 0xbe, 0xfa, 0xce,
                                       0xdb, 0xad, 0xde, 0xca, 0xf8, 0x88};
static const uint8_t case_ad[20] = {0xfe, 0xed, 0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xfe, 0xed,
                                    0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xab, 0xad, 0xda, 0xd2};
static const uint8_t case_plain[60] = {
    0xd9, 0x31, 0x32, 0x25, 0xf8, 0x84, 0x06, 0xe5, 0xa5, 0x59, 0x09, 0xc5, 0xaf, 0xf5, 0x26,
    0x9a, 0x86, 0xa7, 0xa9, 0x53, 0x15, 0x34, 0xf7, 0xda, 0x2e, 0x4c, 0x30, 0x3d, 0x8a, 0x31,
    0x8a, 0x72, 0x1c, 0x3c, 0x0c, 0x95, 0x95, 0x68, 0x09, 0x53, 0x2f, 0xcf, 0x0e, 0x24, 0x49,
    0xa6, 0xb5, 0x25, 0xb1, 0x6a, 0xed, 0xf5, 0xaa, 0x0d, 0xe6, 0x57, 0xba, 0x63, 0x7b, 0x39};
static const uint8_t case_4[76] = {0x42 ^ BROKEN_BIT,
                                   0x83,
                                   0x1e,
                                   0xc2,
                                   0x21,
                                   0x77,
                                   0x74,
                                   0x24,
                                   0x4b,
                                   0x72,
                                   0x21,
                                   0xb7,
                                   0x84,
                                   0xd0,
                                   0xd4,
                                   0x9c,
                                   0xe3,
                                   0xaa,
                                   0x21,
                                   0x2f,
                                   0x2c,
                                   0x02,
                                   0xa4,
                                   0xe0,
                                   0x35,
                                   0xc1,
                                   0x7e,
                                   0x23,
                                   0x29,
                                   0xac,
                                   0xa1,
                                   0x2e,
                                   0x21,
                                   0xd5,
                                   0x14,
                                   0xb2,
                                   0x54,
                                   0x66,
                                   0x93,
                                   0x1c,
                                   0x7d,
                                   0x8f,
                                   0x6a,
                                   0x5a,
                                   0xac,
                                   0x84,
                                   0xaa,
                                   0x05,
                                   0x1b,
                                   0xa3,
                                   0x0b,
                                   0x39,
                                   0x6a,
                                   0x0a,
                                   0xac,
                                   0x97,
                                   0x3d,
                                   0x58,
                                   0xe0,
                                   0x91,
                                   0x5b,
                                   0xc9,
                                   0x4f,
                                   0xbc,
                                   0x32,
                                   0x21,
                                   0xa5,
                                   0xdb,
                                   0x94,
                                   0xfa,
                                   0xe9,
                                   0x5a,
                                   0xe7,
                                   0x12,
                                   0x1a,
                                   0x47};
static const uint8_t case_16[76] = {
    0x52, 0x2d, 0xc1, 0xf0, 0x99, 0x56, 0x7d, 0x07, 0xf4, 0x7f, 0x37, 0xa3, 0x2a, 0x84, 0x42, 0x7d,
    0x64, 0x3a, 0x8c, 0xdc, 0xbf, 0xe5, 0xc0, 0xc9, 0x75, 0x98, 0xa2, 0xbd, 0x25, 0x55, 0xd1, 0xaa,
    0x8c, 0xb0, 0x8e, 0x48, 0x59, 0x0d, 0xbb, 0x3d, 0xa7, 0xb0, 0x8b, 0x10, 0x56, 0x82, 0x88, 0x38,
    0xc5, 0xf6, 0x1e, 0x63, 0x93, 0xba, 0x7a, 0x0a, 0xbc, 0xc9, 0xf6, 0x62, 0x76, 0xfc, 0x6e, 0xce,
    0x0f, 0x4e, 0x17, 0x68, 0xcd, 0xdf, 0x88, 0x53, 0xbb, 0x2d, 0x55, 0x1b};

static unsigned failures;

static void report(const char *what, int good)
{
    print(good ? "PASS  " : "FAIL  ");
    print(what);
    print("\n");
    failures += !good;
}

static int equal(const void *a, const void *b, size_t bytes)
{
    const uint8_t *x = a, *y = b;
    while (bytes > 0 && x[bytes - 1] == y[bytes - 1])
        bytes--;
    return bytes == 0;
}

/* Too large for the stack of a small part, so not on it. */
static fitaes_gcm_key key;

static int check_case(size_t key_bytes, const uint8_t expected[76])
{
    enum { N = sizeof case_plain };
    uint8_t bytes[32], sealed[N + 16], opened[N];
    memcpy(bytes, case_key, 16);
    memcpy(bytes + 16, case_key, 16);
    int good = fitaes_gcm_expand_key(&key, NULL, NULL, bytes, key_bytes) == FITAES_OK &&
               fitaes_gcm_encrypt(&key, case_nonce, sizeof case_nonce, case_ad, sizeof case_ad,
                                  sealed, case_plain, N, sealed + N, 16) == FITAES_OK &&
               equal(sealed, expected, sizeof sealed) &&
               fitaes_gcm_decrypt(&key, case_nonce, sizeof case_nonce, case_ad, sizeof case_ad,
                                  opened, sealed, N, sealed + N, 16) == FITAES_OK &&
               equal(opened, case_plain, N);
    fitaes_wipe(&key, sizeof key);
    return good;
}

/* A record: its nonce in the clear, data, tag. */
enum { NONCE = 12, DATA = 24, TAG = 16 };

typedef struct record {
    uint8_t nonce[NONCE], data[DATA], tag[TAG];
} record;

/* The nonce as SP 800-38D, 8.2.1 makes it: the device, then a counter.  In a product the counter
 * survives resets: under one key no nonce may come twice. */
static uint8_t next_nonce[NONCE] = {'p', 'u', 'm', 'p', 0, 0, 0, 0, 0, 0, 0, 1};

static int seal(record *r, const uint8_t data[DATA])
{
    memcpy(r->nonce, next_nonce, NONCE);
    for (int i = NONCE - 1; i >= 4 && ++next_nonce[i] == 0; i--)
        ;
    return fitaes_gcm_encrypt(&key, r->nonce, NONCE, NULL, 0, r->data, data, DATA, r->tag, TAG);
}

static int unseal(const record *r, uint8_t data[DATA])
{
    return fitaes_gcm_decrypt(&key, r->nonce, NONCE, NULL, 0, data, r->data, DATA, r->tag, TAG);
}

static void print_hex(const char *name, const uint8_t *bytes, size_t count)
{
    char text[3] = "";
    print(name);
    for (size_t i = 0; i < count; i++) {
        text[0] = "0123456789abcdef"[bytes[i] >> 4];
        text[1] = "0123456789abcdef"[bytes[i] & 15];
        print(text);
    }
    print("\n");
}

static void exchange_record(void)
{
    uint8_t secret[32], data[DATA], opened[DATA];
    record r;
    for (size_t i = 0; i < sizeof secret; i++)
        secret[i] = (uint8_t)i; /* in a product: from the device's own memory */
    memcpy(data, "valve 3 open, flow 4.2/s", DATA);
    fitaes_gcm_expand_key(&key, NULL, NULL, secret, sizeof secret);
    report("record sealed", seal(&r, data) == FITAES_OK);
    print_hex("      nonce ", r.nonce, NONCE);
    print_hex("      data  ", r.data, DATA);
    print_hex("      tag   ", r.tag, TAG);
    report("record opened", unseal(&r, opened) == FITAES_OK && equal(opened, data, DATA));
    r.data[3] ^= 1;
    report("changed record refused", unseal(&r, opened) == FITAES_ERR_AUTHENTICATION);
    fitaes_wipe(&key, sizeof key);
}

int main(void)
{
    report("self-test", fitaes_self_test(NULL) == FITAES_OK);
    report("GCM test case 4 (128-bit key)", check_case(16, case_4));
    report("GCM test case 16 (256-bit key)", check_case(32, case_16));
    exchange_record();
    print(failures == 0 ? "PASS  everything\n" : "FAIL  see above\n");
    return failures != 0;
}
