/* SPDX-License-Identifier: MIT */
/* AES under interrupts before every instruction: every key size in both directions and in counter
 * mode, with the answers of undisturbed calls.  The first interrupt comes after 1 to 2 PERIOD
 * instructions: QEMU does not always keep the interval between two, and with one PERIOD three
 * instructions of bitslice_rv32 were never met.  The build says at how many addresses within a word
 * (-DPLACES=...), and by how many instructions the first interrupt comes later each time
 * (-DSTEP=1). */
#include "fitaes.h"
#include "board.h"
#include "harness.h"

enum { BLOCKS = 3, BYTES = 16 * BLOCKS };

/* FIPS 197, C.1 to C.3: the first block under the keys 00 01 02 ... */
static const uint8_t known[3][16] = {
    {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5,
     0x5a},
    {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71,
     0x91},
    {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60,
     0x89},
};

/* The first block is that of FIPS 197. */
static void fill(uint8_t *text)
{
    for (unsigned i = 0; i < BYTES; i++)
        text[i] = (uint8_t)(i < 16 ? i * 0x11 : i * 7 + (i >> 3));
}

/* Counter mode from a counter whose last byte wraps on the way. */
static int count(const fitaes_key *key, uint8_t *out, const uint8_t *in, size_t bytes)
{
    static const uint8_t counter[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xfe};
    fitaes_ctr state;
    int status = fitaes_ctr_start(&state, counter, 128);
    return status != FITAES_OK ? status : fitaes_ctr_crypt(key, &state, out, in, bytes);
}

typedef int crypt(const fitaes_key *key, uint8_t *out, const uint8_t *in, size_t bytes);

/* Interrupts inside encryption, decryption and counter mode. */
static unsigned came[3];

/* In place, interrupted; whether the right answer came out. */
static int right(unsigned part, const fitaes_key *key, uint8_t *text, const uint8_t *wanted,
                 unsigned first)
{
    static crypt *const run[3] = {fitaes_ecb_encrypt, fitaes_ecb_decrypt, count};
    unsigned before = inside();
    disturb_begin(first);
    run[part](key, text, text, BYTES);
    disturb_end();
    came[part] += inside() - before;
    return equal(text, wanted, BYTES);
}

static int key_is_right(unsigned size)
{
    static uint8_t room[BYTES + 3], plain[BYTES], encrypted[BYTES], counted[BYTES], secret[32];
    fitaes_key key;
    for (unsigned i = 0; i < sizeof secret; i++)
        secret[i] = (uint8_t)i;
    fill(plain);
    fitaes_expand_key(&key, NULL, secret, 16 + 8 * size, FITAES_BOTH);
    fitaes_ecb_encrypt(&key, encrypted, plain, BYTES);
    count(&key, counted, plain, BYTES);
    if (!equal(encrypted, known[size], 16))
        leave(4);
    for (unsigned place = 0; place < PLACES; place++)
        for (unsigned first = 1; first <= 2 * PERIOD; first += STEP) {
            uint8_t *text = room + place;
            fill(text);
            if (!right(0, &key, text, encrypted, first) || !right(1, &key, text, plain, first) ||
                !right(2, &key, text, counted, first))
                return 0;
        }
    return 1;
}

int main(void)
{
    for (unsigned size = 0; size < 3; size++)
        if (!key_is_right(size))
            return 1;
    print("interrupts inside encryption\n", came[0]);
    print("interrupts inside decryption\n", came[1]);
    print("interrupts inside counter mode\n", came[2]);
    print_addresses();
    return came[0] > 0 && came[1] > 0 && came[2] > 0 ? 0 : 2;
}
