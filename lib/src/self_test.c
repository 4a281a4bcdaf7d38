/* SPDX-License-Identifier: MIT */
/* Known answers of what is compiled in: every core that this processor can run, with all key sizes
 * in both directions and one answer of CMAC, CCM and GCM; every GHASH multiplier.  Small enough
 * for a microcontroller's start-up; not a replacement for the test suite. */
#include "ghash/ghash.h"
#include "parts/bytes.h"
#include "parts/compare.h"

/* FIPS 197 appendix C: key 00 01 02 .., plaintext 00 11 22 .., for 128, 192 and 256 bits. */
static const uint8_t self_test_blocks[3][16] = {
    {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5,
     0x5a},
    {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71,
     0x91},
    {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60,
     0x89},
};

/* out = first, first + step, ... */
AESFIT_LOCAL void self_test_fill(uint8_t *out, size_t bytes, unsigned first, unsigned step)
{
    for (size_t i = 0; i < bytes; i++, first += step)
        out[i] = (uint8_t)first;
}

/* Enough blocks for every lane, in place; 1: good. */
AESFIT_LOCAL uint32_t self_test_block(const aesfit_core *core, size_t key_bytes)
{
    aesfit_key key;
    uint8_t bytes[32], plain[16], text[16 * (AESFIT_MAX_LANES + 1)];
    uint32_t good = 1;
    self_test_fill(bytes, 32, 0, 1);
    self_test_fill(plain, 16, 0, 0x11);
    for (size_t i = 0; i < sizeof text; i += 16)
        memcpy(text + i, plain, 16);
    if (aesfit_expand_key(&key, core, bytes, key_bytes, AESFIT_BOTH) != AESFIT_OK)
        return 0;
    core->encrypt(&key, text, text, sizeof text / 16);
    for (size_t i = 0; i < sizeof text; i += 16)
        good &= equal_bytes(text + i, self_test_blocks[key_bytes / 8 - 2], 16);
    core->decrypt(&key, text, text, sizeof text / 16);
    for (size_t i = 0; i < sizeof text; i += 16)
        good &= equal_bytes(text + i, plain, 16);
    return good;
}

#ifndef AESFIT_WITHOUT_CMAC
/* RFC 4493, section 4, example 3. */
AESFIT_LOCAL uint32_t self_test_cmac(const aesfit_core *core)
{
    static const uint8_t bytes[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                      0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    static const uint8_t text[40] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d,
                                     0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a, 0xae, 0x2d, 0x8a, 0x57,
                                     0x1e, 0x03, 0xac, 0x9c, 0x9e, 0xb7, 0x6f, 0xac, 0x45, 0xaf,
                                     0x8e, 0x51, 0x30, 0xc8, 0x1c, 0x46, 0xa3, 0x5c, 0xe4, 0x11};
    static const uint8_t tag[16] = {0xdf, 0xa6, 0x67, 0x47, 0xde, 0x9a, 0xe6, 0x30,
                                    0x30, 0xca, 0x32, 0x61, 0x14, 0x97, 0xc8, 0x27};
    aesfit_key key;
    return aesfit_expand_key(&key, core, bytes, 16, AESFIT_ENCRYPT) == AESFIT_OK &&
           aesfit_cmac_verify(&key, text, sizeof text, tag, 16) == AESFIT_OK;
}
#endif

#ifndef AESFIT_WITHOUT_CCM
/* SP 800-38C, example 3. */
AESFIT_LOCAL uint32_t self_test_ccm(const aesfit_core *core)
{
    static const uint8_t sealed[32] = {0xe3, 0xb2, 0x01, 0xa9, 0xf5, 0xb7, 0x1a, 0x7a,
                                       0x9b, 0x1c, 0xea, 0xec, 0xcd, 0x97, 0xe7, 0x0b,
                                       0x61, 0x76, 0xaa, 0xd9, 0xa4, 0x42, 0x8a, 0xa5,
                                       0x48, 0x43, 0x92, 0xfb, 0xc1, 0xb0, 0x99, 0x51};
    uint8_t bytes[16], nonce[12], ad[20], plain[24], text[24];
    aesfit_key key;
    self_test_fill(bytes, sizeof bytes, 0x40, 1);
    self_test_fill(nonce, sizeof nonce, 0x10, 1);
    self_test_fill(ad, sizeof ad, 0, 1);
    self_test_fill(plain, sizeof plain, 0x20, 1);
    return aesfit_expand_key(&key, core, bytes, 16, AESFIT_ENCRYPT) == AESFIT_OK &&
           aesfit_ccm_decrypt(&key, nonce, 12, ad, 20, text, sealed, 24, sealed + 24, 8) ==
               AESFIT_OK &&
           equal_bytes(text, plain, 24);
}
#endif

