/* SPDX-License-Identifier: MIT */
/* CMAC of 40 bytes. */
#if !defined(AESFIT_KNOWN_CMAC_H) && !defined(AESFIT_WITHOUT_CMAC)
#define AESFIT_KNOWN_CMAC_H

#include "known.h"

static const uint8_t known_cmac_answers[][16] = {
#if (AESFIT_BOUND_KEY_SIZES & 1) != 0
    {0xcc, 0xfb, 0x10, 0xc8, 0x28, 0x3f, 0xfd, 0xd4, 0x7a, 0x3a, 0x14, 0x99, 0xee, 0x5f, 0x6a,
     0x19},
#endif
#if (AESFIT_BOUND_KEY_SIZES & 2) != 0
    {0x79, 0x60, 0x79, 0x50, 0x30, 0x09, 0x4f, 0xe3, 0xed, 0x79, 0x88, 0xb2, 0x1e, 0xac, 0x13,
     0x04},
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    {0x63, 0x9b, 0xa0, 0x02, 0xb1, 0x62, 0x60, 0x02, 0x87, 0xaf, 0x82, 0x5c, 0x51, 0x12, 0x56,
     0xcc},
#endif
};

AESFIT_COLD AESFIT_LOCAL int known_cmac(const aesfit_core *core, size_t key_bytes,
                                        const uint8_t *text)
{
    const uint8_t *answer = known_cmac_answers[known_row(key_bytes)], *data = text + known_data;
    aesfit_key key;
    uint8_t tag[16];
    if (aesfit_expand_key(&key, core, text, key_bytes, AESFIT_ENCRYPT) != AESFIT_OK ||
        aesfit_cmac(&key, data, 40, tag, 16) != AESFIT_OK || !known_equal(tag, answer, 16))
        return 0;
#if AESFIT_BOUND_ENCRYPT_ONLY
    return 1;
#else
    tag[15] ^= 1;
    return aesfit_cmac_verify(&key, data, 40, answer, 16) == AESFIT_OK &&
           aesfit_cmac_verify(&key, data, 40, tag, 16) == AESFIT_ERR_AUTHENTICATION;
#endif
}

#endif
