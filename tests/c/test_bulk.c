/* SPDX-License-Identifier: MIT */
/* Every bulk path of every core against the same mode built block by block from `ttable1`: all
 * block counts from 0 to 150, all key sizes, in place and apart, at odd addresses, counters that
 * carry at every boundary; once with the features found in the processor and once with none, so
 * that the narrow paths are tested on a machine with wide registers too. */
#include "core.h"
#include "test.h"

enum { MAX_BLOCKS = 150, GUARD = 32, BUFFER = 16 * MAX_BLOCKS + 2 * GUARD };

/* state: IV, counter or tweak in the first 16 bytes, MAC in the last. */
typedef void (*path_function)(const aesfit_key *key, uint8_t state[32], uint8_t *out,
                              const uint8_t *in, size_t blocks);

/* --------------------------------------------------------------- references */

static void xor16(uint8_t *out, const uint8_t *a, const uint8_t *b)
{
    for (int i = 0; i < 16; i++)
        out[i] = (uint8_t)(a[i] ^ b[i]);
}

static void encrypt_one(const aesfit_key *key, uint8_t *out, const uint8_t *in)
{
    CHECK_STATUS(aesfit_ecb_encrypt(key, out, in, 16), AESFIT_OK);
}

static void decrypt_one(const aesfit_key *key, uint8_t *out, const uint8_t *in)
{
    CHECK_STATUS(aesfit_ecb_decrypt(key, out, in, 16), AESFIT_OK);
}

static void increment(uint8_t counter[16])
{
    for (int i = 15; i >= 0 && ++counter[i] == 0; i--)
        ;
}

/* Times x, lowest byte first (IEEE 1619, 5.2). */
static void double_tweak(uint8_t t[16])
{
    uint8_t top = (uint8_t)(t[15] >> 7);
    for (int i = 15; i > 0; i--)
        t[i] = (uint8_t)(t[i] << 1 | t[i - 1] >> 7);
    t[0] = (uint8_t)(t[0] << 1 ^ (top ? 0x87 : 0));
}

static void ref_encrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out, const uint8_t *in)
{
    (void)state;
    encrypt_one(key, out, in);
}

static void ref_decrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out, const uint8_t *in)
{
    (void)state;
    decrypt_one(key, out, in);
}

static void ref_cbc_encrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out,
                            const uint8_t *in)
{
    xor16(state, state, in);
    encrypt_one(key, state, state);
    memcpy(out, state, 16);
}

static void ref_cbc_decrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out,
                            const uint8_t *in)
{
    decrypt_one(key, out, in);
    xor16(out, out, state);
    memcpy(state, in, 16);
}

static void ref_ctr(const aesfit_key *key, uint8_t state[32], uint8_t *out, const uint8_t *in)
{
    encrypt_one(key, out, state);
    xor16(out, out, in);
    increment(state);
}

static void ref_xts_encrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out,
                            const uint8_t *in)
{
    xor16(out, in, state);
    encrypt_one(key, out, out);
    xor16(out, out, state);
    double_tweak(state);
}

static void ref_xts_decrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out,
                            const uint8_t *in)
{
    xor16(out, in, state);
    decrypt_one(key, out, out);
    xor16(out, out, state);
    double_tweak(state);
}

static void ref_cbc_mac(const aesfit_key *key, uint8_t state[32], uint8_t *out, const uint8_t *in)
{
    memcpy(out, in, 16);
    xor16(state + 16, state + 16, in);
    encrypt_one(key, state + 16, state + 16);
}

static void ref_ccm_encrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out,
                            const uint8_t *in)
{
    ref_cbc_mac(key, state, out, in);
    ref_ctr(key, state, out, in);
}

static void ref_ccm_decrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out,
                            const uint8_t *in)
{
    uint8_t plain[16];
    ref_ctr(key, state, plain, in);
    ref_cbc_mac(key, state, out, plain);
}

/* --------------------------------------------------------------- bulk paths */

static void bulk_encrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out, const uint8_t *in,
                         size_t blocks)
{
    (void)state;
    key->core->encrypt(key, out, in, blocks);
}

static void bulk_decrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out, const uint8_t *in,
                         size_t blocks)
{
    (void)state;
    key->core->decrypt(key, out, in, blocks);
}

#define BULK_OF_ONE_STATE(path)                                                                    \
    static void bulk_##path(const aesfit_key *key, uint8_t state[32], uint8_t *out,                \
                            const uint8_t *in, size_t blocks)                                      \
    {                                                                                              \
        key->core->bulk->path(key, state, out, in, blocks);                                        \
    }
BULK_OF_ONE_STATE(cbc_encrypt)
BULK_OF_ONE_STATE(cbc_decrypt)
BULK_OF_ONE_STATE(ctr)
BULK_OF_ONE_STATE(xts_encrypt)
BULK_OF_ONE_STATE(xts_decrypt)

static void bulk_cbc_mac(const aesfit_key *key, uint8_t state[32], uint8_t *out, const uint8_t *in,
                         size_t blocks)
{
    key->core->bulk->cbc_mac(key, state + 16, in, blocks);
    memmove(out, in, 16 * blocks);
}

