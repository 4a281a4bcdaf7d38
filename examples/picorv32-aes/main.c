/* SPDX-License-Identifier: MIT */
/* Packets through the AES core and through software, on the same processor: cycles of each. */
#include "aes32_axil.h"
#include "board.h"
#include "constant.h"
#include "table.h"
#include <stdint.h>

/* The drop-ins: names of their cores come from the Makefile. */
#ifndef TABLE_CORE
#define TABLE_CORE "table"
#define CONSTANT_CORE "constant"
#endif

enum { PACKET = 1504, BLOCKS = PACKET / 16, NONCE = 13, AD = 22, TAG = 8, KEY = 16 };

#define CORE ((volatile void *)0x10000000u) /* system.v */

/* NIST SP 800-38A, F.5.1: CTR-AES128, the first block. */
static const uint8_t raw_key[KEY] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                     0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static const uint8_t first_counter[16] = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
                                          0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
static const uint8_t first_plain[16] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                        0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
static const uint8_t first_cipher[16] = {0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26,
                                         0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce};

/* Of one way to do an operation: what it wrote, and the cycles. */
typedef struct outcome {
    uint8_t out[PACKET + TAG] __attribute__((aligned(4)));
    uint32_t cycles;
    int status;
} outcome;

enum { HARDWARE, TABLE, CONSTANT, WAYS };

static uint8_t packet[PACKET] __attribute__((aligned(4)));
static const uint8_t *nonce = first_counter, *ad = packet;
static outcome outcomes[WAYS];
static aes32_axil core;
static table_key table;
static constant_key constant;

static uint32_t now(void)
{
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles));
    return cycles;
}

/* --- the operations, each in three ways */

static void set_keys(int way, outcome *o)
{
    o->status = way == HARDWARE ? aes32_axil_load_key(&core, raw_key, KEY)
                : way == TABLE  ? table_expand_key(&table, NULL, raw_key, KEY, TABLE_BOTH)
                                : constant_expand_key(&constant, NULL, raw_key, KEY, CONSTANT_BOTH);
}

static void ctr(int way, outcome *o)
{
    uint8_t counter[16];
    table_ctr t;
    constant_ctr c;
    memcpy(counter, first_counter, 16);
    if (way == HARDWARE)
        o->status = aes32_axil_ctr(&core, counter, o->out, packet, PACKET);
    else if (way == TABLE)
        o->status =
            table_ctr_start(&t, counter, 128) | table_ctr_crypt(&table, &t, o->out, packet, PACKET);
    else
        o->status = constant_ctr_start(&c, counter, 128) |
                    constant_ctr_crypt(&constant, &c, o->out, packet, PACKET);
}

static void cbc_decrypt(int way, outcome *o)
{
    uint8_t iv[16];
    memcpy(iv, first_counter, 16);
    o->status = way == HARDWARE ? aes32_axil_cbc_decrypt(&core, iv, o->out, packet, BLOCKS)
                : way == TABLE  ? table_cbc_decrypt(&table, iv, o->out, packet, PACKET)
                                : constant_cbc_decrypt(&constant, iv, o->out, packet, PACKET);
}

static void cbc_encrypt(int way, outcome *o)
{
    uint8_t iv[16];
    memcpy(iv, first_counter, 16);
    o->status = way == HARDWARE ? aes32_axil_cbc_encrypt(&core, iv, o->out, packet, BLOCKS)
                : way == TABLE  ? table_cbc_encrypt(&table, iv, o->out, packet, PACKET)
                                : constant_cbc_encrypt(&constant, iv, o->out, packet, PACKET);
}

static void ccm(int way, outcome *o)
{
    uint8_t *tag = o->out + PACKET;
    o->status =
        way == HARDWARE
            ? aes32_axil_ccm_encrypt(&core, nonce, NONCE, ad, AD, o->out, packet, PACKET, tag, TAG)
        : way == TABLE
            ? table_ccm_encrypt(&table, nonce, NONCE, ad, AD, o->out, packet, PACKET, tag, TAG)
            : constant_ccm_encrypt(&constant, nonce, NONCE, ad, AD, o->out, packet, PACKET, tag,
                                   TAG);
}

/* --- the table */

enum { COLUMN = 17, RATIO = 8 }; /* characters */

static void print_right(const char *text, unsigned width)
{
    unsigned length = 0;
    while (text[length] != '\0')
        length++;
    for (; length < width; length++)
        print(" ");
    print(text);
}

static void print_number(uint32_t number, unsigned width)
{
    char text[16];
    unsigned at = sizeof text - 1, digits = 0;
    text[at] = '\0';
    do {
        if (digits > 0 && digits % 3 == 0)
            text[--at] = ',';
        text[--at] = (char)('0' + number % 10);
        number /= 10;
        digits++;
    } while (number > 0);
    print_right(text + at, width);
}

/* Tenths. */
static void print_ratio(uint32_t over, uint32_t under, unsigned width)
{
    uint32_t tenths = (10 * over + under / 2) / under;
    print_number(tenths / 10, width - 2);
    print(".");
    print_number(tenths % 10, 1);
}

static int same(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    while (bytes > 0 && a[bytes - 1] == b[bytes - 1])
        bytes--;
    return bytes == 0;
}

/* One row; whether all ways succeeded and wrote the same. */
static int measure(const char *name, void (*operation)(int way, outcome *o))
{
    int good = 1;
    for (int way = 0; way < WAYS; way++) {
        outcome *o = &outcomes[way];
        memset(o, 0, sizeof *o);
        uint32_t start = now();
        operation(way, o);
        o->cycles = now() - start;
        good &= o->status == 0 && same(o->out, outcomes[HARDWARE].out, sizeof o->out);
    }
    print(name);
    for (int way = 0; way < WAYS; way++)
        print_number(outcomes[way].cycles, COLUMN);
    for (int way = TABLE; way < WAYS; way++)
        print_ratio(outcomes[way].cycles, outcomes[HARDWARE].cycles, RATIO);
    print(good ? "\n" : "  DIFFERENT\n");
    return good;
}

int main(void)
{
    int good = aes32_axil_open(&core, CORE) == AES32_AXIL_OK;
    memcpy(packet, first_plain, sizeof first_plain);
    for (size_t i = sizeof first_plain; i < sizeof packet; i++)
        packet[i] = (uint8_t)(i * 7);
    print("cycles, 1504 bytes");
    print_right("aes32_axil", COLUMN);
    print_right(TABLE_CORE, COLUMN);
    print_right(CONSTANT_CORE, COLUMN);
    print_right("faster by\n", 2 * RATIO + 1);
    good &= measure("key set-up        ", set_keys);
    good &= measure("CTR               ", ctr);
    good &= same(outcomes[HARDWARE].out, first_cipher, sizeof first_cipher);
    good &= measure("CBC decryption    ", cbc_decrypt);
    good &= measure("CBC encryption    ", cbc_encrypt);
    good &= measure("CCM               ", ccm);
    good &= aes32_axil_erase(&core) == AES32_AXIL_OK;
    good &= aes32_axil_encrypt(&core, packet, packet, 1) == AES32_AXIL_ERR_NO_KEY;
    print(good ? "PASS: all outputs are equal, and the key is erased\n" : "FAIL: see above\n");
    return !good;
}
