/* SPDX-License-Identifier: MIT */
/* The S-box circuits and their bit-sliced layout against FIPS 197: all 256 inputs in each of the 32
 * places, with other values around. */
#include "parts/steps/bitslice.h"
#include "parts/tables/inv_sbox.h"
#include "parts/tables/sbox.h"
#include "parts/steps/sbox_circuit.h"
#include "test.h"

/* Bits of 32 bytes; place p is bit p of each word. */
static void slice(uint32_t q[8], const uint8_t bytes[32])
{
    for (int b = 0; b < 8; b++) {
        q[b] = 0;
        for (int p = 0; p < 32; p++)
            q[b] |= (uint32_t)((bytes[p] >> b) & 1) << p;
    }
}

static void unslice(uint8_t bytes[32], const uint32_t q[8])
{
    for (int p = 0; p < 32; p++) {
        bytes[p] = 0;
        for (int b = 0; b < 8; b++)
            bytes[p] = (uint8_t)(bytes[p] | ((q[b] >> p) & 1) << b);
    }
}

static void check_circuits(int place, int value)
{
    uint8_t in[32], got[32], expected[32];
    uint32_t q[8];
    random_fill(in, sizeof in);
    in[place] = (uint8_t)value;
    test_context("place %d, value %02x", place, (unsigned)value);

    slice(q, in);
    sbox_circuit(q);
    unslice(got, q);
    for (int p = 0; p < 32; p++)
        expected[p] = sbox[in[p]] ^ 0x63;
    CHECK_BYTES(got, expected, 32);

    slice(q, in);
    inv_sbox_circuit(q);
    unslice(got, q);
    for (int p = 0; p < 32; p++)
        expected[p] = inv_sbox[in[p] ^ 0x63];
    CHECK_BYTES(got, expected, 32);
}

/* Byte r of column c of block `lane` stands at bit 8 r + 2 c + lane. */
static void check_layout(void)
{
    uint8_t blocks[2][16], back[2][16], placed[32];
    uint32_t loaded[8], expected[8];
    random_fill(blocks, sizeof blocks);
    for (int lane = 0; lane < 2; lane++)
        for (int i = 0; i < 16; i++)
            placed[8 * (i % 4) + 2 * (i / 4) + lane] = blocks[lane][i];
    slice(expected, placed);
    bitslice_load(loaded, blocks[0], blocks[1]);
    test_context("layout");
    CHECK_BYTES(loaded, expected, sizeof expected);
    bitslice_store(back[0], back[1], loaded);
    CHECK_BYTES(back, blocks, sizeof blocks);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    for (int place = 0; place < 32; place++)
        for (int value = 0; value < 256; value++)
            check_circuits(place, value);
    for (int run = 0; run < 100; run++)
        check_layout();
    return test_end();
}
