/* SPDX-License-Identifier: MIT */
#include "aesfit.h"

int main(void)
{
    static const uint8_t secret[32] = {1, 2, 3}; // two keys, which must differ
    static const uint8_t tweak[16] = {7};        // the sector's number, little-endian
    uint8_t text[20] = "attack at dawn";         // one data unit, from 16 bytes
    aesfit_xts_key key;
    int bad = aesfit_xts_expand_key(&key, NULL, secret, sizeof secret, AESFIT_BOTH);
    bad |= aesfit_xts_encrypt(&key, tweak, text, text, sizeof text);
#if SEPARATE_KEYS
    // the same key again, now for decryption
    bad |= aesfit_xts_expand_key(&key, NULL, secret, sizeof secret, AESFIT_DECRYPT);
#endif
    bad |= aesfit_xts_decrypt(&key, tweak, text, text, sizeof text);
    bad |= text[0] != 'a'; // the text is back
    aesfit_wipe(&key, sizeof key);
    return bad != AESFIT_OK; // 0: done
}
