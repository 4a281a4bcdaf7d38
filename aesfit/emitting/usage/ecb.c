/* SPDX-License-Identifier: MIT */
#include "aesfit.h"

int main(void)
{
    static const uint8_t secret[16] = {1, 2, 3}; // your key
    uint8_t text[16] = "attack at dawn";         // equal blocks stay equal: not for messages
    aesfit_key key;
#if ENCRYPT_ONLY
    int bad = aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_ENCRYPT);
    bad |= aesfit_ecb_encrypt(&key, text, text, sizeof text); // one block, or many
#endif
#if !ENCRYPT_ONLY
    int bad = aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_BOTH);
    bad |= aesfit_ecb_encrypt(&key, text, text, sizeof text);
#if SEPARATE_KEYS
    // the same key again, now for decryption
    bad |= aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_DECRYPT);
#endif
    bad |= aesfit_ecb_decrypt(&key, text, text, sizeof text);
    bad |= text[0] != 'a'; // the text is back
#endif
    aesfit_wipe(&key, sizeof key);
    return bad != AESFIT_OK; // 0: done
}
