/* SPDX-License-Identifier: MIT */
/* Overlapping arguments: every function in turn, with each pair of its arguments apart, touching,
 * and overlapping by one byte or all.  Written memory must not overlap any other, except for out ==
 * in; memory that is only read may overlap.  Modes bound to one core, with AESFIT_CHECK_OVERLAP. */
#define AESFIT_BOUND sbox_columns
#define AESFIT_BOUND_GHASH shift32
#define AESFIT_BOUND_UNTAGGED
#define AESFIT_WITH_BULK 0
#define AESFIT_CHECK_OVERLAP
#include <core.h>
#include <cores/sbox_columns.c>
#include <ghash/shift32.c>
#include <key.c>
#include <every_mode.h>
#include <nonces.c>
#include <stream.c>

#include "overlap_calls.h"

#define KEY sizeof(aesfit_key)
#define XTS sizeof(aesfit_xts_key)
#define GCM sizeof(aesfit_gcm_key)
#define SIV sizeof(aesfit_gcm_siv_key)
#define NONCES sizeof(aesfit_nonces)
#define SIZE sizeof(size_t)

static const overlap_case cases[] = {
    {"expand_key", call_expand_key, "Sr", {KEY, 32}},
    {"ecb_encrypt", call_ecb_encrypt, "Koi", {KEY, 48, 48}},
    {"ecb_decrypt", call_ecb_decrypt, "Koi", {KEY, 48, 48}},
    {"cbc_encrypt", call_cbc_encrypt, "Kwoi", {KEY, 16, 48, 48}},
    {"cbc_decrypt", call_cbc_decrypt, "Kwoi", {KEY, 16, 48, 48}},
    {"cbc_encrypt_many", call_cbc_encrypt_many, "Kwoipj", {KEY, 32, 32, 32, 16, 16}},
    {"cbc_cs3_encrypt", call_cbc_cs3_encrypt, "Kroi", {KEY, 16, 41, 41}},
    {"cbc_cs3_decrypt", call_cbc_cs3_decrypt, "Kroi", {KEY, 16, 41, 41}},
    {"ecb_pkcs7_encrypt", call_ecb_pkcs7_encrypt, "Koni", {KEY, 48, SIZE, 40}},
    {"ecb_pkcs7_decrypt", call_ecb_pkcs7_decrypt, "Koni", {KEY, 48, SIZE, 48}},
    {"cbc_pkcs7_encrypt", call_cbc_pkcs7_encrypt, "Kroni", {KEY, 16, 48, SIZE, 40}},
    {"cbc_pkcs7_decrypt", call_cbc_pkcs7_decrypt, "Kroni", {KEY, 16, 48, SIZE, 48}},
    {"pkcs7_pad", call_pkcs7_pad, "oi", {16, 5}},
    {"pkcs7_unpad", call_pkcs7_unpad, "rn", {16, SIZE}},
    {"ctr_start", call_ctr_start, "Sr", {sizeof(aesfit_ctr), 16}},
    {"ctr_crypt", call_ctr_crypt, "Ksoi", {KEY, sizeof(aesfit_ctr), 41, 41}},
    {"feedback_start", call_feedback_start, "Sr", {sizeof(aesfit_feedback), 16}},
    {"cfb_encrypt", call_cfb_encrypt, "Ksoi", {KEY, sizeof(aesfit_feedback), 41, 41}},
    {"cfb_decrypt", call_cfb_decrypt, "Ksoi", {KEY, sizeof(aesfit_feedback), 41, 41}},
    {"cfb8_encrypt", call_cfb8_encrypt, "Ksoi", {KEY, sizeof(aesfit_feedback), 41, 41}},
    {"cfb8_decrypt", call_cfb8_decrypt, "Ksoi", {KEY, sizeof(aesfit_feedback), 41, 41}},
    {"ofb_crypt", call_ofb_crypt, "Ksoi", {KEY, sizeof(aesfit_feedback), 41, 41}},
    {"xts_expand_key", call_xts_expand_key, "Sr", {XTS, 64}},
    {"xts_encrypt", call_xts_encrypt, "Kroi", {XTS, 16, 41, 41}},
    {"xts_decrypt", call_xts_decrypt, "Kroi", {XTS, 16, 41, 41}},
    {"stream_start", call_stream_start, "Ksr", {KEY, sizeof(aesfit_stream), 16}},
    {"stream_start_xts", call_stream_start_xts, "Ksr", {XTS, sizeof(aesfit_stream), 16}},
    {"stream_update", call_stream_update, "KSwnr", {KEY, sizeof(aesfit_stream), 48, SIZE, 48}},
    {"stream_finish", call_stream_finish, "KSwn", {KEY, sizeof(aesfit_stream), 32, SIZE}},
    {"cmac", call_cmac, "Krw", {KEY, 41, 16}},
    {"cmac_verify", call_cmac_verify, "Krr", {KEY, 41, 16}},
    {"cmac_start", call_cmac_start, "Ks", {KEY, sizeof(aesfit_cmac_state)}},
    {"cmac_update", call_cmac_update, "KSr", {KEY, sizeof(aesfit_cmac_state), 41}},
    {"cmac_finish", call_cmac_finish, "KSw", {KEY, sizeof(aesfit_cmac_state), 16}},
    {"cbc_mac", call_cbc_mac, "Krw", {KEY, 48, 16}},
    {"ccm_encrypt", call_ccm_encrypt, "Krroiw", {KEY, 13, 20, 41, 41, 8}},
    {"ccm_decrypt", call_ccm_decrypt, "Krroir", {KEY, 13, 20, 41, 41, 8}},
    {"ccm_crypt_unauthenticated", call_ccm_crypt_unauthenticated, "Kroi", {KEY, 13, 41, 41}},
    {"ccm_start", call_ccm_start, "Ksr", {KEY, sizeof(aesfit_ccm_state), 13}},
    {"ccm_ad", call_ccm_ad, "KSr", {KEY, sizeof(aesfit_ccm_state), 20}},
    {"ccm_encrypt_update",
     call_ccm_encrypt_update,
     "KSoi",
     {KEY, sizeof(aesfit_ccm_state), 41, 41}},
    {"ccm_decrypt_update_unverified",
     call_ccm_decrypt_update_unverified,
     "KSoi",
     {KEY, sizeof(aesfit_ccm_state), 41, 41}},
    {"ccm_finish", call_ccm_finish, "KSw", {KEY, sizeof(aesfit_ccm_state), 8}},
    {"ccm_verify", call_ccm_verify, "KSr", {KEY, sizeof(aesfit_ccm_state), 8}},
    {"gcm_expand_key", call_gcm_expand_key, "Sr", {GCM, 32}},
    {"gcm_encrypt", call_gcm_encrypt, "Krroiw", {GCM, 12, 20, 41, 41, 16}},
    {"gcm_decrypt", call_gcm_decrypt, "Krroir", {GCM, 12, 20, 41, 41, 16}},
    {"gmac", call_gmac, "Krrw", {GCM, 12, 41, 16}},
    {"gmac_verify", call_gmac_verify, "Krrr", {GCM, 12, 41, 16}},
    {"gcm_start", call_gcm_start, "Ksr", {GCM, sizeof(aesfit_gcm_state), 12}},
    {"gcm_ad", call_gcm_ad, "KSr", {GCM, sizeof(aesfit_gcm_state), 20}},
    {"gcm_encrypt_update",
     call_gcm_encrypt_update,
     "KSoi",
     {GCM, sizeof(aesfit_gcm_state), 41, 41}},
    {"gcm_decrypt_update_unverified",
     call_gcm_decrypt_update_unverified,
     "KSoi",
     {GCM, sizeof(aesfit_gcm_state), 41, 41}},
    {"gcm_finish", call_gcm_finish, "KSw", {GCM, sizeof(aesfit_gcm_state), 16}},
    {"gcm_verify", call_gcm_verify, "KSr", {GCM, sizeof(aesfit_gcm_state), 16}},
    {"gcm_siv_expand_key", call_gcm_siv_expand_key, "Sr", {SIV, 32}},
    {"gcm_siv_encrypt", call_gcm_siv_encrypt, "Krroiw", {SIV, 12, 20, 41, 41, 16}},
    {"gcm_siv_decrypt", call_gcm_siv_decrypt, "Krroir", {SIV, 12, 20, 41, 41, 16}},
    {"nonces_start", call_nonces_start, "Sr", {NONCES, 8}},
    {"nonces_start_random", call_nonces_start_random, "S", {NONCES}},
    {"nonces_next", call_nonces_next, "Soi", {NONCES, 12, 12}},
    {"nonces_save", call_nonces_save, "Sw", {NONCES, AESFIT_NONCES_SAVED_BYTES}},
    {"nonces_restore", call_nonces_restore, "Sr", {NONCES, AESFIT_NONCES_SAVED_BYTES}},
    {"key_wrap", call_key_wrap, "Koni", {KEY, 32, SIZE, 24}},
    {"key_unwrap", call_key_unwrap, "Koni", {KEY, 24, SIZE, 32}},
    {"key_wrap_padded", call_key_wrap_padded, "Koni", {KEY, 32, SIZE, 21}},
    {"key_unwrap_padded", call_key_unwrap_padded, "Koni", {KEY, 24, SIZE, 32}},
    {"ccmp_encapsulate", call_ccmp_encapsulate, "Koni", {KEY, 56, SIZE, 40}},
    {"ccmp_decapsulate", call_ccmp_decapsulate, "Knoni", {KEY, sizeof(uint64_t), 40, SIZE, 56}},
};