static void bulk_ccm_encrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out,
                             const uint8_t *in, size_t blocks)
{
    key->core->bulk->ccm_encrypt(key, state, state + 16, out, in, blocks);
}

static void bulk_ccm_decrypt(const aesfit_key *key, uint8_t state[32], uint8_t *out,
                             const uint8_t *in, size_t blocks)
{
    key->core->bulk->ccm_decrypt(key, state, state + 16, out, in, blocks);
}

typedef struct test_path {
    const char *name;
    path_function bulk;
    void (*reference)(const aesfit_key *key, uint8_t state[32], uint8_t *out, const uint8_t *in);
} test_path;

enum {
    PATH_ENCRYPT,
    PATH_DECRYPT,
    PATH_CBC_ENCRYPT,
    PATH_CBC_DECRYPT,
    PATH_CTR,
    PATH_XTS_ENCRYPT,
    PATH_XTS_DECRYPT,
    PATH_CBC_MAC,
    PATH_CCM_ENCRYPT,
    PATH_CCM_DECRYPT,
    PATHS
};

static const test_path paths[PATHS] = {
    [PATH_ENCRYPT] = {"encrypt", bulk_encrypt, ref_encrypt},
    [PATH_DECRYPT] = {"decrypt", bulk_decrypt, ref_decrypt},
    [PATH_CBC_ENCRYPT] = {"cbc_encrypt", bulk_cbc_encrypt, ref_cbc_encrypt},
    [PATH_CBC_DECRYPT] = {"cbc_decrypt", bulk_cbc_decrypt, ref_cbc_decrypt},
    [PATH_CTR] = {"ctr", bulk_ctr, ref_ctr},
    [PATH_XTS_ENCRYPT] = {"xts_encrypt", bulk_xts_encrypt, ref_xts_encrypt},
    [PATH_XTS_DECRYPT] = {"xts_decrypt", bulk_xts_decrypt, ref_xts_decrypt},
    [PATH_CBC_MAC] = {"cbc_mac", bulk_cbc_mac, ref_cbc_mac},
    [PATH_CCM_ENCRYPT] = {"ccm_encrypt", bulk_ccm_encrypt, ref_ccm_encrypt},
    [PATH_CCM_DECRYPT] = {"ccm_decrypt", bulk_ccm_decrypt, ref_ccm_decrypt},
};

/* Skips paths that a core does not have; it always has `encrypt` and `decrypt`. */
static int path_exists(const aesfit_core *core, int path)
{
    const aesfit_bulk *b = core->bulk;
    switch (path) {
    case PATH_CBC_ENCRYPT:
        return b->cbc_encrypt != NULL;
    case PATH_CBC_DECRYPT:
        return b->cbc_decrypt != NULL;
    case PATH_CTR:
        return b->ctr != NULL;
    case PATH_XTS_ENCRYPT:
        return b->xts_encrypt != NULL;
    case PATH_XTS_DECRYPT:
        return b->xts_decrypt != NULL;
    case PATH_CBC_MAC:
        return b->cbc_mac != NULL;
    case PATH_CCM_ENCRYPT:
        return b->ccm_encrypt != NULL;
    case PATH_CCM_DECRYPT:
        return b->ccm_decrypt != NULL;
    default:
        return 1;
    }
}

/* -------------------------------------------------------------------- tests */

typedef struct test_keys {
    aesfit_key fast, reference;
} test_keys;

/* Random data from `start` on: apart and in place, at odd addresses, nothing written outside. */
static void check_path(const test_keys *keys, const test_path *path, const uint8_t start[32],
                       size_t blocks)
{
    static uint8_t in[BUFFER], out[BUFFER], guard[BUFFER], expected[16 * MAX_BLOCKS];
    uint8_t *from = in + random_below(GUARD), state[32], final[32];
    random_fill(in, sizeof in);
    random_fill(guard, sizeof guard);
    memcpy(final, start, 32);
    for (size_t i = 0; i < blocks; i++)
        path->reference(&keys->reference, final, expected + 16 * i, from + 16 * i);
    for (int in_place = 0; in_place < 2; in_place++) {
        size_t offset = random_below(GUARD), end = offset + 16 * blocks;
        test_context("%s %s, %d bits, features %d, %lu blocks, in place %d", keys->fast.core->name,
                     path->name, 32 * keys->fast.key_words, keys->fast.features,
                     (unsigned long)blocks, in_place);
        memcpy(out, guard, sizeof out);
        if (in_place)
            memcpy(out + offset, from, 16 * blocks);
        memcpy(state, start, 32);
        path->bulk(&keys->fast, state, out + offset, in_place ? out + offset : from, blocks);
        CHECK_BYTES(out + offset, expected, 16 * blocks);
        CHECK_BYTES(state, final, 32);
        CHECK_BYTES(out, guard, offset);
        CHECK_BYTES(out + end, guard + end, sizeof out - end);
    }
}

