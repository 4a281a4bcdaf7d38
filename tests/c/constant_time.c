/* SPDX-License-Identifier: MIT */
/* Constant time by the method of ctgrind (A. Langley, 2010): under valgrind's memcheck, keys and
 * data are marked uninitialised, and every branch or address that depends on them is an error.
 *
 *     valgrind [--error-exitcode=9] constant_time [kind [name]]
 *
 * Without arguments it checks all and passes when the findings are those expected: none for what is
 * marked constant-time, and some for every table core and table GHASH and for two planted leaks,
 * so that the method is seen to work.  `constant_time core ttable4` checks that alone; its exit
 * status is then valgrind's.  The library must be built with AESFIT_CTGRIND (parts/declassify.h).
 *
 * Not seen this way: instructions whose own time varies (multiplication on some processors), and
 * code that valgrind's processor does not run (AVX-512). */
#include "ghash/ghash.h"
#include "parts/compare.h"
#include "test.h"
#include <valgrind/memcheck.h>

enum { MAX_BYTES = 700, NOT_UNDER_VALGRIND = 77 };

static const char *wanted_kind, *wanted_name; /* NULL: all */
static unsigned long findings_before;
static uint8_t text[MAX_BYTES], sealed[MAX_BYTES + 32], opened[MAX_BYTES + 32];

/* ------------------------------------------------------- secrets and findings */

static void make_secret(void *memory, size_t bytes)
{
    VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes);
}

static void make_public(void *memory, size_t bytes)
{
    VALGRIND_MAKE_MEM_DEFINED(memory, bytes);
}

static void fill_secret(void *memory, size_t bytes)
{
    random_fill(memory, bytes);
    make_secret(memory, bytes);
}

/* 1 if this check is to run; its findings are counted from here. */
static int check_begin(const char *kind, const char *name, const char *step)
{
    if ((wanted_kind != NULL && strcmp(wanted_kind, kind) != 0) ||
        (wanted_name != NULL && strcmp(wanted_name, name) != 0))
        return 0;
    test_context("%s %s%s%s", kind, name, *step != '\0' ? ", " : "", step);
    findings_before = VALGRIND_COUNT_ERRORS;
    return 1;
}

static void check_end(int constant_time)
{
    unsigned long findings = VALGRIND_COUNT_ERRORS - findings_before;
    printf("%s: %lu findings, %s\n", test_where, findings,
           constant_time ? "none expected" : "some expected");
    if (wanted_kind == NULL)
        CHECK((findings == 0) == constant_time);
    else
        CHECK(1); /* the verdict is valgrind's */
}

/* ------------------------------------------------------------- planted leaks */

static void check_planted(void)
{
    static volatile unsigned sink;
    uint8_t secret[16], other[16];
    fill_secret(secret, 16);
    random_fill(other, 16);
    if (check_begin("planted", "branch", "")) {
        if (secret[3] == other[3])
            sink++;
        check_end(0);
    }
    if (check_begin("planted", "address", "")) {
        sink += text[secret[3]];
        check_end(0);
    }
    if (check_begin("planted", "verdict", "")) { /* a comparison not declassified */
        if (equal_bytes(secret, other, 16))
            sink++;
        check_end(0);
    }
    if (check_begin("planted", "nothing", "")) {
        sink += equal_bytes(secret, other, 16);
        check_end(1);
    }
}

/* --------------------------------------------------------------------- cores */

static void expand(aesfit_key *key, const aesfit_core *core, size_t key_bytes)
{
    uint8_t bytes[32];
    fill_secret(bytes, key_bytes);
    CHECK_STATUS(aesfit_expand_key(key, core, bytes, key_bytes, AESFIT_BOTH), AESFIT_OK);
}