#ifndef AESFIT_WITHOUT_GCM
/* McGrew and Viega, The Galois/Counter Mode of Operation, test case 2: zeros. */
AESFIT_LOCAL uint32_t self_test_gcm(const aesfit_core *core)
{
    static const uint8_t sealed[32] = {0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92,
                                       0xf3, 0x28, 0xc2, 0xb9, 0x71, 0xb2, 0xfe, 0x78,
                                       0xab, 0x6e, 0x47, 0xd4, 0x2c, 0xec, 0x13, 0xbd,
                                       0xf5, 0x3a, 0x67, 0xb2, 0x12, 0x57, 0xbd, 0xdf};
    static const uint8_t zero[16] = {0};
    uint8_t text[16];
    aesfit_gcm_key key;
    return aesfit_gcm_expand_key(&key, core, NULL, zero, 16) == AESFIT_OK &&
           aesfit_gcm_decrypt(&key, zero, 12, NULL, 0, text, sealed, 16, sealed + 16, 16) ==
               AESFIT_OK &&
           equal_bytes(text, zero, 16);
}
#endif

/* The same case: GHASH of its ciphertext and lengths. */
AESFIT_LOCAL uint32_t self_test_ghash(const aesfit_ghash *ghash)
{
    static const uint8_t h[16] = {0x66, 0xe9, 0x4b, 0xd4, 0xef, 0x8a, 0x2c, 0x3b,
                                  0x88, 0x4c, 0xfa, 0x59, 0xca, 0x34, 0x2b, 0x2e};
    static const uint8_t text[32] = {0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92,
                                     0xf3, 0x28, 0xc2, 0xb9, 0x71, 0xb2, 0xfe, 0x78,
                                     0,    0,    0,    0,    0,    0,    0,    0,
                                     0,    0,    0,    0,    0,    0,    0,    0x80};
    static const uint8_t hash[16] = {0xf3, 0x8c, 0xbb, 0x1a, 0xd6, 0x92, 0x23, 0xdc,
                                     0xc3, 0x45, 0x7a, 0xe5, 0xb6, 0xb0, 0xf8, 0x85};
    aesfit_gcm_key key;
    uint8_t y[16] = {0};
    ghash->init(key.h, h);
    ghash->update(key.h, y, text, 2);
    return equal_bytes(y, hash, 16);
}

AESFIT_LOCAL uint32_t self_test_core(const aesfit_core *core)
{
    uint32_t good = 1;
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8)
        good &= self_test_block(core, key_bytes);
#ifndef AESFIT_WITHOUT_CMAC
    good &= self_test_cmac(core);
#endif
#ifndef AESFIT_WITHOUT_CCM
    good &= self_test_ccm(core);
#endif
#ifndef AESFIT_WITHOUT_GCM
    good &= self_test_gcm(core);
#endif
    return good;
}

int aesfit_self_test(const char **failed)
{
    const char *name = NULL;
    for (size_t i = 0; i < aesfit_core_count() && name == NULL; i++) {
        const aesfit_core *core = aesfit_core_at(i);
        if (aesfit_core_available(core) && !self_test_core(core))
            name = core->name;
    }
    for (size_t i = 0; i < aesfit_ghash_count() && name == NULL; i++) {
        const aesfit_ghash *ghash = aesfit_ghash_at(i);
        if (aesfit_ghash_available(ghash) && !self_test_ghash(ghash))
            name = ghash->name;
    }
    if (failed != NULL)
        *failed = name;
    return name == NULL ? AESFIT_OK : AESFIT_ERR_SELF_TEST;
}
