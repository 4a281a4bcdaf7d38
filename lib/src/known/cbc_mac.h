/* SPDX-License-Identifier: MIT */
/* CBC-MAC of 48 bytes; the library has no verification. */
#if !defined(AESFIT_KNOWN_CBC_MAC_H) && !defined(AESFIT_WITHOUT_CBC_MAC)
#define AESFIT_KNOWN_CBC_MAC_H

#include "known.h"

static const uint8_t known_cbc_mac_answers[][16] = {
#if (AESFIT_BOUND_KEY_SIZES & 1) != 0
    {0x33, 0xed, 0x4d, 0x2f, 0xc4, 0xa9, 0x13, 0x2f, 0x4b, 0x0f, 0x1c, 0x64, 0x73, 0xd8, 0x46,
     0xaa},
#endif
#if (AESFIT_BOUND_KEY_SIZES & 2) != 0
    {0x24, 0xde, 0x6b, 0x52, 0x9e, 0x36, 0x28, 0xe5, 0x9b, 0xe0, 0x02, 0x28, 0x4b, 0x7d, 0x15,
     0x9d},
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    {0xa2, 0x1a, 0x13, 0xda, 0x6a, 0x2d, 0x0c, 0x16, 0x18, 0xbe, 0x9e, 0x04, 0x38, 0xa5, 0x17,
     0xee},
#endif
};

AESFIT_COLD AESFIT_LOCAL int known_cbc_mac(const aesfit_core *core, size_t key_bytes,
                                           const uint8_t *text)
{
    aesfit_key key;
    uint8_t tag[16];
    return aesfit_expand_key(&key, core, text, key_bytes, AESFIT_ENCRYPT) == AESFIT_OK &&
           aesfit_cbc_mac(&key, text + known_data, 48, tag) == AESFIT_OK &&
           known_equal(tag, known_cbc_mac_answers[known_row(key_bytes)], 16);
}

#endif
