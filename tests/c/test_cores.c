/* SPDX-License-Identifier: MIT */
/* Every core that this processor can run x key size x direction: the answers of the standards, and
 * random data against `bytewise` in every number of blocks from 0 to 4 lanes + 1 and one above,
 * in place, at every alignment. */
#include "core.h"
#include "parts/bytes.h"
#include "test.h"

enum { MAX_BLOCKS = 150, MARGIN = 16, ROOM = 16 * MAX_BLOCKS + 2 * MARGIN };

static const aesfit_core *reference;

static int run(const aesfit_key *key, unsigned direction, uint8_t *out, const uint8_t *in,
               size_t bytes)
{
    return direction == AESFIT_ENCRYPT ? aesfit_ecb_encrypt(key, out, in, bytes)
                                       : aesfit_ecb_decrypt(key, out, in, bytes);
}

static void run_core(const aesfit_key *key, unsigned direction, uint8_t *out, const uint8_t *in,
                     size_t blocks)
{
    (direction == AESFIT_ENCRYPT ? key->core->encrypt : key->core->decrypt)(key, out, in, blocks);
}

/* ------------------------------------------------------- answers of standards */

typedef struct answer {
    const char *source, *key, *plaintext, *ciphertext;
} answer;

static const answer answers[] = {
    {"FIPS 197, B", "2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734",
     "3925841d02dc09fbdc118597196a0b32"},
    {"FIPS 197, C.1", "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
     "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"FIPS 197, C.2", "000102030405060708090a0b0c0d0e0f1011121314151617",
     "00112233445566778899aabbccddeeff", "dda97ca4864cdfe06eaf70a0ec0d7191"},
    {"FIPS 197, C.3", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "00112233445566778899aabbccddeeff", "8ea2b7ca516745bfeafc49904b496089"},
    {"SP 800-38A, F.1.1", "2b7e151628aed2a6abf7158809cf4f3c",
     "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
     "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710",
     "3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf"
     "43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4"},
    {"SP 800-38A, F.1.3", "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
     "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
     "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710",
     "bd334f1d6e45f25ff712a214571fa5cc 974104846d0ad3ad7734ecb3ecee4eef"
     "ef7afd2270e2e60adce0ba2face6444e 9a4b41ba738d6c72fb16691603c18e0e"},
    {"SP 800-38A, F.1.5", "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
     "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710",
     "f3eed1bdb5d2a03c064b5a7e3db181f8 591ccb10d410ed26dc5ba74a31362870"
     "b6ed21b99ca6f4f9f153e7b1beafed1d 23304b7a39f9f3ff067d8d8f9e24ecc7"},
};

static void test_answers(const aesfit_core *core)
{
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        aesfit_key key;
        uint8_t k[32], p[64], c[64], out[64];
        size_t key_bytes = hex_parse(k, sizeof k, answers[i].key);
        size_t bytes = hex_parse(p, sizeof p, answers[i].plaintext);
        test_context("%s, %s", core->name, answers[i].source);
        CHECK(hex_parse(c, sizeof c, answers[i].ciphertext) == bytes);
        CHECK_STATUS(aesfit_expand_key(&key, core, k, key_bytes, AESFIT_BOTH), AESFIT_OK);
        CHECK_STATUS(aesfit_ecb_encrypt(&key, out, p, bytes), AESFIT_OK);
        CHECK_BYTES(out, c, bytes);
        CHECK_STATUS(aesfit_ecb_decrypt(&key, out, c, bytes), AESFIT_OK);
        CHECK_BYTES(out, p, bytes);
    }
}

/* ---------------------------------------------------- the schedules of FIPS 197, A */

/* How a core may keep the first (encryption) round keys. */
typedef enum layout {
    LAYOUT_BYTES,     /* the bytes of FIPS 197 */
    LAYOUT_WORDS,     /* a word is a column, row 0 in the low byte */
    LAYOUT_ROWS,      /* bytes, row by row */
    LAYOUT_ROW_WORDS, /* a word is a row, column 0 in the low byte */
    LAYOUTS
} layout;

/* Keys of appendix A; the second and the last round key they give. */
static const struct {
    const char *key, *second, *last;
} schedules[] = {
    {"2b7e151628aed2a6abf7158809cf4f3c", "a0fafe1788542cb123a339392a6c7605",
     "d014f9a8c9ee2589e13f0cc8b6630ca6"},
    {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "62f8ead2522c6b7bfe0c91f72402f5a5",
     "e98ba06f448c773c8ecc720401002202"},
    {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "1f352c073b6108d72d9810a30914dff4", "fe4890d1e6188d0b046df344706c631e"},
};

