/* SPDX-License-Identifier: MIT */
#include "aesfit.h"

int main(void)
{
    static const uint8_t secret[16] = {1, 2, 3}; // your key
    static const uint8_t first[16] = {7};        // no counter value twice under one key
    uint8_t text[14] = "attack at one";
    aesfit_ctr counter;
    aesfit_key key;
    int bad = aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_ENCRYPT);
    bad |= aesfit_ctr_start(&counter, first, 128);
    bad |= aesfit_ctr_crypt(&key, &counter, text, text, sizeof text); // encrypted
    bad |= aesfit_ctr_start(&counter, first, 128);
    bad |= aesfit_ctr_crypt(&key, &counter, text, text, sizeof text); // decrypted
    bad |= text[0] != 'a';                                            // the text is back
    aesfit_wipe(&key, sizeof key);
    return bad != AESFIT_OK; // 0: done
}
