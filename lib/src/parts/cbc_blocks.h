/* SPDX-License-Identifier: MIT */
/* CBC over whole blocks, for every mode that chains: the core's bulk path where it has one,
 * otherwise one block a call (encryption is serial) or batches of the core's lanes. */
#ifndef AESFIT_PARTS_CBC_BLOCKS_H
#define AESFIT_PARTS_CBC_BLOCKS_H

#include "one_block.h"

/* chain: the IV, then the last ciphertext block. */
AESFIT_INLINE void cbc_blocks_encrypt(const aesfit_key *key, uint8_t chain[16], uint8_t *out,
                                      const uint8_t *in, size_t blocks)
{
    const uint8_t *last = chain;
#if AESFIT_WITH_BULK
    if (CORE_BULK(key, cbc_encrypt) != NULL) {
        CORE_BULK(key, cbc_encrypt)(key, chain, out, in, blocks);
        return;
    }
#endif
    if (blocks == 0)
        return;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        xor_block(out, last, in);
        CORE_CALL(key, encrypt)(key, out, out, 1);
        last = out;
    }
    memcpy(chain, last, 16);
}

/* In batches of the core's lanes; copies the input first, because out may be in. */
AESFIT_LOCAL void cbc_batches_decrypt(const aesfit_key *key, uint8_t chain[16], uint8_t *out,
                                      const uint8_t *in, size_t blocks)
{
    uint8_t before[16 * (CORE_MAX_LANES + 1)]; /* chain, then the batch's input */
    while (blocks > 0) {
        size_t batch = blocks < CORE_LANES(key) ? blocks : CORE_LANES(key);
        memcpy(before, chain, 16);
        memcpy(before + 16, in, 16 * batch);
        CORE_CALL(key, decrypt)(key, out, in, batch);
        for (size_t i = 0; i < batch; i++)
            xor_block(out + 16 * i, out + 16 * i, before + 16 * i);
        memcpy(chain, before + 16 * batch, 16);
        in += 16 * batch;
        out += 16 * batch;
        blocks -= batch;
    }
}

/* One by one from the last block to the first: the ciphertext that a block is XORed with is still
 * there when it is needed, even if out is in, so that nothing is copied. */
AESFIT_LOCAL void cbc_singles_decrypt(const aesfit_key *key, uint8_t chain[16], uint8_t *out,
                                      const uint8_t *in, size_t blocks)
{
    uint8_t last[16];
    if (blocks == 0)
        return;
    memcpy(last, in + 16 * (blocks - 1), 16);
    while (blocks-- > 0) {
        const uint8_t *before = blocks > 0 ? in + 16 * (blocks - 1) : chain;
        decrypt_block(key, out + 16 * blocks, in + 16 * blocks);
        xor_block(out + 16 * blocks, out + 16 * blocks, before);
    }
    memcpy(chain, last, 16);
}

AESFIT_INLINE void cbc_blocks_decrypt(const aesfit_key *key, uint8_t chain[16], uint8_t *out,
                                      const uint8_t *in, size_t blocks)
{
#if AESFIT_WITH_BULK
    if (CORE_BULK(key, cbc_decrypt) != NULL) {
        CORE_BULK(key, cbc_decrypt)(key, chain, out, in, blocks);
        return;
    }
#endif
    if (CORE_LANES(key) == 1)
        cbc_singles_decrypt(key, chain, out, in, blocks);
    else
        cbc_batches_decrypt(key, chain, out, in, blocks);
}

#endif
