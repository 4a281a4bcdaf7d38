/* SPDX-License-Identifier: MIT */
/* The whole-message paths of the core aesni, on 512-bit registers (where the processor has them)
 * and on 128-bit ones (features set to 0), against OpenSSL: any length, in place and apart. */
#include "fuzz.h"
#include "../c/aead.h"
#include "../c/modes.h"
#include "parts/cpu_x86.h"
#include <openssl/evp.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum { MAX_BLOCKS = 130, MAX_STREAMS = 8, MAX_AD = 400 };

static uint8_t key_bytes[64], iv[16];
static size_t key_size;

/* ------------------------------------------------------------------ OpenSSL */

static const EVP_CIPHER *peer_cipher(const char *mode)
{
    char name[32];
    snprintf(name, sizeof name, "aes-%lu-%s", 8 * (unsigned long)key_size, mode);
    return EVP_get_cipherbyname(name);
}

static void peer_crypt(const char *mode, int encrypt, uint8_t *out, const uint8_t *in, size_t bytes)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0;
    CHECK(EVP_CipherInit_ex(context, peer_cipher(mode), NULL, key_bytes, iv, encrypt) == 1);
    CHECK(EVP_CIPHER_CTX_set_padding(context, 0) == 1);
    CHECK(EVP_CipherUpdate(context, out, &written, in, (int)bytes) == 1);
    CHECK((size_t)written == bytes);
    EVP_CIPHER_CTX_free(context);
}

static void peer_seal(int gcm, const aead_message *m, uint8_t *out, const uint8_t *in, uint8_t *tag)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written, tag_bytes = (int)m->tag_bytes, bytes = (int)m->bytes;
    CHECK(EVP_EncryptInit_ex(context, peer_cipher(gcm ? "gcm" : "ccm"), NULL, NULL, NULL) == 1);
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)m->nonce_bytes, NULL) == 1);
    if (!gcm)
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_bytes, NULL) == 1);
    CHECK(EVP_EncryptInit_ex(context, NULL, NULL, key_bytes, m->nonce) == 1);
    if (!gcm)
        CHECK(EVP_EncryptUpdate(context, NULL, &written, NULL, bytes) == 1);
    if (m->ad_bytes > 0)
        CHECK(EVP_EncryptUpdate(context, NULL, &written, m->ad, (int)m->ad_bytes) == 1);
    CHECK(EVP_EncryptUpdate(context, out, &written, in, bytes) == 1);
    CHECK(EVP_EncryptFinal_ex(context, out + bytes, &written) == 1);
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, tag) == 1);
    EVP_CIPHER_CTX_free(context);
}

/* --------------------------------------------------------------------- ours */

static const aesfit_core *bulk_core(void)
{
    const aesfit_core *core = aesfit_core_by_name("aesni");
    return core != NULL && aesfit_core_available(core) ? core : NULL;
}

/* As cpu_x86_features(), which finds none under clang before 19.  CPUID, leaf 7: bit 9 of ECX is
 * VAES (Intel SDM, volume 2A). */
static uint8_t wide_features(void)
{
#if defined(__x86_64__)
    unsigned eax, ebx, ecx, edx;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("vpclmulqdq") && __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) &&
        (ecx >> 9 & 1) != 0)
        return CPU_X86_VAES512;
#endif
    return 0;
}

static void one_mode(aesfit_mode mode, const char *name, int narrow)
{
    int encrypt = random_below(2) == 0, in_place = random_below(2) == 0;
    size_t written, bytes = 16 * random_below(MAX_BLOCKS) + random_below(16);
    mode_key key;
    if (!mode_takes(mode, bytes))
        bytes = bytes / 16 * 16 + 16;
    uint8_t *in = fuzz_text(bytes), *expected = fuzz_room(bytes);
    uint8_t *out = in_place ? fuzz_copy(in, bytes) : fuzz_room(bytes);
    CHECK_STATUS(mode_expand(&key, mode, bulk_core(), key_bytes, key_size), AESFIT_OK);
    key.aes.features = key.xts.data.features = narrow ? 0 : wide_features();
    test_context("%s, %s, %s, %lu bytes", name, encrypt ? "encrypt" : "decrypt",
                 narrow ? "narrow" : "wide", (unsigned long)bytes);
    peer_crypt(name, encrypt, expected, in, bytes);
    CHECK_STATUS(mode_crypt(&key, mode, encrypt, iv, out, &written, in_place ? out : in, bytes),
                 AESFIT_OK);
    CHECK_BYTES(out, expected, bytes);
}

