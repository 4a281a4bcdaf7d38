/* SPDX-License-Identifier: MIT */
/* XTS (IEEE 1619-2018, clause 5) with a tweak that is already encrypted: runs of whole blocks, and
 * the end of a data unit with ciphertext stealing.  `direction` is a constant at every call. */
#ifndef AESFIT_PARTS_XTS_BLOCKS_H
#define AESFIT_PARTS_XTS_BLOCKS_H

#include "bytes.h"
#include "mask.h"
#include "wipe.h"

/* Multiplies the tweak by x in GF(2^128) / (x^128 + x^7 + x^2 + x + 1), bytes little-endian;
 * a mask instead of a branch, since the tweak is secret. */
AESFIT_INLINE void xts_blocks_double(uint8_t tweak[16])
{
    uint32_t w0 = load32_le(tweak), w1 = load32_le(tweak + 4);
    uint32_t w2 = load32_le(tweak + 8), w3 = load32_le(tweak + 12);
    store32_le(tweak, (w0 << 1) ^ (mask32(w3 >> 31) & 0x87u));
    store32_le(tweak + 4, (w1 << 1) | (w0 >> 31));
    store32_le(tweak + 8, (w2 << 1) | (w1 >> 31));
    store32_le(tweak + 12, (w3 << 1) | (w2 >> 31));
}

/* One batch of at most CORE_LANES blocks. */
AESFIT_INLINE void xts_blocks_batch(const aesfit_key *key, unsigned direction, uint8_t tweak[16],
                                    uint8_t *tweaks, uint8_t *out, const uint8_t *in, size_t batch)
{
    for (size_t i = 0; i < batch; i++) {
        memcpy(tweaks + 16 * i, tweak, 16);
        xor_block(out + 16 * i, in + 16 * i, tweak);
        xts_blocks_double(tweak);
    }
    if (direction == AESFIT_ENCRYPT)
        CORE_CALL(key, encrypt)(key, out, out, batch);
    else
        CORE_CALL(key, decrypt)(key, out, out, batch);
    for (size_t i = 0; i < batch; i++)
        xor_block(out + 16 * i, out + 16 * i, tweaks + 16 * i);
}

/* Whole blocks; the tweak is advanced.  Bulk path or batches of lanes. */
AESFIT_INLINE void xts_blocks(const aesfit_key *key, unsigned direction, uint8_t tweak[16],
                              uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint8_t tweaks[16 * CORE_MAX_LANES];
#if AESFIT_WITH_BULK
    if (direction == AESFIT_ENCRYPT && CORE_BULK(key, xts_encrypt) != NULL) {
        CORE_BULK(key, xts_encrypt)(key, tweak, out, in, blocks);
        return;
    }
    if (direction == AESFIT_DECRYPT && CORE_BULK(key, xts_decrypt) != NULL) {
        CORE_BULK(key, xts_decrypt)(key, tweak, out, in, blocks);
        return;
    }
#endif
    while (blocks > 0) {
        size_t batch = blocks < CORE_LANES(key) ? blocks : CORE_LANES(key);
        xts_blocks_batch(key, direction, tweak, tweaks, out, in, batch);
        in += 16 * batch;
        out += 16 * batch;
        blocks -= batch;
    }
    wipe(tweaks, sizeof tweaks);
}

/* The last whole block and the `rest` (1 to 15) bytes behind it.  Encryption uses the tweaks in
 * their order, decryption swapped; all input is read before output is written over it. */
AESFIT_INLINE void xts_blocks_steal(const aesfit_key *key, unsigned direction, uint8_t tweak[16],
                                    uint8_t *out, const uint8_t *in, size_t rest)
{
    uint8_t next[16], block[16], stolen[16];
    uint8_t *first = direction == AESFIT_ENCRYPT ? tweak : next;
    uint8_t *second = direction == AESFIT_ENCRYPT ? next : tweak;
    memcpy(next, tweak, 16);
    xts_blocks_double(next);
    xts_blocks(key, direction, first, block, in, 1);
    memcpy(stolen, in + 16, rest);
    memcpy(stolen + rest, block + rest, 16 - rest);
    memcpy(out + 16, block, rest);
    xts_blocks(key, direction, second, out, stolen, 1);
    wipe(next, sizeof next);
    wipe(block, sizeof block);
    wipe(stolen, sizeof stolen);
}

/* The rest of a data unit, 16 bytes or more. */
AESFIT_INLINE void xts_blocks_end(const aesfit_key *key, unsigned direction, uint8_t tweak[16],
                                  uint8_t *out, const uint8_t *in, size_t bytes)
{
    size_t rest = bytes % 16, blocks = bytes / 16 - (rest != 0 ? 1 : 0);
    xts_blocks(key, direction, tweak, out, in, blocks);
    if (rest != 0)
        xts_blocks_steal(key, direction, tweak, out + 16 * blocks, in + 16 * blocks, rest);
}

#endif
