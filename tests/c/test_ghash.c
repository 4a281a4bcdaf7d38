/* SPDX-License-Identifier: MIT */
/* Every GHASH multiplier that this processor can run against SP 800-38D 6.3 done bit by bit, and
 * the hash values of McGrew and Viega, The Galois/Counter Mode of Operation, appendix B. */
#include "book.h"
#include "ghash/ghash.h"

enum { MAX_BLOCKS = 70 };

static const aesfit_ghash *ghash; /* under test */

/* Bytes of random bits, all zeros, all ones or one single bit. */
static void fill(uint8_t *p, size_t bytes)
{
    size_t kind = random_below(6);
    random_fill(p, bytes);
    if (kind < 3)
        memset(p, kind == 0 ? 0xff : 0, bytes);
    if (kind == 2 && bytes > 0)
        p[random_below(bytes)] = (uint8_t)(1 << random_below(8));
}

static void check_random(size_t blocks)
{
    static uint8_t buffer[16 * MAX_BLOCKS + 1];
    aesfit_gcm_key key;
    uint8_t h[16], y[16], expected[16], *in = buffer + random_below(2); /* any alignment */
    fill(h, sizeof h);
    fill(y, sizeof y);
    fill(in, 16 * blocks);
    memcpy(expected, y, 16);
    memset(key.h, 0xa5, sizeof key.h);
    ghash->init(key.h, h);
    ghash->update(key.h, y, in, blocks);
    book_ghash(h, expected, in, 16 * blocks);
    test_context("%s, %lu blocks", ghash->name, (unsigned long)blocks);
    CHECK_BYTES(y, expected, 16);
}

/* Two calls in a row equal one. */
static void check_cuts(void)
{
    static uint8_t in[16 * MAX_BLOCKS];
    aesfit_gcm_key key;
    uint8_t h[16], whole[16] = {0}, cut[16] = {0};
    size_t blocks = 1 + random_below(MAX_BLOCKS), first = random_below(blocks + 1);
    random_fill(h, sizeof h);
    random_fill(in, 16 * blocks);
    ghash->init(key.h, h);
    ghash->update(key.h, whole, in, blocks);
    ghash->update(key.h, cut, in, first);
    ghash->update(key.h, cut, in + 16 * first, blocks - first);
    test_context("%s, %lu + %lu blocks", ghash->name, (unsigned long)first,
                 (unsigned long)(blocks - first));
    CHECK_BYTES(cut, whole, 16);
}

/* Only `key_bytes` bytes of the state are written. */
static void check_key_bytes(void)
{
    aesfit_gcm_key key;
    const uint8_t *state = (const uint8_t *)key.h;
    uint8_t h[16];
    random_fill(h, sizeof h);
    memset(key.h, 0xa5, sizeof key.h);
    ghash->init(key.h, h);
    size_t last = sizeof key.h;
    while (last > 0 && state[last - 1] == 0xa5)
        last--;
    test_context("%s", ghash->name);
    CHECK(last <= ghash->key_bytes && ghash->key_bytes <= sizeof key.h);
}

/* H, additional data, ciphertext, GHASH(H, A, C): appendix B, test cases 2, 3, 4 and 16. */
static const char *const published[][4] = {
    {"66e94bd4ef8a2c3b884cfa59ca342b2e", "", "0388dace60b6a392f328c2b971b2fe78",
     "f38cbb1ad69223dcc3457ae5b6b0f885"},
    {"b83b533708bf535d0aa6e52980d53b78", "",
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
     "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985",
     "7f1b32b81b820d02614f8895ac1d4eac"},
    {"b83b533708bf535d0aa6e52980d53b78", "feedfacedeadbeeffeedfacedeadbeefabaddad2",
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
     "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
     "698e57f70e6ecc7fd9463b7260a9ae5f"},
    {"acbef20579b4b8ebce889bac8732dad7", "feedfacedeadbeeffeedfacedeadbeefabaddad2",
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
     "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
     "8bd0c4d8aacd391e67cca447e8c38f65"},
};

static void check_published(size_t test)
{
    aesfit_gcm_key key;
    uint8_t h[16], y[16] = {0}, expected[16], in[16 * 8] = {0};
    hex_parse(h, sizeof h, published[test][0]);
    size_t ad_bytes = hex_parse(in, sizeof in, published[test][1]);
    size_t start = (ad_bytes + 15) / 16 * 16;
    size_t bytes = hex_parse(in + start, sizeof in - start, published[test][2]);
    size_t lengths = start + (bytes + 15) / 16 * 16;
    for (size_t i = 0; i < 8; i++) {
        in[lengths + i] = (uint8_t)((uint64_t)ad_bytes * 8 >> (56 - 8 * i));
        in[lengths + 8 + i] = (uint8_t)((uint64_t)bytes * 8 >> (56 - 8 * i));
    }
    hex_parse(expected, sizeof expected, published[test][3]);
    ghash->init(key.h, h);
    ghash->update(key.h, y, in, lengths / 16 + 1);
    test_context("%s, published value %lu", ghash->name, (unsigned long)test);
    CHECK_BYTES(y, expected, 16);
    book_ghash(h, (uint8_t *)memset(y, 0, 16), in, lengths + 16);
    CHECK_BYTES(y, expected, 16);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    for (size_t i = 0; i < aesfit_ghash_count(); i++) {
        ghash = aesfit_ghash_at(i);
        if (!aesfit_ghash_available(ghash)) {
            printf("%s: not on this processor\n", ghash->name);
            continue;
        }
        for (size_t blocks = 0; blocks <= MAX_BLOCKS; blocks++)
            check_random(blocks);
        for (int run = 0; run < 300; run++) {
            check_random(random_below(6));
            check_cuts();
        }
        check_key_bytes();
        for (size_t test = 0; test < sizeof published / sizeof published[0]; test++)
            check_published(test);
    }
    test_context("registered");
    CHECK(aesfit_ghash_available(aesfit_ghash_by_name("table8"))); /* there is room in this tree */
    CHECK(aesfit_ghash_by_name("shift32") != NULL && aesfit_default_ghash() != NULL);
    return test_end();
}
