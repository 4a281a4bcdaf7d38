/* SPDX-License-Identifier: MIT */
#include "aesfit.h"

int main(void)
{
    static const uint8_t secret[16] = {1, 2, 3}; // your key
    static const uint8_t nonce[12] = {7};        // never twice under one key: count up
    static const uint8_t head[4] = {1, 2, 3, 4}; // authenticated, not encrypted
    uint8_t text[16] = "attack at dawn", tag[16];
    aesfit_gcm_key key;
    int bad = aesfit_gcm_expand_key(&key, NULL, NULL, secret, sizeof secret);
    bad |= aesfit_gcm_encrypt(&key, nonce, 12, head, 4, text, text, sizeof text, tag, 16);
#if !ENCRYPT_ONLY
    bad |= aesfit_gcm_decrypt(&key, nonce, 12, head, 4, text, text, sizeof text, tag, 16);
#endif
    aesfit_wipe(&key, sizeof key);
    return bad != AESFIT_OK; // 0: done
}