static void read_round_key(uint8_t out[16], const aesfit_key *key, layout how, unsigned round)
{
    uint8_t kept[16];
    memcpy(kept, key->schedule + 4 * round, 16);
    for (unsigned i = 0; i < 4 && (how == LAYOUT_WORDS || how == LAYOUT_ROW_WORDS); i++)
        store32_le(kept + 4 * i, key->schedule[4 * round + i]);
    for (unsigned i = 0; i < 16; i++)
        out[i] = kept[how == LAYOUT_ROWS || how == LAYOUT_ROW_WORDS ? 4 * (i % 4) + i / 4 : i];
}

/* 1 if the appendix's round keys are there in this layout. */
static int has_schedule(const aesfit_key *key, layout how, unsigned size)
{
    uint8_t second[16], last[16], got[16];
    hex_parse(second, sizeof second, schedules[size].second);
    hex_parse(last, sizeof last, schedules[size].last);
    read_round_key(got, key, how, 1);
    if (memcmp(got, second, 16) != 0)
        return 0;
    read_round_key(got, key, how, key->rounds);
    return memcmp(got, last, 16) == 0;
}

/* Every core that keeps round keys keeps those of the standard, in one of the layouts.  Bit-sliced
 * cores keep them sliced, in more bytes, and are not checked here. */
static void test_schedules(const aesfit_core *core)
{
    unsigned fitting[LAYOUTS] = {0};
    int sliced = core->round_key_bytes[0].encrypt > 11 * 16, found = 0;
    if (sliced || (core->properties & AESFIT_ON_THE_FLY_KEYS) != 0)
        return;
    for (unsigned size = 0; size < 3; size++) {
        aesfit_key key;
        uint8_t k[32];
        size_t key_bytes = hex_parse(k, sizeof k, schedules[size].key);
        test_context("%s, FIPS 197 A.%u", core->name, size + 1);
        CHECK_STATUS(aesfit_expand_key(&key, core, k, key_bytes, AESFIT_ENCRYPT), AESFIT_OK);
        for (int how = 0; how < LAYOUTS; how++)
            fitting[how] += (unsigned)has_schedule(&key, (layout)how, size);
    }
    for (int how = 0; how < LAYOUTS; how++)
        found = found || fitting[how] == 3;
    test_context("%s: the schedules of FIPS 197, A, in one layout", core->name);
    CHECK(found);
}

/* Expansion writes exactly the bytes that the core declares. */
static void test_round_key_bytes(const aesfit_core *core, unsigned size, unsigned directions)
{
    static aesfit_key zeros, ones;
    const aesfit_round_key_bytes *declared = &core->round_key_bytes[size];
    const uint8_t *a = (const uint8_t *)zeros.schedule, *b = (const uint8_t *)ones.schedule;
    uint8_t bytes[32];
    size_t written = 0;
    random_fill(bytes, sizeof bytes);
    memset(&zeros, 0, sizeof zeros);
    memset(&ones, 0xff, sizeof ones);
    aesfit_expand_key(&zeros, core, bytes, 16 + 8 * size, directions);
    aesfit_expand_key(&ones, core, bytes, 16 + 8 * size, directions);
    for (size_t i = 0; i < sizeof zeros.schedule; i++)
        written += a[i] == b[i];
    CHECK(written == (directions == AESFIT_ENCRYPT   ? declared->encrypt
                      : directions == AESFIT_DECRYPT ? declared->decrypt
                                                     : declared->both));
}

/* -------------------------------------------------------------- random data */

/* Both keys hold the same bytes.  in_at and out_at are 0 to 7. */
static void check_blocks(const aesfit_key *key, const aesfit_key *trusted, unsigned direction,
                         size_t blocks, size_t in_at, size_t out_at)
{
    static uint8_t in[ROOM], copy[ROOM], out[ROOM], expected[ROOM];
    size_t bytes = 16 * blocks;
    random_fill(in, sizeof in);
    memcpy(copy, in, sizeof in);
    memset(out, 0xa5, sizeof out);
    memset(expected, 0xa5, sizeof expected);
    run_core(trusted, direction, expected + MARGIN + out_at, in + MARGIN + in_at, blocks);
    run_core(key, direction, out + MARGIN + out_at, in + MARGIN + in_at, blocks);
    CHECK_BYTES(out, expected, sizeof out); /* nothing around the output was written */
    CHECK_BYTES(in, copy, sizeof in);
    run_core(key, direction, in + MARGIN + in_at, in + MARGIN + in_at, blocks);
    memcpy(copy + MARGIN + in_at, expected + MARGIN + out_at, bytes);
    CHECK_BYTES(in, copy, sizeof in); /* in place */
}

