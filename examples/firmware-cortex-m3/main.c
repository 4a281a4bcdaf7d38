/* SPDX-License-Identifier: MIT */
/* AES-CCM in a firmware: self-test, the examples of NIST SP 800-38C, and one packet. */
#include "board.h"
#include "fitaes.h"

#ifndef BROKEN_BIT /* 1: one expected byte is wrong, to see that this is noticed */
#define BROKEN_BIT 0
#endif

/* SP 800-38C, appendix C: ciphertext and tag of examples 1 to 3. */
static const uint8_t example_1[] = {0x71 ^ BROKEN_BIT, 0x62, 0x01, 0x5b, 0x4d, 0xac, 0x25, 0x5d};
static const uint8_t example_2[] = {0xd2, 0xa1, 0xf0, 0xe0, 0x51, 0xea, 0x5f, 0x62,
                                    0x08, 0x1a, 0x77, 0x92, 0x07, 0x3d, 0x59, 0x3d,
                                    0x1f, 0xc6, 0x4f, 0xbf, 0xac, 0xcd};
static const uint8_t example_3[] = {
    0xe3, 0xb2, 0x01, 0xa9, 0xf5, 0xb7, 0x1a, 0x7a, 0x9b, 0x1c, 0xea, 0xec, 0xcd, 0x97, 0xe7, 0x0b,
    0x61, 0x76, 0xaa, 0xd9, 0xa4, 0x42, 0x8a, 0xa5, 0x48, 0x43, 0x92, 0xfb, 0xc1, 0xb0, 0x99, 0x51};

/* Key, nonce, associated data and payload of all three count up: from 0x40, 0x10, 0x00, 0x20. */
static const struct {
    const char *name;
    uint8_t nonce_bytes, ad_bytes, bytes, tag_bytes;
    const uint8_t *sealed;
} examples[] = {
    {"SP 800-38C example 1", 7, 8, 4, 4, example_1},
    {"SP 800-38C example 2", 8, 16, 16, 6, example_2},
    {"SP 800-38C example 3", 12, 20, 24, 8, example_3},
};

static unsigned failures;

static void report(const char *what, int good)
{
    print(good ? "PASS  " : "FAIL  ");
    print(what);
    print("\n");
    failures += !good;
}

static void count_up(uint8_t *out, size_t bytes, unsigned first)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(first + i);
}

static int equal(const void *a, const void *b, size_t bytes)
{
    const uint8_t *x = a, *y = b;
    while (bytes > 0 && x[bytes - 1] == y[bytes - 1])
        bytes--;
    return bytes == 0;
}

static void check_examples(void)
{
    uint8_t bytes[16], nonce[12], ad[20], plain[24], sealed[32], opened[24];
    fitaes_key key;
    count_up(bytes, sizeof bytes, 0x40);
    count_up(nonce, sizeof nonce, 0x10);
    count_up(ad, sizeof ad, 0x00);
    count_up(plain, sizeof plain, 0x20);
    int ready = fitaes_expand_key(&key, NULL, bytes, sizeof bytes, FITAES_ENCRYPT) == FITAES_OK;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        size_t nonce_bytes = examples[i].nonce_bytes, ad_bytes = examples[i].ad_bytes;
        size_t n = examples[i].bytes, tag_bytes = examples[i].tag_bytes;
        int good = ready &&
                   fitaes_ccm_encrypt(&key, nonce, nonce_bytes, ad, ad_bytes, sealed, plain, n,
                                      sealed + n, tag_bytes) == FITAES_OK &&
                   equal(sealed, examples[i].sealed, n + tag_bytes) &&
                   fitaes_ccm_decrypt(&key, nonce, nonce_bytes, ad, ad_bytes, opened, sealed, n,
                                      sealed + n, tag_bytes) == FITAES_OK &&
                   equal(opened, plain, n);
        report(examples[i].name, good);
    }
    fitaes_wipe(&key, sizeof key);
}

/* A packet: 8 bytes of header in the clear (sender, then the packet's number), data, tag. */
enum { HEADER = 8, DATA = 16, TAG = 8 };

typedef struct packet {
    uint8_t header[HEADER], data[DATA], tag[TAG];
} packet;

/* In a product this number survives resets: under one key no nonce may come twice. */
static uint32_t next_number = 1;

/* The nonce is the header, and zeros up to 13 bytes. */
static int seal(const fitaes_key *key, packet *p, const uint8_t data[DATA])
{
    uint8_t nonce[13] = {0};
    for (int i = 0; i < 4; i++)
        p->header[4 + i] = (uint8_t)(next_number >> (24 - 8 * i));
    next_number++;
    memcpy(nonce, p->header, HEADER);
    return fitaes_ccm_encrypt(key, nonce, sizeof nonce, p->header, HEADER, p->data, data, DATA,
                              p->tag, TAG);
}

static int unseal(const fitaes_key *key, const packet *p, uint8_t data[DATA])
{
    uint8_t nonce[13] = {0};
    memcpy(nonce, p->header, HEADER);
    return fitaes_ccm_decrypt(key, nonce, sizeof nonce, p->header, HEADER, data, p->data, DATA,
                              p->tag, TAG);
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

static void exchange_packet(void)
{
    uint8_t secret[16], data[DATA], opened[DATA];
    packet p = {.header = {'n', 'o', 'd', 'e'}};
    fitaes_key key;
    count_up(secret, sizeof secret, 0x00); /* in a product: from the device's own memory */
    memcpy(data, "21.5 C, 1013 hPa", DATA);
    fitaes_expand_key(&key, NULL, secret, sizeof secret, FITAES_ENCRYPT);
    report("packet sealed", seal(&key, &p, data) == FITAES_OK);
    print_hex("      header ", p.header, HEADER);
    print_hex("      data   ", p.data, DATA);
    print_hex("      tag    ", p.tag, TAG);
    report("packet opened", unseal(&key, &p, opened) == FITAES_OK && equal(opened, data, DATA));
    p.data[3] ^= 1;
    report("changed packet refused", unseal(&key, &p, opened) == FITAES_ERR_AUTHENTICATION);
    fitaes_wipe(&key, sizeof key);
}

int main(void)
{
    report("self-test", fitaes_self_test(NULL) == FITAES_OK);
    check_examples();
    exchange_packet();
    print(failures == 0 ? "PASS  everything\n" : "FAIL  see above\n");
    return failures != 0;
}