/* Memory for each argument, with room before and after it. */
enum { SLOT = 8192, START = 4096 };
static _Alignas(16) uint8_t memory[OVERLAP_ARGUMENTS][SLOT];

static int is_written(char letter)
{
    return strchr("Sswnop", letter) != NULL;
}

static int may_be_equal(char a, char b)
{
    return (a == 'o' && b == 'i') || (a == 'i' && b == 'o') || (a == 'p' && b == 'j') ||
           (a == 'j' && b == 'p');
}

/* Calls with argument j `delta` bytes after the start of argument i, or at its own place. */
static int call_moved(const overlap_case *c, size_t i, size_t j, ptrdiff_t delta)
{
    uint8_t *at[OVERLAP_ARGUMENTS];
    for (size_t k = 0; k < OVERLAP_ARGUMENTS; k++)
        at[k] = memory[k] + START;
    at[j] = at[i] + delta;
    return c->call(at);
}

static void check_apart(const overlap_case *c, size_t i, size_t j, ptrdiff_t delta)
{
    int status = call_moved(c, i, j, delta);
    test_context("aesfit_%s, %d bytes from argument %d to %d: %d", c->name, (int)delta, (int)i,
                 (int)j, status);
    CHECK(status == AESFIT_OK || status == AESFIT_ERR_AUTHENTICATION ||
          status == AESFIT_ERR_PADDING);
}

