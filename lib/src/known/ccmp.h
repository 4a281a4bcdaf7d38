/* SPDX-License-Identifier: MIT */
/* CCMP: a data frame to the distribution system, 24 bytes of header and 40 of data.
 * The answers start behind the MAC header: CCMP header, data, MIC. */
#if !defined(AESFIT_KNOWN_CCMP_H) && !defined(AESFIT_WITHOUT_CCMP)
#define AESFIT_KNOWN_CCMP_H

#include "known.h"

static const uint8_t known_ccmp_answers[][56] = {
#if (AESFIT_BOUND_KEY_SIZES & 1) != 0
    {0x01, 0x02, 0x00, 0x20, 0x03, 0x04, 0x05, 0x06, 0x62, 0x0e, 0x63, 0xec, 0xf0, 0x34,
     0xbe, 0xf8, 0x6d, 0xe1, 0x7b, 0xf6, 0x43, 0xbb, 0x81, 0xd6, 0xb0, 0x70, 0x42, 0x55,
     0x84, 0x82, 0xc9, 0x29, 0x5f, 0xdf, 0xa6, 0x67, 0xf3, 0x87, 0xa4, 0xc1, 0x66, 0x4d,
     0x8e, 0x30, 0x53, 0xb4, 0xfa, 0x55, 0xb4, 0x32, 0xc3, 0xcc, 0x46, 0x2f, 0x1b, 0x8c},
#endif
};

AESFIT_COLD AESFIT_LOCAL int known_ccmp(const aesfit_core *core, size_t key_bytes,
                                        const uint8_t *text)
{
    const uint64_t number = UINT64_C(0x060504030201);
    aesfit_key key;
    uint8_t mpdu[80];
    size_t bytes;
    memcpy(mpdu, text + known_ad, 64);
    mpdu[0] = 0x08; /* data */
    mpdu[1] = 0x01; /* To DS */
    if (aesfit_expand_key(&key, core, text, key_bytes, AESFIT_ENCRYPT) != AESFIT_OK ||
        aesfit_ccmp_encapsulate(&key, number, 0, mpdu, 80, &bytes, mpdu, 24, 64) != AESFIT_OK ||
        bytes != 80 || !known_equal(mpdu + 24, known_ccmp_answers[0], 56))
        return 0;
#if AESFIT_BOUND_ENCRYPT_ONLY
    return 1;
#else
    uint8_t back[64];
    uint64_t found;
    if (aesfit_ccmp_decapsulate(&key, &found, back, 64, &bytes, mpdu, 24, 80) != AESFIT_OK ||
        found != number || bytes != 64 || !known_equal(back + 24, text + known_data, 40))
        return 0;
    mpdu[79] ^= 1;
    return aesfit_ccmp_decapsulate(&key, &found, back, 64, &bytes, mpdu, 24, 80) ==
           AESFIT_ERR_AUTHENTICATION;
#endif
}

#endif
