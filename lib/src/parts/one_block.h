/* SPDX-License-Identifier: MIT */
/* Calls of the core over one block.  On microcontrollers they are functions of their own, so that a
 * bound core is made to measure for one block, once, and keeps all registers: inlined into the loop
 * of a mode, it takes up to 50 cycles more on a Cortex-M3. */
#ifndef AESFIT_PARTS_ONE_BLOCK_H
#define AESFIT_PARTS_ONE_BLOCK_H

#include "bytes.h"

AESFIT_SHARED void encrypt_block(const aesfit_key *key, uint8_t *out, const uint8_t *in)
{
    CORE_CALL(key, encrypt)(key, out, in, 1);
}

/* A few blocks: one call where the core does several at once. */
AESFIT_INLINE void encrypt_few(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                               size_t blocks)
{
#ifdef AESFIT_BOUND /* one lane: the copy that single blocks take, which may be inlined there */
    if (CORE_LANES(key) == 1) {
        for (; blocks > 0; blocks--, out += 16, in += 16)
            encrypt_block(key, out, in);
        return;
    }
#endif
    CORE_CALL(key, encrypt)(key, out, in, blocks);
}

AESFIT_SHARED void decrypt_block(const aesfit_key *key, uint8_t *out, const uint8_t *in)
{
    CORE_CALL(key, decrypt)(key, out, in, 1);
}

#endif
