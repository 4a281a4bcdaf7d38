/* SPDX-License-Identifier: MIT */
/* Consecutive counter blocks over every core, some of which cache work between them: carries over
 * every byte boundary, inside the field and at its end, in CTR, CCM and GCM, against a core without
 * such a cache. */
#include "test.h"
#include <core.h>

enum { BLOCKS = 20, LONG = 16 * 530 + 5 }; /* the last byte of a counter wraps twice */

static uint8_t in[LONG], out[LONG], want[LONG];

static const aesfit_core *plain(void)
{
    return aesfit_core_by_name("bytewise");
}

/* The last `bytes` bytes wrap within a few blocks. */
static void before_border(uint8_t counter[16], unsigned bytes)
{
    random_fill(counter, 16);
    memset(counter + 16 - bytes, 0xff, bytes);
    counter[15] = (uint8_t)(counter[15] - random_below(8));
}

static void ctr(const aesfit_core *core, const uint8_t *raw, size_t key_bytes,
                const uint8_t counter[16], unsigned bits, uint8_t *to)
{
    aesfit_key key;
    aesfit_ctr state;
    CHECK_STATUS(aesfit_expand_key(&key, core, raw, key_bytes, AESFIT_ENCRYPT), AESFIT_OK);
    CHECK_STATUS(aesfit_ctr_start(&state, counter, bits), AESFIT_OK);
    CHECK_STATUS(aesfit_ctr_crypt(&key, &state, to, in, 16 * BLOCKS), AESFIT_OK);
}

/* Each key size tests one field in three, and together they test all. */
static void check_borders(const aesfit_core *core, const uint8_t *raw, size_t key_bytes)
{
    unsigned turn = (unsigned)key_bytes / 8;
    for (unsigned bytes = 1; bytes <= 16; bytes++) {
        for (unsigned field = bytes + turn % TEST_TURNS(3); field <= 16; field += TEST_TURNS(3)) {
            uint8_t counter[16];
            before_border(counter, bytes);
            ctr(core, raw, key_bytes, counter, 8 * field, out);
            ctr(plain(), raw, key_bytes, counter, 8 * field, want);
            test_context("%s, %u-bit key, carry over %u bytes of %u", aesfit_core_name(core),
                         (unsigned)(8 * key_bytes), bytes, field);
            CHECK_BYTES(out, want, 16 * BLOCKS);
        }
    }
}

static void gcm(const aesfit_core *core, const uint8_t *raw, size_t key_bytes, const uint8_t *nonce,
                size_t nonce_bytes, uint8_t *to, uint8_t tag[16])
{
    aesfit_gcm_key key;
    CHECK_STATUS(aesfit_gcm_expand_key(&key, core, aesfit_ghash_by_name("table4"), raw, key_bytes),
                 AESFIT_OK);
    CHECK_STATUS(aesfit_gcm_encrypt(&key, nonce, nonce_bytes, NULL, 0, to, in, sizeof in, tag, 16),
                 AESFIT_OK);
}

static void ccm(const aesfit_core *core, const uint8_t *raw, size_t key_bytes, const uint8_t *nonce,
                uint8_t *to, uint8_t tag[16])
{
    aesfit_key key;
    CHECK_STATUS(aesfit_expand_key(&key, core, raw, key_bytes, AESFIT_ENCRYPT), AESFIT_OK);
    CHECK_STATUS(aesfit_ccm_encrypt(&key, nonce, 12, NULL, 0, to, in, sizeof in, tag, 16),
                 AESFIT_OK);
}

static void check_messages(const aesfit_core *core, const uint8_t *raw, size_t key_bytes)
{
    uint8_t nonce[16], tag[16], right[16];
    random_fill(nonce, sizeof nonce);
    for (size_t nonce_bytes = 12; nonce_bytes <= 16; nonce_bytes += 4) {
        gcm(core, raw, key_bytes, nonce, nonce_bytes, out, tag);
        gcm(plain(), raw, key_bytes, nonce, nonce_bytes, want, right);
        test_context("%s, GCM, %u-byte nonce", aesfit_core_name(core), (unsigned)nonce_bytes);
        CHECK_BYTES(out, want, sizeof want);
        CHECK_BYTES(tag, right, 16);
    }
    ccm(core, raw, key_bytes, nonce, out, tag);
    ccm(plain(), raw, key_bytes, nonce, want, right);
    test_context("%s, CCM", aesfit_core_name(core));
    CHECK_BYTES(out, want, sizeof want);
    CHECK_BYTES(tag, right, 16);
}

int main(int argc, char **argv)
{
    unsigned keeping = 0;
    test_begin(argc, argv);
    random_fill(in, sizeof in);
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        if (!aesfit_core_available(core))
            continue;
        keeping += core->prepare_counter != NULL;
        for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8) {
            uint8_t raw[32];
            random_fill(raw, sizeof raw);
            check_borders(core, raw, key_bytes);
            check_messages(core, raw, key_bytes);
        }
        CHECK((core->prepare_counter == NULL) == (core->encrypt_counter == NULL));
    }
    test_context("cores that keep what counter blocks share");
    CHECK(keeping >= 3 && plain()->prepare_counter == NULL);
    return test_end();
}
