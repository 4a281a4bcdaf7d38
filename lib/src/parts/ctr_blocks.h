/* SPDX-License-Identifier: MIT */
/* Counter mode over whole blocks with a 128-bit big-endian counter. */
#ifndef AESFIT_PARTS_CTR_BLOCKS_H
#define AESFIT_PARTS_CTR_BLOCKS_H

#include "bytes.h"
#include "wipe.h"

/* Adds 1 modulo 2^128; the counter is public, so the early end of the carry leaks nothing. */
AESFIT_INLINE void ctr_blocks_increment(uint8_t counter[16])
{
    for (int i = 15; i >= 0; i--)
        if (++counter[i] != 0)
            return;
}

/* out = in ^ keystream; the counter is advanced by `blocks`.  Bulk path or batches of lanes. */
AESFIT_INLINE void ctr_blocks(const aesfit_key *key, uint8_t counter[16], uint8_t *out,
                              const uint8_t *in, size_t blocks)
{
    uint8_t keystream[16 * CORE_MAX_LANES];
#if AESFIT_WITH_BULK
    if (CORE_BULK(key, ctr) != NULL) {
        CORE_BULK(key, ctr)(key, counter, out, in, blocks);
        return;
    }
#endif
    while (blocks > 0) {
        size_t batch = blocks < CORE_LANES(key) ? blocks : CORE_LANES(key);
        for (size_t i = 0; i < batch; i++) {
            memcpy(keystream + 16 * i, counter, 16);
            ctr_blocks_increment(counter);
        }
        CORE_CALL(key, encrypt)(key, keystream, keystream, batch);
        for (size_t i = 0; i < batch; i++)
            xor_block(out + 16 * i, in + 16 * i, keystream + 16 * i);
        in += 16 * batch;
        out += 16 * batch;
        blocks -= batch;
    }
    wipe(keystream, sizeof keystream);
}

#endif
