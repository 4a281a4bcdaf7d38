/* SPDX-License-Identifier: MIT */
/* Fewer rounds than the standard's, for study: cores that take them agree with `bytewise`,
 * decryption undoes encryption, and everything else is refused. */
#include "core.h"
#include "test.h"

enum { BLOCKS = 5, BYTES = 16 * BLOCKS };

static const aesfit_core *reference;

static void test_agree(const aesfit_core *core, size_t key_bytes, unsigned rounds)
{
    aesfit_key trusted, key;
    uint8_t bytes[32], in[BYTES], out[BYTES], expected[BYTES];
    random_fill(bytes, sizeof bytes);
    random_fill(in, sizeof in);
    CHECK_STATUS(
        aesfit_study_expand_key(&trusted, reference, bytes, key_bytes, AESFIT_BOTH, rounds), 0);
    CHECK_STATUS(aesfit_study_expand_key(&key, core, bytes, key_bytes, AESFIT_BOTH, rounds), 0);
    CHECK(key.rounds == rounds);
    CHECK_STATUS(aesfit_ecb_encrypt(&trusted, expected, in, BYTES), AESFIT_OK);
    CHECK_STATUS(aesfit_ecb_encrypt(&key, out, in, BYTES), AESFIT_OK);
    CHECK_BYTES(out, expected, BYTES);
    CHECK_STATUS(aesfit_ecb_decrypt(&key, out, out, BYTES), AESFIT_OK);
    CHECK_BYTES(out, in, BYTES);

    /* A key for one direction gives the same. */
    CHECK_STATUS(aesfit_study_expand_key(&key, core, bytes, key_bytes, AESFIT_ENCRYPT, rounds), 0);
    CHECK_STATUS(aesfit_ecb_encrypt(&key, out, in, BYTES), AESFIT_OK);
    CHECK_BYTES(out, expected, BYTES);
    CHECK_STATUS(aesfit_study_expand_key(&key, core, bytes, key_bytes, AESFIT_DECRYPT, rounds), 0);
    CHECK_STATUS(aesfit_ecb_decrypt(&key, out, out, BYTES), AESFIT_OK);
    CHECK_BYTES(out, in, BYTES);
}

/* All the rounds of the standard: the same as the ordinary expansion. */
static void test_standard(const aesfit_core *core, size_t key_bytes)
{
    aesfit_key study, key;
    uint8_t bytes[32], in[BYTES], a[BYTES], b[BYTES];
    unsigned rounds = (unsigned)key_bytes / 4 + 6;
    random_fill(bytes, sizeof bytes);
    random_fill(in, sizeof in);
    CHECK_STATUS(aesfit_study_expand_key(&study, core, bytes, key_bytes, AESFIT_BOTH, rounds), 0);
    CHECK_STATUS(aesfit_expand_key(&key, core, bytes, key_bytes, AESFIT_BOTH), AESFIT_OK);
    CHECK_STATUS(aesfit_ecb_encrypt(&study, a, in, BYTES), AESFIT_OK);
    CHECK_STATUS(aesfit_ecb_encrypt(&key, b, in, BYTES), AESFIT_OK);
    CHECK_BYTES(a, b, BYTES);
}

static void test_refused(const aesfit_core *core, size_t key_bytes, unsigned rounds)
{
    aesfit_key key;
    uint8_t bytes[32] = {0}, block[16] = {0};
    CHECK_STATUS(aesfit_study_expand_key(&key, core, bytes, key_bytes, AESFIT_BOTH, rounds),
                 AESFIT_ERR_ROUNDS);
    CHECK_STATUS(aesfit_ecb_encrypt(&key, block, block, 16), AESFIT_ERR_DIRECTION);
}

/* One round is AddRoundKey, SubBytes, ShiftRows, AddRoundKey (FIPS 197, B, rounds 0 and 1: the
 * state after ShiftRows with the second round key added). */
static void test_one_round(void)
{
    aesfit_key key;
    uint8_t bytes[16], block[16], expected[16], round_key[16];
    hex_parse(bytes, 16, "2b7e151628aed2a6abf7158809cf4f3c");
    hex_parse(block, 16, "3243f6a8885a308d313198a2e0370734");
    hex_parse(expected, 16, "d4bf5d30e0b452aeb84111f11e2798e5");
    hex_parse(round_key, 16, "a0fafe1788542cb123a339392a6c7605");
    for (int i = 0; i < 16; i++)
        expected[i] = (uint8_t)(expected[i] ^ round_key[i]);
    CHECK_STATUS(aesfit_study_expand_key(&key, reference, bytes, 16, AESFIT_ENCRYPT, 1), 0);
    CHECK_STATUS(aesfit_ecb_encrypt(&key, block, block, 16), AESFIT_OK);
    CHECK_BYTES(block, expected, 16);
}

static void test_arguments(void)
{
    static const uint8_t raw_key[32];
    aesfit_key key;
    test_context("arguments");
    CHECK_STATUS(aesfit_study_expand_key(NULL, reference, raw_key, 16, AESFIT_BOTH, 3),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_study_expand_key(&key, reference, NULL, 16, AESFIT_BOTH, 3),
                 AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_study_expand_key(&key, reference, raw_key, 17, AESFIT_BOTH, 3),
                 AESFIT_ERR_KEY_LENGTH);
    CHECK_STATUS(aesfit_study_expand_key(&key, reference, raw_key, 16, 4, 3), AESFIT_ERR_ARGUMENT);
}

static void test_core(const aesfit_core *core)
{
    int takes = (core->properties & AESFIT_STUDY_ROUNDS) != 0;
    printf("%s: %s\n", core->name, takes ? "takes fewer rounds" : "refuses");
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8) {
        unsigned standard = (unsigned)key_bytes / 4 + 6;
        for (unsigned rounds = 1; rounds <= standard; rounds++) {
            test_context("%s, %u bits, %u rounds", core->name, 8 * (unsigned)key_bytes, rounds);
            if (takes)
                test_agree(core, key_bytes, rounds);
            else
                test_refused(core, key_bytes, rounds);
        }
        if (takes)
            test_standard(core, key_bytes);
        test_refused(core, key_bytes, 0);
        test_refused(core, key_bytes, standard + 1);
        test_refused(core, key_bytes, 256 + standard); /* not truncated to a byte */
    }
}

int main(int argc, char **argv)
{
    /* These take fewer rounds: the bytewise family and the cores with no table but the S-boxes. */
    static const char *const taking[] = {"bytewise",           "bytewise_alt1", "bytewise_alt2",
                                         "bytewise_unrolled",  "compact",       "sbox_columns",
                                         "equivalent_inverse", "transposed"};
    test_begin(argc, argv);
    reference = aesfit_core_by_name("bytewise");
    for (size_t i = 0; i < sizeof taking / sizeof taking[0]; i++) {
        const aesfit_core *core = aesfit_core_by_name(taking[i]);
        test_context("%s", taking[i]);
        CHECK(core == NULL || (core->properties & AESFIT_STUDY_ROUNDS) != 0);
    }
    CHECK(reference != NULL);
    if (reference == NULL)
        return test_end();
    test_one_round();
    test_arguments();
    for (size_t i = 0; i < aesfit_core_count(); i++)
        if (aesfit_core_available(aesfit_core_at(i)))
            test_core(aesfit_core_at(i));
    return test_end();
}
