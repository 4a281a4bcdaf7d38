/* SPDX-License-Identifier: MIT */
#include "aesfit.h"

int main(void)
{
    static const uint8_t secret[16] = {1, 2, 3}; // your key
    uint8_t iv[16] = {7}, same[16] = {7};        // random for every message
    uint8_t text[32] = "attack at dawn";         // whole blocks
    aesfit_key key;
    int bad = aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_BOTH);
    bad |= aesfit_cbc_encrypt(&key, iv, text, text, sizeof text); // iv is ready for the next call
#if SEPARATE_KEYS
    // the same key again, now for decryption
    bad |= aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_DECRYPT);
#endif
    bad |= aesfit_cbc_decrypt(&key, same, text, text, sizeof text);
    bad |= text[0] != 'a'; // the text is back
    aesfit_wipe(&key, sizeof key);
    return bad != AESFIT_OK; // 0: done
}
