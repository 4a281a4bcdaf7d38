/* SPDX-License-Identifier: MIT */
/* AES under interrupts: every key size in both directions and in counter mode, with the answers of
 * undisturbed calls, until WANTED interrupts came inside the code of each (inside_begin to
 * inside_end);
 * the build says how many (-DWANTED=...).
 * Exit codes: 0 good, 1 a wrong answer, 2 too few interrupts, 3 another exception. */
#include "board.h"
#include "fitaes.h"

enum { BLOCKS = 5, BYTES = 16 * BLOCKS, MOST = WANTED };

extern char inside_begin[], inside_end[]; /* the linker script */

static volatile unsigned hits, distinct;
static uint32_t seen[2048]; /* a bit for each half-word of code */

/* FIPS 197, C.1 to C.3: the first block under the keys 00 01 02 ... */
static const uint8_t known[3][16] = {
    {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5,
     0x5a},
    {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71,
     0x91},
    {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60,
     0x89},
};

static unsigned next_instructions(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return 64 + (state >> 24) * 2;
}

unsigned interrupted(uintptr_t at)
{
    uintptr_t offset = at - (uintptr_t)inside_begin;
    if (offset < (uintptr_t)(inside_end - inside_begin)) {
        uint32_t bit = 1u << (offset / 2 % 32), *word = &seen[offset / 64 % 2048];
        distinct += (*word & bit) == 0;
        *word |= bit;
        hits++;
    }
    return next_instructions();
}

static int equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    while (bytes > 0 && a[bytes - 1] == b[bytes - 1])
        bytes--;
    return bytes == 0;
}

/* The first block is that of FIPS 197, the others change with the round. */
static void fill(uint8_t *text, unsigned round)
{
    for (unsigned i = 0; i < BYTES; i++)
        text[i] = (uint8_t)(i < 16 ? i * 0x11 : i * round + (i >> 3));
}

/* Counter mode from a counter whose last byte wraps on the way. */
static int count(const fitaes_key *key, uint8_t *out, const uint8_t *in, size_t bytes)
{
    static const uint8_t counter[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xfd};
    fitaes_ctr state;
    int status = fitaes_ctr_start(&state, counter, 128);
    return status != FITAES_OK ? status : fitaes_ctr_crypt(key, &state, out, in, bytes);
}

typedef int crypt(const fitaes_key *key, uint8_t *out, const uint8_t *in, size_t bytes);

/* In place, interrupted; how many interrupts came inside. */
static unsigned disturbed(crypt *run, const fitaes_key *key, uint8_t *text)
{
    unsigned before = hits;
    timer_start(next_instructions());
    run(key, text, text, BYTES);
    timer_stop();
    return hits - before;
}

static void print(const char *name, unsigned number)
{
    enum { SYS_WRITE0 = 4 };
    char text[12] = "", *digit = text + 10;
    *digit = ' ';
    do
        *--digit = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    semihosting(SYS_WRITE0, digit);
    semihosting(SYS_WRITE0, name);
}

int main(void)
{
    static uint8_t room[BYTES + 3], undisturbed[BYTES], plain[BYTES], secret[32];
    unsigned inside[3] = {0, 0, 0}, round = 0;
    fitaes_key key;
    for (unsigned i = 0; i < sizeof secret; i++)
        secret[i] = (uint8_t)i;
    for (; inside[0] < WANTED || inside[1] < WANTED || inside[2] < WANTED; round++) {
        unsigned size = round % 3;
        uint8_t *text = room + round % 4; /* at every address within a word */
        if (round == MOST)
            return 2;
        fill(plain, round);
        fill(text, round);
        fitaes_expand_key(&key, NULL, secret, 16 + 8 * size, FITAES_BOTH);
        fitaes_ecb_encrypt(&key, undisturbed, plain, BYTES);
        if (!equal(undisturbed, known[size], 16))
            return 1;
        inside[0] += disturbed(fitaes_ecb_encrypt, &key, text);
        if (!equal(text, undisturbed, BYTES))
            return 1;
        inside[1] += disturbed(fitaes_ecb_decrypt, &key, text);
        if (!equal(text, plain, BYTES))
            return 1;
        count(&key, undisturbed, plain, BYTES);
        inside[2] += disturbed(count, &key, text);
        if (!equal(text, undisturbed, BYTES))
            return 1;
    }
    print("interrupts inside encryption\n", inside[0]);
    print("interrupts inside decryption\n", inside[1]);
    print("interrupts inside counter mode\n", inside[2]);
    print("different addresses\n", distinct);
    print("calls\n", 3 * round);
    return 0;
}

void leave(int code)
{
    enum { SYS_EXIT_EXTENDED = 0x20, ADP_STOPPED_APPLICATION_EXIT = 0x20026 };
    const uintptr_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, (uintptr_t)code};
    for (;;)
        semihosting(SYS_EXIT_EXTENDED, block);
}

void unexpected(void)
{
    leave(3);
}