static void check_core(const aesfit_core *core)
{
    int constant_time = (core->properties & AESFIT_CONSTANT_TIME) != 0;
    static const size_t blocks[] = {1, 2, 3, 8, 43};
    /* One length shows a leak; valgrind takes longer for millions of findings than for the rest. */
    size_t step = constant_time ? 1 : TEST_TURNS(sizeof blocks / sizeof blocks[0]);
    aesfit_key keys[3];
    if (check_begin("core", core->name, "key schedule")) {
        for (size_t i = 0; i < 3; i++)
            expand(&keys[i], core, 16 + 8 * i);
        check_end(constant_time);
    }
    random_fill(text, sizeof text);
    if (check_begin("core", core->name, "encryption")) {
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < sizeof blocks / sizeof blocks[0]; j += step) {
                make_secret(text, sizeof text);
                aesfit_ecb_encrypt(&keys[i], sealed, text, 16 * blocks[j]);
            }
        check_end(constant_time);
    }
    if (check_begin("core", core->name, "decryption")) {
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < sizeof blocks / sizeof blocks[0]; j += step) {
                aesfit_ecb_encrypt(&keys[i], sealed, text, 16 * blocks[j]);
                aesfit_ecb_decrypt(&keys[i], opened, sealed, 16 * blocks[j]);
                make_public(opened, sizeof opened);
                make_public(text, sizeof text);
                CHECK_BYTES(opened, text, 16 * blocks[j]);
                make_secret(text, sizeof text);
            }
        check_end(constant_time);
    }
}

/* --------------------------------------------------------------------- GHASH */

static void check_ghash(const aesfit_ghash *ghash)
{
    unsigned marks =
        AESFIT_CONSTANT_TIME | AESFIT_CONSTANT_TIME_MULTIPLY | AESFIT_CONSTANT_TIME_MULTIPLY_LOW;
    aesfit_gcm_key key;
    uint8_t h[16], y[16];
    if (!check_begin("ghash", ghash->name, ""))
        return;
    fill_secret(h, 16);
    fill_secret(y, 16);
    fill_secret(text, sizeof text);
    ghash->init(key.h, h);
    for (size_t blocks = 0; blocks <= MAX_BYTES / 16; blocks++)
        ghash->update(key.h, y, text, blocks);
    check_end((ghash->properties & marks) != 0);
}

/* --------------------------------------------------------------------- modes */

/* `status`: a sealed message must open, and must not with a wrong bit in the tag. */
static void expect(int status, int expected, size_t bytes)
{
    CHECK_STATUS(status, expected);
    if (status != AESFIT_OK)
        return;
    make_public(text, sizeof text);
    make_public(opened, sizeof opened);
    CHECK_BYTES(opened, text, bytes);
    make_secret(text, sizeof text);
}

static const size_t lengths[] = {0, 1, 15, 16, 47, 64, 100, 127, 128, 200, 300, MAX_BYTES};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static void run_plain(const aesfit_key *key, size_t bytes)
{
    uint8_t iv[16], chain[16];
    aesfit_ctr ctr;
    size_t whole = bytes / 16 * 16;
    random_fill(iv, 16); /* public: CTR checks how many counter values are left */
    memcpy(chain, iv, 16);
    aesfit_cbc_encrypt(key, chain, sealed, text, whole);
    memcpy(chain, iv, 16);
    expect(aesfit_cbc_decrypt(key, chain, opened, sealed, whole), AESFIT_OK, whole);
    aesfit_ctr_start(&ctr, iv, 128);
    aesfit_ctr_crypt(key, &ctr, sealed, text, bytes);
    aesfit_ctr_start(&ctr, iv, 128);
    expect(aesfit_ctr_crypt(key, &ctr, opened, sealed, bytes), AESFIT_OK, bytes);
}

static void run_many(const aesfit_key *key, size_t bytes)
{
    uint8_t ivs[3 * 16], *out[3] = {sealed, sealed + 224, sealed + 448};
    const uint8_t *in[3] = {text, text + 224, text + 448};
    size_t sizes[3] = {bytes % 224 / 16 * 16, 224, 208};
    fill_secret(ivs, sizeof ivs);
    CHECK_STATUS(aesfit_cbc_encrypt_many(key, ivs, out, in, sizes, 3), AESFIT_OK);
}

