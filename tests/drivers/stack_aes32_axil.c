/* SPDX-License-Identifier: MIT */
/* The driver of aes32_axil leaves no block of key stream, text or tag on the stack.
 *
 * Calls run on a stack of their own, which is searched afterwards.  The model's frames lie further
 * down than the search goes (AES32_AXIL_MOCK_APART). */
#define _XOPEN_SOURCE 700
#include "aes32_axil_mock.h"
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 1 << 18, BYTES = 40, NONCE = 13, TAG = 16, SECRETS = 16, PIECE = 8 };

static mock core;
static aes32_axil device;
static const uint8_t raw_key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                    0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static uint8_t text[BYTES], cipher[BYTES], tag[TAG], wrong[TAG], counter[16];
static uint8_t room[BYTES + 8], seen[TAG], *out;
static const uint8_t nonce[NONCE] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
static _Alignas(16) uint8_t stack[STACK];
static ucontext_t here, there;
static int status, failures;

/* What must not be found; the last of a text has 8 bytes. */
static struct {
    const char *name;
    uint8_t bytes[16];
    size_t count;
} secrets[SECRETS];
static size_t secret_count;

static void hide(const char *name, const uint8_t *bytes, size_t count)
{
    secrets[secret_count].name = name;
    secrets[secret_count].count = count;
    memcpy(secrets[secret_count++].bytes, bytes, count);
}

/* Key stream and MAC of CCM, in software. */
static void hide_ccm(void)
{
    fitaes_key key;
    uint8_t block[16] = {1}, mac[16];
    fitaes_expand_key(&key, NULL, raw_key, sizeof raw_key, FITAES_BOTH);
    fitaes_ccm_encrypt(&key, nonce, NONCE, NULL, 0, cipher, text, BYTES, tag, TAG);
    for (uint8_t i = 0; i <= (BYTES + 15) / 16; i++) {
        memcpy(block, (uint8_t[]){1}, 1);
        memcpy(block + 1, nonce, NONCE);
        block[14] = 0;
        block[15] = i;
        fitaes_ecb_encrypt(&key, block, block, 16);
        hide(i == 0 ? "mask of the tag" : "key stream", block, 16);
        for (int at = 0; at < 16 && i == 0; at++)
            mac[at] = tag[at] ^ block[at];
    }
    hide("MAC", mac, 16);
    hide("tag", tag, 16);
}

static void hide_text(const char *name, const uint8_t *bytes)
{
    for (size_t at = 0; at < BYTES; at += 16)
        hide(name, bytes + at, BYTES - at < 16 ? BYTES - at : 16);
}

/* --- calls; their arguments are public */

static void ccm_encrypt(void)
{
    status = aes32_axil_ccm_encrypt(&device, nonce, NONCE, NULL, 0, out, text, BYTES, seen, TAG);
}

static void ccm_decrypt(void)
{
    status = aes32_axil_ccm_decrypt(&device, nonce, NONCE, NULL, 0, out, cipher, BYTES, tag, TAG);
}

static void ccm_forged(void)
{
    status = aes32_axil_ccm_decrypt(&device, nonce, NONCE, NULL, 0, out, cipher, BYTES, wrong, TAG);
}

static void ctr(void)
{
    memcpy(counter, (uint8_t[]){1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1}, 16);
    status = aes32_axil_ctr(&device, counter, out, text, BYTES);
}

static void load_key(void)
{
    status = aes32_axil_load_key(&device, raw_key, sizeof raw_key);
}

static const struct {
    const char *name;
    void (*call)(void);
    int status;
} calls[] = {{"load_key", load_key, AES32_AXIL_OK},
             {"ccm_encrypt", ccm_encrypt, AES32_AXIL_OK},
             {"ccm_decrypt", ccm_decrypt, AES32_AXIL_OK},
             {"ccm_decrypt, wrong tag", ccm_forged, AES32_AXIL_ERR_AUTHENTICATION},
             {"ctr", ctr, AES32_AXIL_OK}};

static void search(const char *call)
{
    for (size_t s = 0; s < secret_count; s++)
        for (size_t at = STACK - AES32_AXIL_MOCK_APART; at + PIECE <= STACK; at++)
            if (memcmp(stack + at, secrets[s].bytes, secrets[s].count) == 0) {
                printf("FAIL: %s%s leaves %s, %zu bytes below the top\n", call,
                       out == room ? "" : " (unaligned)", secrets[s].name, STACK - at);
                failures++;
            }
}

static void run(size_t which)
{
    memset(stack, 0, sizeof stack);
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &here;
    makecontext(&there, calls[which].call, 0);
    swapcontext(&here, &there);
    if (status != calls[which].status) {
        printf("FAIL: %s gives %d\n", calls[which].name, status);
        failures++;
    }
    search(calls[which].name);
}

int main(void)
{
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(201 * i + 77);
    hide_ccm();
    hide("key", raw_key, sizeof raw_key);
    hide_text("text", text);
    mock_reset(&core);
    failures += aes32_axil_open(&device, &core) != AES32_AXIL_OK;
    for (size_t shift = 0; shift < 2; shift++) {
        out = room + shift;
        for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
            run(i);
    }
    puts(failures == 0 ? "PASS" : "FAIL");
    return failures != 0;
}
