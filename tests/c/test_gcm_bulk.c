/* SPDX-License-Identifier: MIT */
/* The interleaved GCM of the core aesni, on 512-bit registers (where the processor has them) and on
 * 128-bit ones (features set to 0), against textbook GCM over the core ttable1. */
#include "book.h"
#include "core.h"

enum { MAX_BLOCKS = 100, MAX_BYTES = 16 * MAX_BLOCKS + 64 };

typedef void bulk_function(const aesfit_gcm_key *key, uint8_t counter[16], uint8_t y[16],
                           uint8_t *out, const uint8_t *in, size_t blocks);

static aesfit_gcm_key fast;  /* aesni, clmul */
static aesfit_key reference; /* ttable1 */

/* ------------------------------------------------------------------ blocks */

/* One call of the bulk path, both directions; the counter's last word starts at `count`. */
static void check_blocks(size_t blocks, uint32_t count, size_t shift, int in_place)
{
    static uint8_t in[MAX_BYTES], expected[MAX_BYTES], buffer[MAX_BYTES], source[MAX_BYTES];
    uint8_t counter[16], after[16], got_counter[16], y[16], hash[16], got_y[16], h[16] = {0};
    const aesfit_bulk *bulk = fast.aes.core->bulk;
    size_t bytes = 16 * blocks;
    random_fill(counter, 12);
    random_fill(y, 16);
    random_fill(in, bytes);
    memcpy(expected, in, bytes);
    memcpy(after, counter, 12);
    book_big_endian(after + 12, 4, count - 1); /* book_ctr() counts before it encrypts */
    book_ctr(&reference, after, 4, expected, bytes);
    book_big_endian(counter + 12, 4, count);
    book_big_endian(after + 12, 4, count + blocks);
    book_block(&reference, h, h);
    for (int decrypt = 0; decrypt < 2; decrypt++) {
        bulk_function *crypt = decrypt ? bulk->gcm_decrypt : bulk->gcm_encrypt;
        uint8_t *out = buffer + shift, *from = in_place ? out : source + (shift + 1) % 16;
        memcpy(got_counter, counter, 16);
        memcpy(got_y, y, 16);
        memset(buffer, 0x5a, sizeof buffer);
        memcpy(from, in, bytes);
        crypt(&fast, got_counter, got_y, out, from, blocks);
        memcpy(hash, y, 16);
        book_ghash(h, hash, decrypt ? in : expected, bytes);
        CHECK_BYTES(out, expected, bytes);
        CHECK_BYTES(got_y, hash, 16);
        CHECK_BYTES(got_counter, after, 16);
        CHECK(out[bytes] == 0x5a && (shift == 0 || out[-1] == 0x5a));
    }
}

static void check_block_counts(const char *path)
{
    for (size_t blocks = 0; blocks <= MAX_BLOCKS; blocks++) {
        test_context("%s, %u rounds, %u blocks", path, fast.aes.rounds, (unsigned)blocks);
        check_blocks(blocks, (uint32_t)random_u64(), blocks % 16, (int)(blocks % 2));
        check_blocks(blocks, 1, 0, (int)(blocks % 3 == 0));
    }
    for (uint32_t before = 0; before <= 40; before++) {
        test_context("%s, %u rounds, wrap after %u", path, fast.aes.rounds, (unsigned)before);
        check_blocks(40, 0u - before, 3, 0);
    }
}

/* --------------------------------------------------------- whole messages */

static void check_message(const char *path, size_t bytes, size_t ad_bytes)
{
    static uint8_t in[MAX_BYTES], ad[MAX_BYTES], expected[MAX_BYTES], got[MAX_BYTES];
    uint8_t nonce[12], tag[16], got_tag[16];
    aead_message message = {nonce, ad, sizeof nonce, ad_bytes, bytes, 16};
    test_context("%s, %u rounds, %u bytes, %u of ad", path, fast.aes.rounds, (unsigned)bytes,
                 (unsigned)ad_bytes);
    random_fill(nonce, sizeof nonce);
    random_fill(in, bytes);
    random_fill(ad, ad_bytes);
    memset(got, 0x5a, sizeof got);
    book_gcm(&reference, &message, expected, in, tag);
    CHECK_STATUS(
        aesfit_gcm_encrypt(&fast, nonce, 12, ad, ad_bytes, got + 1, in, bytes, got_tag, 16),
        AESFIT_OK);
    CHECK_BYTES(got + 1, expected, bytes);
    CHECK_BYTES(got_tag, tag, 16);
    CHECK(got[bytes + 1] == 0x5a && got[0] == 0x5a);
    memcpy(got + 1, in, bytes);
    CHECK_STATUS(
        aesfit_gcm_encrypt(&fast, nonce, 12, ad, ad_bytes, got + 1, got + 1, bytes, got_tag, 16),
        AESFIT_OK);
    CHECK_BYTES(got + 1, expected, bytes);
    CHECK_BYTES(got_tag, tag, 16);
    CHECK_STATUS(
        aesfit_gcm_decrypt(&fast, nonce, 12, ad, ad_bytes, got + 1, got + 1, bytes, tag, 16),
        AESFIT_OK);
    CHECK_BYTES(got + 1, in, bytes);
    CHECK(got[bytes + 1] == 0x5a && got[0] == 0x5a);
    tag[random_below(16)] ^= (uint8_t)(1u << random_below(8));
    CHECK_STATUS(aesfit_gcm_decrypt(&fast, nonce, 12, ad, ad_bytes, got, expected, bytes, tag, 16),
                 AESFIT_ERR_AUTHENTICATION);
}

/* Each key size tests one length in three, and all sizes together test each. */
static void check_messages(const char *path, size_t turn)
{
    static const size_t ad_sizes[] = {0, 1, 13, 16, 20, 32, 47, 48, 49, 64, 65, 128, 300};
    size_t count = sizeof ad_sizes / sizeof ad_sizes[0];
    for (size_t bytes = turn % TEST_TURNS(3); bytes <= 700; bytes += TEST_TURNS(3))
        check_message(path, bytes, ad_sizes[bytes % count]);
    for (size_t i = turn % TEST_TURNS(3); i < count; i += TEST_TURNS(3))
        for (size_t bytes = 0; bytes <= 300; bytes += bytes < 40 ? 1 : 13)
            check_message(path, bytes, ad_sizes[i]);
}

int main(int argc, char **argv)
{
    const aesfit_core *aesni = aesfit_core_by_name("aesni");
    uint8_t key[32];
    test_begin(argc, argv);
    if (!aesfit_core_available(aesni) || aesni->bulk == NULL) {
        printf("skipped: no AES instructions\n");
        return 0;
    }
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8) {
        random_fill(key, key_bytes);
        CHECK_STATUS(aesfit_gcm_expand_key(&fast, aesni, NULL, key, key_bytes), AESFIT_OK);
        CHECK_STATUS(aesfit_expand_key(&reference, aesfit_core_by_name("ttable1"), key, key_bytes,
                                       AESFIT_ENCRYPT),
                     AESFIT_OK);
        CHECK(fast.ghash == aesni->bulk->gcm_ghash);
        if (fast.aes.features != 0) {
            check_block_counts("wide");
            check_messages("wide", key_bytes / 8);
        }
        fast.aes.features = 0;
        check_block_counts("narrow");
        check_messages("narrow", key_bytes / 8);
    }
    return test_end();
}