static void check_all_counts(const test_keys *keys)
{
    for (int p = 0; p < PATHS; p++)
        for (size_t blocks = 0; blocks <= MAX_BLOCKS; blocks++) {
            uint8_t start[32];
            random_fill(start, sizeof start);
            start[8] &= 0x7f; /* CCM's counter field, the last 8 bytes at most, never wraps */
            if (path_exists(keys->fast.core, p))
                check_path(keys, &paths[p], start, blocks);
        }
}

/* CTR whose last 4, 8 or 16 counter bytes wrap after each number of blocks. */
static void check_carries(const test_keys *keys)
{
    for (unsigned bytes = 4; bytes <= 16; bytes *= 2)
        for (unsigned before = 0; before <= MAX_BLOCKS; before++) {
            uint8_t start[32];
            random_fill(start, sizeof start);
            memset(start + 16 - bytes, before != 0 ? 0xff : 0, bytes);
            start[15] = (uint8_t)(0 - before);
            for (size_t blocks = MAX_BLOCKS; blocks > 0; blocks = blocks * 2 / 3)
                check_path(keys, &paths[PATH_CTR], start, blocks);
        }
}

/* XTS from tweaks with a single bit, and from all ones: every carry of the tweak separately. */
static void check_tweaks(const test_keys *keys)
{
    for (unsigned bit = 0; bit <= 128; bit++) {
        uint8_t start[32] = {0};
        if (bit < 128)
            start[bit / 8] = (uint8_t)(1u << bit % 8);
        else
            memset(start, 0xff, 16);
        for (int p = PATH_XTS_ENCRYPT; p <= PATH_XTS_DECRYPT; p++)
            for (size_t blocks = MAX_BLOCKS; blocks > 0; blocks /= 4)
                check_path(keys, &paths[p], start, blocks);
    }
}

/* 1 to 8 independent streams, apart and in place. */
static void check_many(const test_keys *keys, size_t streams, size_t blocks)
{
    static uint8_t in[8][16 * MAX_BLOCKS], out[8][16 * MAX_BLOCKS], expected[16 * MAX_BLOCKS];
    uint8_t ivs[8][16], start[8][16], state[32], *iv_list[8], *out_list[8];
    const uint8_t *in_list[8];
    int in_place = random_below(2) != 0;
    test_context("cbc_encrypt_many, %d bits, features %d, %lu streams of %lu blocks, in place %d",
                 32 * keys->fast.key_words, keys->fast.features, (unsigned long)streams,
                 (unsigned long)blocks, in_place);
    random_fill(in, sizeof in);
    random_fill(start, sizeof start);
    memcpy(ivs, start, sizeof ivs);
    memcpy(out, in, sizeof out);
    for (size_t s = 0; s < 8; s++) {
        iv_list[s] = ivs[s];
        out_list[s] = out[s];
        in_list[s] = in_place ? out[s] : in[s];
    }
    keys->fast.core->bulk->cbc_encrypt_many(&keys->fast, iv_list, out_list, in_list, blocks,
                                            streams);
    for (size_t s = 0; s < 8; s++) {
        memcpy(state, start[s], 16);
        memcpy(expected, in[s], sizeof expected);
        for (size_t i = 0; i < blocks && s < streams; i++)
            ref_cbc_encrypt(&keys->reference, state, expected + 16 * i, in[s] + 16 * i);
        CHECK_BYTES(out[s], expected, sizeof expected);
        CHECK_BYTES(ivs[s], state, 16);
    }
}

static void check_core(const aesfit_core *core, const aesfit_core *simple)
{
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8) {
        test_keys keys;
        uint8_t bytes[32], found;
        random_fill(bytes, sizeof bytes);
        CHECK_STATUS(aesfit_expand_key(&keys.fast, core, bytes, key_bytes, AESFIT_BOTH), 0);
        CHECK_STATUS(aesfit_expand_key(&keys.reference, simple, bytes, key_bytes, AESFIT_BOTH), 0);
        found = keys.fast.features;
        for (int narrow = 0; narrow < (found != 0 ? 2 : 1); narrow++) {
            keys.fast.features = narrow ? 0 : found;
            check_all_counts(&keys);
            if (path_exists(core, PATH_CTR))
                check_carries(&keys);
            if (path_exists(core, PATH_XTS_ENCRYPT) && path_exists(core, PATH_XTS_DECRYPT))
                check_tweaks(&keys);
            for (size_t streams = 1; core->bulk->cbc_encrypt_many != NULL && streams <= 8;
                 streams++)
                for (size_t blocks = 0; blocks <= 20; blocks++)
                    check_many(&keys, streams, blocks);
        }
    }
}

int main(int argc, char **argv)
{
    const aesfit_core *simple = aesfit_core_by_name("ttable1");
    size_t tested = 0;
    test_begin(argc, argv);
    CHECK(simple != NULL);
    for (size_t i = 0; simple != NULL && i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        if (core->bulk == NULL || !aesfit_core_available(core))
            continue;
        printf("bulk paths of %s\n", core->name);
        check_core(core, simple);
        tested++;
    }
    printf("cores with bulk paths here: %lu\n", (unsigned long)tested);
    return test_end();
}
