/* SPDX-License-Identifier: MIT */
/* GHASH of a message given in pieces, over any multiplier: y is the hash so far, `used` (0 to 15)
 * the bytes of the block under way.  Those are XORed into y at once, and the block is multiplied
 * when it is full by way of a block of zeros. */
#ifndef AESFIT_PARTS_GHASH_MESSAGE_H
#define AESFIT_PARTS_GHASH_MESSAGE_H

#include "../ghash/ghash.h"
#include "keystream.h"

/* Ends a block under way with zeros. */
AESFIT_LOCAL void ghash_pad(const aesfit_gcm_key *key, uint8_t y[16], uint8_t *used)
{
    static const uint8_t zero[16] = {0};
    if (*used != 0)
        GHASH_CALL(key, update)(key->h, y, zero, 1);
    *used = 0;
}

AESFIT_LOCAL void ghash_absorb(const aesfit_gcm_key *key, uint8_t y[16], uint8_t *used,
                               const uint8_t *in, size_t bytes)
{
    while (bytes > 0) {
        size_t part = 16u - *used;
        if (*used == 0 && bytes >= 16) {
            part = bytes / 16 * 16;
            GHASH_CALL(key, update)(key->h, y, in, bytes / 16);
        } else {
            part = part < bytes ? part : bytes;
            xor_tail(y + *used, y + *used, in, part);
            *used = (uint8_t)(*used + part);
            if (*used == 16)
                ghash_pad(key, y, used);
        }
        in += part;
        bytes -= part;
    }
}

/* Ends the message: zeros up to the end of the block, then both lengths in bits. */
AESFIT_LOCAL void ghash_lengths(const aesfit_gcm_key *key, uint8_t y[16], uint8_t used,
                                uint64_t ad_bytes, uint64_t bytes)
{
    uint8_t last[32] = {0};
    store64_be(last + 16, 8 * ad_bytes);
    store64_be(last + 24, 8 * bytes);
    if (used != 0)
        GHASH_CALL(key, update)(key->h, y, last, 2);
    else
        GHASH_CALL(key, update)(key->h, y, last + 16, 1);
}

#endif