static void run_xts(const aesfit_core *core, size_t bytes)
{
    aesfit_xts_key key;
    uint8_t key_bytes[64], tweak[16];
    if (bytes < 16)
        return;
    fill_secret(key_bytes, sizeof key_bytes);
    fill_secret(tweak, 16);
    CHECK_STATUS(aesfit_xts_expand_key(&key, core, key_bytes, sizeof key_bytes, AESFIT_BOTH),
                 AESFIT_OK);
    aesfit_xts_encrypt(&key, tweak, sealed, text, bytes);
    expect(aesfit_xts_decrypt(&key, tweak, opened, sealed, bytes), AESFIT_OK, bytes);
}

static void run_cmac(const aesfit_key *key, size_t bytes)
{
    uint8_t tag[16];
    CHECK_STATUS(aesfit_cmac(key, text, bytes, tag, 16), AESFIT_OK);
    CHECK_STATUS(aesfit_cmac_verify(key, text, bytes, tag, 16), AESFIT_OK);
    tag[bytes % 16] ^= 1;
    CHECK_STATUS(aesfit_cmac_verify(key, text, bytes, tag, 16), AESFIT_ERR_AUTHENTICATION);
}

/* Nonces are public; associated data are secret here. */
static void run_ccm(const aesfit_key *key, size_t bytes)
{
    uint8_t nonce[13], ad[40], tag[16];
    size_t ad_bytes = bytes % sizeof ad;
    random_fill(nonce, sizeof nonce);
    fill_secret(ad, sizeof ad);
    CHECK_STATUS(aesfit_ccm_encrypt(key, nonce, 13, ad, ad_bytes, sealed, text, bytes, tag, 16),
                 AESFIT_OK);
    expect(aesfit_ccm_decrypt(key, nonce, 13, ad, ad_bytes, opened, sealed, bytes, tag, 16),
           AESFIT_OK, bytes);
    tag[bytes % 16] ^= 1;
    expect(aesfit_ccm_decrypt(key, nonce, 13, ad, ad_bytes, opened, sealed, bytes, tag, 16),
           AESFIT_ERR_AUTHENTICATION, bytes);
}

#include "constant_time_gcm.h"

static void run_key_wrap(const aesfit_key *key, size_t bytes)
{
    size_t whole = 16 + bytes / 8 * 8 % 64, got;
    CHECK_STATUS(aesfit_key_wrap(key, sealed, sizeof sealed, &got, text, whole), AESFIT_OK);
    expect(aesfit_key_unwrap(key, opened, sizeof opened, &got, sealed, got), AESFIT_OK, whole);
    sealed[5] ^= 1;
    expect(aesfit_key_unwrap(key, opened, sizeof opened, &got, sealed, whole + 8),
           AESFIT_ERR_AUTHENTICATION, whole);
    bytes = 1 + bytes % 40;
    CHECK_STATUS(aesfit_key_wrap_padded(key, sealed, sizeof sealed, &got, text, bytes), AESFIT_OK);
    expect(aesfit_key_unwrap_padded(key, opened, sizeof opened, &got, sealed, got), AESFIT_OK,
           bytes);
    CHECK(got == bytes);
    sealed[5] ^= 1;
    expect(
        aesfit_key_unwrap_padded(key, opened, sizeof opened, &got, sealed, (bytes + 7) / 8 * 8 + 8),
        AESFIT_ERR_AUTHENTICATION, bytes);
}

static void run_padding(const aesfit_key *key, size_t bytes)
{
    uint8_t iv[16];
    size_t got = 0;
    if (bytes + 16 > MAX_BYTES)
        return;
    fill_secret(iv, 16);
    CHECK_STATUS(aesfit_cbc_pkcs7_encrypt(key, iv, sealed, sizeof sealed, &got, text, bytes),
                 AESFIT_OK);
    expect(aesfit_cbc_pkcs7_decrypt(key, iv, opened, sizeof opened, &got, sealed, got), AESFIT_OK,
           bytes);
    CHECK(got == bytes);
    memset(opened, 0, 16); /* ends in 0, which is never valid padding */
    make_secret(opened, 16);
    aesfit_ecb_encrypt(key, sealed, opened, 16);
    expect(aesfit_ecb_pkcs7_decrypt(key, opened, sizeof opened, &got, sealed, 16),
           AESFIT_ERR_PADDING, 0);
}

