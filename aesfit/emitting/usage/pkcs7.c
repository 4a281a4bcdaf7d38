/* SPDX-License-Identifier: MIT */
#include "aesfit.h"

int main(void)
{
    static const uint8_t secret[16] = {1, 2, 3}; // your key
    static const uint8_t iv[16] = {7};           // random for every message
    uint8_t text[32] = "attack at dawn";         // room for the padding
    size_t bytes;
    aesfit_key key;
    int bad = aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_BOTH);
    bad |= aesfit_cbc_pkcs7_encrypt(&key, iv, text, sizeof text, &bytes, text, 14);
#if SEPARATE_KEYS
    // the same key again, now for decryption
    bad |= aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_DECRYPT);
#endif
    bad |= aesfit_cbc_pkcs7_decrypt(&key, iv, text, sizeof text, &bytes, text, bytes);
    bad |= bytes != 14 || text[0] != 'a'; // the text is back
    aesfit_wipe(&key, sizeof key);
    return bad != AESFIT_OK; // 0: done
}
