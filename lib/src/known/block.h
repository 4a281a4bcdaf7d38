/* SPDX-License-Identifier: MIT */
/* The core alone, on blocks for every lane and one more: FIPS 197, appendix C.  Not in bound
 * builds: their modes would be compiled otherwise when the core had one caller more. */
#if !defined(AESFIT_KNOWN_BLOCK_H) && !defined(AESFIT_BOUND)
#define AESFIT_KNOWN_BLOCK_H

#include "known.h"

static const uint8_t known_block_answers[][16] = {
#if (AESFIT_BOUND_KEY_SIZES & 1) != 0
    {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5,
     0x5a},
#endif
#if (AESFIT_BOUND_KEY_SIZES & 2) != 0
    {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71,
     0x91},
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60,
     0x89},
#endif
};

AESFIT_COLD AESFIT_LOCAL int known_block(const aesfit_core *core, size_t key_bytes,
                                         const uint8_t *text)
{
    const uint8_t *answer = known_block_answers[known_row(key_bytes)];
    aesfit_key key;
    uint8_t plain[16], blocks[16 * (CORE_MAX_LANES + 1)];
    int good = 1;
    if (aesfit_expand_key(&key, core, text, key_bytes, AESFIT_ENCRYPT) != AESFIT_OK)
        return 0;
    known_fill(plain, sizeof plain, 0x11);
    for (size_t i = 0; i < sizeof blocks; i += 16)
        memcpy(blocks + i, plain, 16);
    CORE_CALL(&key, encrypt)(&key, blocks, blocks, sizeof blocks / 16);
    for (size_t i = 0; i < sizeof blocks; i += 16)
        good &= known_equal(blocks + i, answer, 16);
#if AESFIT_KNOWN_INVERSE
    if (aesfit_expand_key(&key, core, text, key_bytes, AESFIT_DECRYPT) != AESFIT_OK)
        return 0;
    CORE_CALL(&key, decrypt)(&key, blocks, blocks, sizeof blocks / 16);
    for (size_t i = 0; i < sizeof blocks; i += 16)
        good &= known_equal(blocks + i, plain, 16);
#endif
    return good;
}

#endif
