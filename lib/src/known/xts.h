/* SPDX-License-Identifier: MIT */
/* XTS, 40 bytes, the last 24 by stealing; there are two keys, of 128 or of 256 bits each. */
#if !defined(AESFIT_KNOWN_XTS_H) && !defined(AESFIT_WITHOUT_XTS)
#define AESFIT_KNOWN_XTS_H

#include "known.h"

static const uint8_t known_xts_answers[][40] = {
#if (AESFIT_BOUND_KEY_SIZES & 1) != 0
    {0x31, 0xec, 0x69, 0x8c, 0x10, 0x1f, 0x4f, 0x34, 0xe8, 0x5f, 0x26, 0x6f, 0xc3, 0x3c,
     0x1b, 0x99, 0xf1, 0xba, 0x28, 0xd4, 0xa0, 0x8d, 0xc2, 0x5b, 0x4d, 0x83, 0x5a, 0xbd,
     0x56, 0x92, 0xa6, 0xe5, 0x67, 0xc2, 0xb8, 0xd6, 0xb1, 0xa5, 0x9e, 0xca},
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    {0x00, 0x03, 0x08, 0x8f, 0x08, 0x3c, 0xba, 0xa8, 0x73, 0xbe, 0xae, 0x1c, 0xb2, 0x3e,
     0x59, 0x97, 0xac, 0x26, 0x03, 0xb9, 0x16, 0x86, 0x7a, 0x83, 0x95, 0x2b, 0x0c, 0x9a,
     0x4c, 0x5f, 0x5d, 0xe1, 0x99, 0x1c, 0x8f, 0x0d, 0xdc, 0x99, 0x30, 0xd3},
#endif
};

KNOWN_APART AESFIT_LOCAL int known_xts(const aesfit_core *core, size_t key_bytes,
                                       const uint8_t *text)
{
    size_t row = !BOUND_LACKS_SIZE(1) && key_bytes > 16; /* none for 192 bits */
    const uint8_t *answer = known_xts_answers[row], *data = text + known_data;
    aesfit_xts_key key;
    uint8_t out[40];
    if (aesfit_xts_expand_key(&key, core, text, 2 * key_bytes, AESFIT_BOUND_DIRECTIONS) !=
            AESFIT_OK ||
        aesfit_xts_encrypt(&key, text + known_nonce, out, data, sizeof out) != AESFIT_OK ||
        !known_equal(out, answer, sizeof out))
        return 0;
#if AESFIT_BOUND_ENCRYPT_ONLY
    return 1;
#else
    return aesfit_xts_decrypt(&key, text + known_nonce, out, answer, sizeof out) == AESFIT_OK &&
           known_equal(out, data, 40);
#endif
}

#endif
