/* SPDX-License-Identifier: MIT */
/* Known answers of what is compiled in: a message of each mode with each key size.  Where
 * aesfit_core_at() gives several cores, it is done with all that this processor can run, and blocks
 * of each and a hash of each GHASH multiplier are too.  Small enough for a microcontroller's
 * start-up; not a replacement for the test suite: a table has entries that no answer reads. */
#include "ghash/ghash.h"
#include "known/block.h"
#include "known/cbc.h"
#include "known/cbc_cs3.h"
#include "known/cbc_mac.h"
#include "known/ccm.h"
#include "known/ccmp.h"
#include "known/cfb.h"
#include "known/cfb8.h"
#include "known/cmac.h"
#include "known/ctr.h"
#include "known/ecb.h"
#include "known/gcm.h"
#include "known/gcm_siv.h"
#include "known/kw.h"
#include "known/ofb.h"
#include "known/pkcs7.h"
#include "known/xts.h"

#if (AESFIT_BOUND_DIRECTIONS & 1) == 0
#error "known answers are made by encrypting: AESFIT_BOUND_DIRECTIONS lacks AESFIT_ENCRYPT"
#endif

/* The least and the most bytes of key that are built in. */
enum {
    self_test_least = BOUND_LACKS_SIZE(1) ? BOUND_LACKS_SIZE(2) ? 32 : 24 : 16,
    self_test_most = BOUND_LACKS_SIZE(4) ? BOUND_LACKS_SIZE(2) ? 16 : 24 : 32
};

/* The part that fails first with keys of this size, or NULL. */
AESFIT_COLD AESFIT_LOCAL const char *self_test_size(const aesfit_core *core, size_t key_bytes)
{
    uint8_t text[known_bytes];
    known_fill(text, sizeof text, 1);
#ifndef AESFIT_BOUND
    if (!known_block(core, key_bytes, text))
        return "block";
#endif
#ifndef AESFIT_WITHOUT_ECB
    if (!known_ecb(core, key_bytes, text))
        return "ecb";
#endif
#ifndef AESFIT_WITHOUT_CBC
    if (!known_cbc(core, key_bytes, text))
        return "cbc";
#endif
#ifndef AESFIT_WITHOUT_PKCS7
    if (!known_pkcs7(core, key_bytes, text))
        return "pkcs7";
#endif
#ifndef AESFIT_WITHOUT_CBC_CS3
    if (!known_cbc_cs3(core, key_bytes, text))
        return "cbc_cs3";
#endif
#ifndef AESFIT_WITHOUT_CTR
    if (!known_ctr(core, key_bytes, text))
        return "ctr";
#endif
#ifndef AESFIT_WITHOUT_CFB
    if (!known_cfb(core, key_bytes, text))
        return "cfb";
#endif
#ifndef AESFIT_WITHOUT_CFB8
    if (!known_cfb8(core, key_bytes, text))
        return "cfb8";
#endif
#ifndef AESFIT_WITHOUT_OFB
    if (!known_ofb(core, key_bytes, text))
        return "ofb";
#endif
#ifndef AESFIT_WITHOUT_XTS
    if (key_bytes != 24 && !known_xts(core, key_bytes, text))
        return "xts";
#endif
#ifndef AESFIT_WITHOUT_CBC_MAC
    if (!known_cbc_mac(core, key_bytes, text))
        return "cbc_mac";
#endif
#ifndef AESFIT_WITHOUT_CMAC
    if (!known_cmac(core, key_bytes, text))
        return "cmac";
#endif
#ifndef AESFIT_WITHOUT_CCM
    if (!known_ccm(core, key_bytes, text))
        return "ccm";
#endif
#ifndef AESFIT_WITHOUT_GCM
    if (!known_gcm(core, key_bytes, text))
        return "gcm";
#endif
#ifndef AESFIT_WITHOUT_GCM_SIV
    if (key_bytes != 24 && !known_gcm_siv(core, key_bytes, text))
        return "gcm_siv";
#endif
#ifndef AESFIT_WITHOUT_KW
    if (!known_kw(core, key_bytes, text))
        return "kw";
#endif
#ifndef AESFIT_WITHOUT_CCMP
    if (key_bytes == 16 && !known_ccmp(core, key_bytes, text))
        return "ccmp";
#endif
    return NULL;
}

AESFIT_COLD AESFIT_LOCAL const char *self_test_core(const aesfit_core *core)
{
    const char *part = NULL;
    for (size_t bytes = self_test_least; bytes <= self_test_most && part == NULL; bytes += 8)
        if (BOUND_LACKS_SIZE(1) || BOUND_LACKS_SIZE(4) || !BOUND_LACKS_SIZE(2) || bytes != 24)
            part = self_test_size(core, bytes);
    return part;
}

#ifdef AESFIT_BOUND
AESFIT_COLD AESFIT_LOCAL const char *self_test_first_failure(void)
{
    return self_test_core(NULL);
}
#else
/* GHASH of the ciphertext and lengths of test case 2 in McGrew and Viega, The Galois/Counter Mode
 * of Operation. */
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
    if (!GHASH_HAS_ROOM(ghash))
        return 0;
    ghash->init(key.h, h);
    ghash->update(key.h, y, text, 2);
    return equal_bytes(y, hash, 16);
}

AESFIT_COLD AESFIT_LOCAL const char *self_test_first_failure(void)
{
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        if (aesfit_core_available(core) && self_test_core(core) != NULL)
            return core->name;
    }
    for (size_t i = 0; i < aesfit_ghash_count(); i++) {
        const aesfit_ghash *ghash = aesfit_ghash_at(i);
        if (aesfit_ghash_available(ghash) && !self_test_ghash(ghash))
            return ghash->name;
    }
    return NULL;
}
#endif

int aesfit_self_test(const char **failed)
{
    const char *name = self_test_first_failure();
    if (failed != NULL)
        *failed = name;
    return name == NULL ? AESFIT_OK : AESFIT_ERR_SELF_TEST;
}
