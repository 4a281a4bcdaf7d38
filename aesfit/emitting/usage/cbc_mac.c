/* SPDX-License-Identifier: MIT */
#include "aesfit.h"

int main(void)
{
    static const uint8_t secret[16] = {1, 2, 3};      // your key
    static const uint8_t text[16] = "attack at dawn"; // messages of one length only
    uint8_t tag[16];
    aesfit_key key;
    int bad = aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_ENCRYPT);
    bad |= aesfit_cbc_mac(&key, text, sizeof text, tag);
    aesfit_wipe(&key, sizeof key);
    return bad != AESFIT_OK; // 0: done
}
