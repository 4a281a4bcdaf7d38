/* SPDX-License-Identifier: MIT */
/* Both cores in a system of LiteX: SP 800-38A through aes32_axil, RFC 3610 through aes_ccm_axis. */
#include "aes32_axil.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSR_ACCESSORS_DEFINED
static void csr_write_simple(unsigned long value, unsigned long address)
{
    *(volatile uint32_t *)address = value;
}
static unsigned long csr_read_simple(unsigned long address)
{
    return *(volatile uint32_t *)address;
}
#include "generated/csr.h"

int main(void);
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
_Noreturn void leave(bool good);

__attribute__((naked, section(".start"))) void start(void)
{
    __asm__("la sp, stack_top\n\tj main");
}

void *memcpy(void *to, const void *from, size_t bytes)
{
    for (size_t n = 0; n < bytes; n++)
        ((char *)to)[n] = ((const char *)from)[n];
    return to;
}

void *memset(void *to, int byte, size_t bytes)
{
    for (size_t n = 0; n < bytes; n++)
        ((char *)to)[n] = (char)byte;
    return to;
}

static void print(const char *text)
{
    for (; *text; text++) {
        while (uart_txfull_read())
            ;
        uart_rxtx_write((uint8_t)*text);
    }
}

_Noreturn void leave(bool good)
{
    print(good ? "PASS\n" : "FAIL\n");
    while (!uart_txempty_read())
        ;
    for (volatile int n = 0; n < 1000; n++)
        ;
    end_now_write(1);
    for (;;)
        ;
}

static bool equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    unsigned other = 0;
    for (size_t n = 0; n < bytes; n++)
        other |= a[n] ^ b[n];
    return !other;
}

/* ------------------------------------------------------------------------------ aes32_axil */

static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static const uint8_t plain[16] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                  0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
static const uint8_t cipher[16] = {0x3a, 0xd7, 0x7b, 0xb4, 0x0d, 0x7a, 0x36, 0x60,
                                   0xa8, 0x9e, 0xca, 0xf3, 0x24, 0x66, 0xef, 0x97};

/* SP 800-38A, F.1.1. */
static bool blocks(void)
{
    aes32_axil core;
    uint8_t out[16];
    return aes32_axil_open(&core, (volatile void *)AES32_AT) == AES32_AXIL_OK &&
           aes32_axil_load_key(&core, key, 16) == AES32_AXIL_OK &&
           aes32_axil_encrypt(&core, out, plain, 1) == AES32_AXIL_OK && equal(out, cipher, 16) &&
           aes32_axil_erase(&core) == AES32_AXIL_OK;
}

/* ---------------------------------------------------------------------------- aes_ccm_axis */

typedef struct {
    uint16_t text_bytes, data_bytes;
    uint8_t nonce_bytes, mic_bytes, decrypt, zero;
    uint8_t nonce[16];
} sizes;

static const uint8_t ccm_key[16] = {0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7,
                                    0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf};
static const uint8_t nonce[13] = {0x00, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00,
                                  0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5};
static const uint8_t sealed[31] = {0x58, 0x8c, 0x97, 0x9a, 0x61, 0xc6, 0x63, 0xd2, 0xf0, 0x66, 0xd0,
                                   0xc2, 0xc0, 0xf9, 0x89, 0x80, 0x6d, 0x5f, 0x6b, 0x61, 0xda, 0xc3,
                                   0x84, 0x17, 0xe8, 0xd1, 0x2c, 0xfd, 0xf9, 0x26, 0xe0};

static uint32_t word_of(const uint8_t *bytes, size_t count)
{
    uint32_t word = 0;
    for (size_t n = 0; n < count; n++)
        word |= (uint32_t)bytes[n] << (8 * n);
    return word;
}

static uint32_t status(void)
{
    return ccm_status_read();
}
static bool free_for_a_word(uint32_t now)
{
    return now >> CSR_CCM_STATUS_FREE_OFFSET & 1;
}

/* A word of output, if one waits: its bytes. */
static size_t take(uint32_t now, uint8_t *out)
{
    size_t bytes = 0;
    if (now >> CSR_CCM_STATUS_VALID_OFFSET & 1) {
        uint32_t word = ccm_result_read(), keep = now >> CSR_CCM_STATUS_KEEP_OFFSET & 15;
        for (; keep >> bytes & 1; bytes++)
            out[bytes] = (uint8_t)(word >> (8 * bytes));
        ccm_next_write(1);
    }
    return bytes;
}

/* A frame in, and what comes out meanwhile. */
static size_t offer(const uint8_t *frame, size_t bytes, uint8_t *out)
{
    size_t given = 0;
    for (size_t at = 0; at < bytes; at += 4) {
        size_t count = bytes - at < 4 ? bytes - at : 4;
        bool last = bytes - at <= 4;
        ccm_frame_write((uint32_t)last << CSR_CCM_FRAME_LAST_OFFSET |
                        ((1u << count) - 1) << CSR_CCM_FRAME_KEEP_OFFSET);
        ccm_word_write(word_of(frame + at, count));
        for (uint32_t now = status(); !free_for_a_word(now); now = status())
            given += take(now, out + given);
    }
    return given;
}

/* A packet in frames; true if the MIC was right.  `text` may be followed by the MIC in `in`. */
static bool packet(bool decrypt, const uint8_t *data, const uint8_t *in, uint8_t *out, size_t want)
{
    sizes first = {23, 8, 13, 8, decrypt, 0, {0}};
    size_t given = 0;
    memcpy(first.nonce, nonce, sizeof nonce);
    offer((const uint8_t *)&first, sizeof first, out);
    offer(data, 8, out);
    given = offer(in, 23, out);
    if (decrypt)
        given += offer(in + 23, 8, out + given);
    for (uint32_t now = status(); !(now >> CSR_CCM_STATUS_DONE_OFFSET & 1); now = status())
        given += take(now, out + given);
    return given == want && status() >> CSR_CCM_STATUS_OK_OFFSET & 1;
}

/* RFC 3610, section 8, packet vector 1. */
static bool packets(void)
{
    uint8_t in[31], out[32], plaintext[31];
    for (uint8_t n = 0; n < 31; n++)
        plaintext[n] = n;
    ccm_size_write(0);
    for (int n = 0; n < 4; n++) {
        ccm_key_write(word_of(ccm_key + 4 * n, 4));
        while (!free_for_a_word(status()))
            ;
    }
    if (!packet(false, plaintext, plaintext + 8, out, 31) || !equal(out, sealed, 31))
        return false;
    if (!packet(true, plaintext, sealed, out, 23) || !equal(out, plaintext + 8, 23))
        return false;
    memcpy(in, sealed, 31);
    in[30] ^= 1;
    if (packet(true, plaintext, in, out, 23))
        return false;
    offer(plaintext, 4, out); /* a frame of sizes that ends early */
    bool told = status() >> CSR_CCM_STATUS_ERROR_OFFSET & 1;
    ccm_erase_write(1);
    return told && !(status() >> CSR_CCM_STATUS_ERROR_OFFSET & 1);
}

int main(void)
{
    bool one = blocks(), two = packets();
    print(one ? "aes32_axil: right\n" : "aes32_axil: WRONG\n");
    print(two ? "aes_ccm_axis: right\n" : "aes_ccm_axis: WRONG\n");
    leave(one && two);
}