/* Moves argument j relative to argument i. */
static void check_pair(const overlap_case *c, size_t i, size_t j)
{
    char a = c->letters[i], b = c->letters[j];
    size_t step = b == 'n' ? SIZE : 1; /* numbers are aligned */
    size_t behind = (c->bytes[i] + step - 1) / step * step;
    ptrdiff_t deltas[] = {0, (ptrdiff_t)(behind - step), -(ptrdiff_t)(c->bytes[j] - step)};
    check_apart(c, i, j, (ptrdiff_t)behind);
    check_apart(c, i, j, -(ptrdiff_t)((c->bytes[j] + step - 1) / step * step));
    for (size_t k = 0; k < 3; k++) {
        int status = call_moved(c, i, j, deltas[k]);
        int allowed = (!is_written(a) && !is_written(b)) || (deltas[k] == 0 && may_be_equal(a, b));
        test_context("aesfit_%s, %d bytes from argument %d to %d: %d", c->name, (int)deltas[k],
                     (int)i, (int)j, status);
        CHECK((status == AESFIT_ERR_OVERLAP) == !allowed);
    }
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    random_fill(memory[0], sizeof memory);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const overlap_case *c = cases + n;
        size_t arguments = strlen(c->letters);
        check_apart(c, 0, 0, 0);
        for (size_t j = 0; j < arguments; j++)
            for (size_t i = 0; i < arguments; i++)
                if (i != j && strchr("KSs", c->letters[j]) == NULL)
                    check_pair(c, i, j);
        if (arguments > 1 && c->letters[1] == 's') /* structures are aligned: at the same address */
            CHECK_STATUS(call_moved(c, 0, 1, 0), AESFIT_ERR_OVERLAP);
    }
    return test_end();
}
