/* SPDX-License-Identifier: MIT */
#include "aesfit.h"

int main(void)
{
    static const uint8_t secret[16] = {1, 2, 3}; // your key
    static const uint8_t text[14] = "attack at one";
    uint8_t tag[16];
    aesfit_key key;
    int bad = aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_ENCRYPT);
    bad |= aesfit_cmac(&key, text, sizeof text, tag, sizeof tag);
#if !ENCRYPT_ONLY
    bad |= aesfit_cmac_verify(&key, text, sizeof text, tag, sizeof tag);
#endif
    aesfit_wipe(&key, sizeof key);
    return bad != AESFIT_OK; // 0: done
}