static void one_aead(int gcm, int narrow)
{
    aead_key key;
    aead_message m = {NULL,
                      NULL,
                      gcm && random_below(4) == 0 ? 1 + random_below(60) : 12,
                      random_below(MAX_AD),
                      random_below(16 * MAX_BLOCKS),
                      16};
    uint8_t *in = fuzz_text(m.bytes), *out = fuzz_copy(in, m.bytes);
    uint8_t *expected = fuzz_room(m.bytes), *tag = fuzz_room(16), expected_tag[16];
    m.nonce = fuzz_text(m.nonce_bytes);
    m.ad = fuzz_text(m.ad_bytes);
    CHECK_STATUS(aead_expand(&key, gcm, bulk_core(), NULL, key_bytes, key_size), AESFIT_OK);
    key.ccm_key.features = key.gcm_key.aes.features = narrow ? 0 : wide_features();
    test_context("%s, %s, ad %lu, data %lu bytes", gcm ? "gcm" : "ccm", narrow ? "narrow" : "wide",
                 (unsigned long)m.ad_bytes, (unsigned long)m.bytes);
    peer_seal(gcm, &m, expected, in, expected_tag);
    CHECK_STATUS(aead_encrypt(&key, &m, out, out, tag), AESFIT_OK);
    CHECK_BYTES(out, expected, m.bytes);
    CHECK_BYTES(tag, expected_tag, 16);
    CHECK_STATUS(aead_decrypt(&key, &m, out, out, tag), AESFIT_OK);
    CHECK_BYTES(out, in, m.bytes);
}

static void many_streams(int narrow)
{
    uint8_t ivs[16 * MAX_STREAMS], *out[MAX_STREAMS], *expected;
    const uint8_t *in[MAX_STREAMS];
    size_t bytes[MAX_STREAMS], streams = 1 + random_below(MAX_STREAMS);
    aesfit_key key;
    for (size_t i = 0; i < streams; i++) {
        bytes[i] = 16 * random_below(40);
        in[i] = fuzz_text(bytes[i]);
        out[i] = fuzz_room(bytes[i]);
        memcpy(ivs + 16 * i, iv, 16);
    }
    CHECK_STATUS(aesfit_expand_key(&key, bulk_core(), key_bytes, key_size, 1), AESFIT_OK);
    key.features = narrow ? 0 : wide_features();
    test_context("cbc, %lu streams, %s", (unsigned long)streams, narrow ? "narrow" : "wide");
    CHECK_STATUS(aesfit_cbc_encrypt_many(&key, ivs, out, in, bytes, streams), AESFIT_OK);
    for (size_t i = 0; i < streams; i++) {
        expected = fuzz_room(bytes[i]);
        peer_crypt("cbc", 1, expected, in[i], bytes[i]);
        CHECK_BYTES(out[i], expected, bytes[i]);
    }
}

static void fuzz_one(void)
{
    static const aesfit_mode modes[] = {AESFIT_ECB, AESFIT_CBC,  AESFIT_CTR, AESFIT_XTS,
                                        AESFIT_CFB, AESFIT_CFB8, AESFIT_OFB};
    size_t which = random_below(10), sizes = which < 7 && modes[which] == AESFIT_XTS ? 2 : 3;
    int narrow = random_below(2) == 0;
    key_size = (size_t[]){16, 32, 24}[random_below(sizes)];
    random_fill(key_bytes, sizeof key_bytes);
    random_fill(iv, sizeof iv);
    if (which < 7)
        one_mode(modes[which], mode_names[modes[which]], narrow);
    else if (which < 9)
        one_aead(which == 7, narrow);
    else
        many_streams(narrow);
}
