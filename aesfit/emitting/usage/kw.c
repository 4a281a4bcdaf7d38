/* SPDX-License-Identifier: MIT */
#include "aesfit.h"

int main(void)
{
    static const uint8_t secret[16] = {1, 2, 3}; // your key
    uint8_t text[24] = "another key";            // 16 bytes of key, and 8 to protect it
    size_t bytes;
    aesfit_key key;
    int bad = aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_BOTH);
    bad |= aesfit_key_wrap(&key, text, sizeof text, &bytes, text, 16);
#if SEPARATE_KEYS
    // the same key again, now for decryption
    bad |= aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_DECRYPT);
#endif
    bad |= aesfit_key_unwrap(&key, text, sizeof text, &bytes, text, bytes);
    bad |= text[0] != 'a'; // the text is back
    aesfit_wipe(&key, sizeof key);
    return bad != AESFIT_OK; // 0: done
}
