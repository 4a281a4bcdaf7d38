/* SPDX-License-Identifier: MIT */
#include "aesfit.h"

int main(void)
{
    static const uint8_t secret[16] = {1, 2, 3}; // your key
    static const uint8_t iv[16] = {7};           // random for every message
    uint8_t text[14] = "attack at one";
    aesfit_feedback state;
    aesfit_key key;
    int bad = aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_ENCRYPT);
    bad |= aesfit_feedback_start(&state, iv);
    bad |= aesfit_cfb_encrypt(&key, &state, text, text, sizeof text);
#if !ENCRYPT_ONLY
    bad |= aesfit_feedback_start(&state, iv);
    bad |= aesfit_cfb_decrypt(&key, &state, text, text, sizeof text);
    bad |= text[0] != 'a'; // the text is back
#endif
    aesfit_wipe(&key, sizeof key);
    return bad != AESFIT_OK; // 0: done
}