static void test_blocks(const aesfit_core *core, size_t key_bytes, unsigned direction,
                        size_t blocks)
{
    aesfit_key trusted, only, both;
    uint8_t buffer[40], *bytes = buffer + blocks % 8;
    random_fill(buffer, sizeof buffer);
    CHECK_STATUS(aesfit_expand_key(&trusted, reference, bytes, key_bytes, AESFIT_BOTH), AESFIT_OK);
    CHECK_STATUS(aesfit_expand_key(&only, core, bytes, key_bytes, direction), AESFIT_OK);
    CHECK_STATUS(aesfit_expand_key(&both, core, bytes, key_bytes, AESFIT_BOTH), AESFIT_OK);
    check_blocks(&only, &trusted, direction, blocks, 0, 0);
    check_blocks(&both, &trusted, direction, blocks, 0, 0);
    for (size_t at = 1; at < 64 && (blocks == 1 || blocks == core->lanes + 1u); at++)
        check_blocks(&both, &trusted, direction, blocks, at % 8, at / 8);
}

static void test_random(const aesfit_core *core, size_t key_bytes, unsigned direction)
{
    size_t most = 4u * core->lanes + 1;
    for (size_t blocks = 0; blocks <= most; blocks++)
        test_blocks(core, key_bytes, direction, blocks);
    test_blocks(core, key_bytes, direction, most + 1 + random_below(MAX_BLOCKS - most));
}

static void test_direction(const aesfit_core *core, unsigned direction)
{
    aesfit_key key;
    uint8_t block[16] = {0};
    CHECK_STATUS(aesfit_expand_key(&key, core, block, 16, AESFIT_BOTH - direction), AESFIT_OK);
    CHECK_STATUS(run(&key, direction, block, block, 16), AESFIT_ERR_DIRECTION);
}

/* ---------------------------------------------------------------- Monte Carlo */

/* The inner loop of the ECB Monte Carlo test (AESAVS, 6.4.1): 1000 times from the block of zeros
 * under the key 00 01 02 ..; computed with Python cryptography 50.0.2 (OpenSSL). */
static const char *const chains[3][2] = {
    {"1fd09ae87c7258990cc56156460ff206", "9724c089128cd21ec199d6b115a5820a"},
    {"b16827c199247bccf3bd908423b13929", "a38cc28bc5defe50be2821f55457cadc"},
    {"a5ee6799c190df6c5be35ef1efc5db1b", "7dc854423cfdbd0118d0a80e7096b5cc"},
};

static void test_chain(const aesfit_core *core, unsigned size, unsigned direction)
{
    aesfit_key key;
    uint8_t bytes[32], block[16] = {0}, expected[16];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    hex_parse(expected, sizeof expected, chains[size][direction == AESFIT_DECRYPT]);
    CHECK_STATUS(aesfit_expand_key(&key, core, bytes, 16 + 8 * size, direction), AESFIT_OK);
    for (int i = 0; i < 1000; i++)
        run_core(&key, direction, block, block, 1);
    CHECK_BYTES(block, expected, 16);
}

/* ----------------------------------------------------------------------- main */

static void test_core(const aesfit_core *core)
{
    test_answers(core);
    test_schedules(core);
    for (unsigned size = 0; size < 3; size++) {
        for (unsigned direction = AESFIT_ENCRYPT; direction <= AESFIT_DECRYPT; direction++) {
            test_context("%s, %u bits, direction %u", core->name, 128 + 64 * size, direction);
            test_random(core, 16 + 8 * size, direction);
            test_chain(core, size, direction);
            test_direction(core, direction);
            test_round_key_bytes(core, size, direction);
        }
        test_round_key_bytes(core, size, AESFIT_BOTH);
    }
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    reference = aesfit_core_by_name("bytewise");
    CHECK(reference != NULL);
    for (size_t i = 0; reference != NULL && i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        printf("%s%s\n", core->name, aesfit_core_available(core) ? "" : ": not on this processor");
        CHECK(core->lanes >= 1 && core->lanes <= AESFIT_MAX_LANES);
        if (aesfit_core_available(core))
            test_core(core);
    }
    return test_end();
}