/* Every way in which the last block can be good or bad. */
static void check_unpad(void)
{
    if (!check_begin("mode", "unpad", ""))
        return;
    for (size_t run = 0; run < 2000; run++) {
        uint8_t block[16];
        size_t padding = random_below(19), flipped = random_below(32), got = 99;
        int good = padding >= 1 && padding <= 16 && (flipped > 15 || flipped < 16 - padding);
        random_fill(block, 16);
        for (size_t i = 0; i < padding && i < 16; i++)
            block[15 - i] = (uint8_t)padding;
        block[15] = (uint8_t)padding;
        if (flipped < 15)
            block[flipped] ^= 0x80;
        if (flipped == 15)
            good = padding >= 1 && padding <= 16;
        make_secret(block, 16);
        CHECK_STATUS(aesfit_pkcs7_unpad(block, &got), good ? AESFIT_OK : AESFIT_ERR_PADDING);
        CHECK(got == (good ? 16 - padding : 0));
    }
    check_end(1);
}

typedef void run_mode(const aesfit_key *key, size_t bytes);

/* Each key size takes one length in three, and together they take all. */
static void check_mode(const char *name, run_mode *run, const aesfit_core *core)
{
    if (!check_begin("mode", name, core->name))
        return;
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8) {
        aesfit_key key;
        expand(&key, core, key_bytes);
        fill_secret(text, sizeof text);
        for (size_t i = key_bytes / 8 % TEST_TURNS(3); i < LENGTHS; i += TEST_TURNS(3))
            run(&key, lengths[i]);
    }
    check_end(1);
}

/* Each multiplier takes one length in three, and with each core all are taken. */
static void check_hashing(const char *name,
                          void (*run_one)(const aesfit_core *, const aesfit_ghash *, size_t),
                          const aesfit_core *core, const aesfit_ghash *ghash, size_t turn)
{
    if (!check_begin("mode", name, core->name))
        return;
    printf("with %s: ", ghash->name);
    for (size_t i = turn % TEST_TURNS(3); i < LENGTHS; i += TEST_TURNS(3))
        run_one(core, ghash, lengths[i]);
    check_end(1);
}

static void check_modes(const aesfit_core *core)
{
    size_t turn = 0;
    check_mode("cbc_ctr", run_plain, core);
    check_mode("cbc_many", run_many, core);
    check_mode("cmac", run_cmac, core);
    check_mode("ccm", run_ccm, core);
    check_mode("pkcs7", run_padding, core);
    check_mode("kw", run_key_wrap, core);
    fill_secret(text, sizeof text);
    if (check_begin("mode", "xts", core->name)) {
        for (size_t i = 0; i < LENGTHS; i++)
            run_xts(core, lengths[i]);
        check_end(1);
    }
    for (size_t g = 0; g < aesfit_ghash_count(); g++) {
        const aesfit_ghash *ghash = aesfit_ghash_at(g);
        if (!aesfit_ghash_available(ghash) || ghash->properties == 0)
            continue;
        check_hashing("gcm", run_gcm, core, ghash, turn);
        check_hashing("gcm_siv", run_gcm_siv, core, ghash, turn++);
    }
}

int main(int argc, char **argv)
{
    if (!RUNNING_ON_VALGRIND) {
        printf("skipped: not under valgrind\n");
        return NOT_UNDER_VALGRIND;
    }
    wanted_kind = argc > 1 ? argv[1] : NULL;
    wanted_name = argc > 2 ? argv[2] : NULL;
    test_begin(1, argv);
    check_planted();
    for (size_t i = 0; i < aesfit_core_count(); i++)
        if (aesfit_core_available(aesfit_core_at(i)))
            check_core(aesfit_core_at(i));
    for (size_t i = 0; i < aesfit_ghash_count(); i++)
        if (aesfit_ghash_available(aesfit_ghash_at(i)))
            check_ghash(aesfit_ghash_at(i));
    check_unpad();
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        if (aesfit_core_available(core) && (core->properties & AESFIT_CONSTANT_TIME) != 0)
            check_modes(core);
    }
    return test_end();
}
