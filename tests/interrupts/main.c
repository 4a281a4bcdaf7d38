/* SPDX-License-Identifier: MIT */
/* AES under interrupts: every key size in both directions and in counter mode, with the answers of
 * undisturbed calls, until WANTED interrupts came inside the code of each (inside_begin to
 * inside_end); the build says how many (-DWANTED=...). */
#include "fitaes.h"
#include "harness.h"

enum { BLOCKS = 5, BYTES = 16 * BLOCKS, MOST = WANTED };

/* FIPS 197, C.1 to C.3: the first block under the keys 00 01 02 ... */
static const uint8_t known[3][16] = {
    {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5,
     0x5a},
    {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71,
     0x91},
    {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60,
     0x89},
};

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
    unsigned before = inside();
    disturb_begin();
    run(key, text, text, BYTES);
    disturb_end();
    return inside() - before;
}

int main(void)
{
    static uint8_t room[BYTES + 3], undisturbed[BYTES], plain[BYTES], secret[32];
    unsigned came[3] = {0, 0, 0}, round = 0;
    fitaes_key key;
    for (unsigned i = 0; i < sizeof secret; i++)
        secret[i] = (uint8_t)i;
    for (; came[0] < WANTED || came[1] < WANTED || came[2] < WANTED; round++) {
        unsigned size = round % 3;
        uint8_t *text = room + round % 4; /* at every address within a word */
        if (round == MOST)
            return 2;
        fill(plain, round);
        fill(text, round);
        fitaes_expand_key(&key, NULL, secret, 16 + 8 * size, FITAES_BOTH);
        fitaes_ecb_encrypt(&key, undisturbed, plain, BYTES);
        if (!equal(undisturbed, known[size], 16))
            return 4;
        came[0] += disturbed(fitaes_ecb_encrypt, &key, text);
        if (!equal(text, undisturbed, BYTES))
            return 1;
        came[1] += disturbed(fitaes_ecb_decrypt, &key, text);
        if (!equal(text, plain, BYTES))
            return 1;
        count(&key, undisturbed, plain, BYTES);
        came[2] += disturbed(count, &key, text);
        if (!equal(text, undisturbed, BYTES))
            return 1;
    }
    print("interrupts inside encryption\n", came[0]);
    print("interrupts inside decryption\n", came[1]);
    print("interrupts inside counter mode\n", came[2]);
    print("different addresses\n", addresses());
    print("calls\n", 3 * round);
    return 0;
}
