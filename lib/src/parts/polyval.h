/* SPDX-License-Identifier: MIT */
/* POLYVAL (RFC 8452, 3) by a GHASH multiplier.
 *
 * POLYVAL reads a block from its last byte to its first, and its product is smaller by x^128.
 * RFC 8452, appendix A:
 *   POLYVAL(H, X_1, ...) = reversed(GHASH(mulX(reversed(H)), reversed(X_1), ...))
 * where mulX multiplies by x in GHASH's field.  So the key is H x, blocks are reversed before they
 * are multiplied, and the hash so far, y, is kept as GHASH has it: reversed. */
#ifndef AESFIT_PARTS_POLYVAL_H
#define AESFIT_PARTS_POLYVAL_H

#include "../ghash/ghash.h"
#include "bytes.h"
#include "mask.h"
#include "wipe.h"

/* Blocks that are reversed before a multiplier takes them: a call of it for each would cost. */
enum { polyval_batch = 4 };

/* out = in from its last byte to its first; `out` is another block. */
AESFIT_INLINE void reverse_block(uint8_t out[16], const uint8_t in[16])
{
    store32_be(out, load32_le(in + 12));
    store32_be(out + 4, load32_le(in + 8));
    store32_be(out + 8, load32_le(in + 4));
    store32_be(out + 12, load32_le(in));
}

/* The multiplier's key for the authentication key H. */
AESFIT_LOCAL void polyval_init(aesfit_gcm_key *key, const uint8_t h[16])
{
    uint32_t a = load32_le(h + 12), b = load32_le(h + 8), c = load32_le(h + 4), d = load32_le(h);
    uint32_t out = mask32(d & 1u);
    uint8_t times_x[16];
    store32_be(times_x, (a >> 1) ^ (out & 0xe1000000u)); /* x^128 = x^7 + x^2 + x + 1 */
    store32_be(times_x + 4, (b >> 1) | (a << 31));
    store32_be(times_x + 8, (c >> 1) | (b << 31));
    store32_be(times_x + 12, (d >> 1) | (c << 31));
    GHASH_CALL(key, init)(key->h, times_x);
    wipe(times_x, sizeof times_x);
}

/* Takes `bytes` bytes into y, with zeros up to the end of a block. */
AESFIT_LOCAL void polyval_absorb(const aesfit_gcm_key *key, uint8_t y[16], const uint8_t *in,
                                 size_t bytes)
{
    uint8_t reversed[16 * polyval_batch];
    while (bytes > 0) {
        size_t blocks = 0;
        for (; blocks < polyval_batch && bytes >= 16; blocks++, in += 16, bytes -= 16)
            reverse_block(reversed + 16 * blocks, in);
        if (blocks < polyval_batch && bytes > 0) {
            uint8_t *last = reversed + 16 * blocks;
            memset(last, 0, 16);
            for (; bytes > 0; bytes--)
                last[16 - bytes] = in[bytes - 1];
            blocks++;
        }
        GHASH_CALL(key, update)(key->h, y, reversed, blocks);
    }
    wipe(reversed, sizeof reversed);
}

/* Takes the block of both lengths in bits, and writes the hash as POLYVAL has it. */
AESFIT_LOCAL void polyval_end(const aesfit_gcm_key *key, uint8_t hash[16], uint8_t y[16],
                              uint64_t ad_bytes, uint64_t bytes)
{
    uint8_t lengths[16];
    store64_be(lengths, 8 * bytes);
    store64_be(lengths + 8, 8 * ad_bytes);
    GHASH_CALL(key, update)(key->h, y, lengths, 1);
    reverse_block(hash, y);
}

#endif
