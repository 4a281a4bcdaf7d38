/* SPDX-License-Identifier: MIT */
#include "aesfit.h"

int main(void)
{
    static const uint8_t secret[16] = {1, 2, 3}; // your key
    uint8_t packet[56] = {0x08, 0x01};           // header of 24 bytes, 16 of data, room for 16 more
    uint64_t number = 1;                         // never twice under one key: count up
    size_t bytes;
    aesfit_key key;
    int bad = aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_ENCRYPT);
    bad |= aesfit_ccmp_encapsulate(&key, number, 0, packet, 56, &bytes, packet, 24, 40);
#if !ENCRYPT_ONLY
    bad |= aesfit_ccmp_decapsulate(&key, &number, packet, 56, &bytes, packet, 24, bytes);
#endif
    aesfit_wipe(&key, sizeof key);
    return bad != AESFIT_OK; // 0: done
}
