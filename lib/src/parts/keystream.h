/* SPDX-License-Identifier: MIT */
/* Counter keystream for CTR, CCM and GCM, and the pieces of their last, short blocks. */
#ifndef AESFIT_PARTS_KEYSTREAM_H
#define AESFIT_PARTS_KEYSTREAM_H

#include "bytes.h"
#include "wipe.h"

/* GCM's counter: the last 32 bits, modulo 2^32 (SP 800-38D 6.2). */
AESFIT_INLINE void counter_next32(uint8_t counter[16])
{
    store32_be(counter + 12, load32_be(counter + 12) + 1);
}

/* CCM's counter: 2 to 8 bytes that start at 0 and never wrap, so a carry stays inside. */
AESFIT_INLINE void counter_next64(uint8_t counter[16])
{
    store64_be(counter + 8, load64_be(counter + 8) + 1);
}

/* CTR's counter: all 128 bits.  It is public, so the early end of the carry leaks nothing. */
AESFIT_INLINE void counter_next128(uint8_t counter[16])
{
    for (int i = 15; i >= 0; i--)
        if (++counter[i] != 0)
            return;
}

/* Writes `blocks` counter blocks one after the other; `bits` 32, 64 or 128, a constant. */
AESFIT_INLINE void counter_blocks(uint8_t *blocks_out, uint8_t counter[16], unsigned bits,
                                  size_t blocks)
{
    for (; blocks > 0; blocks--, blocks_out += 16) {
        memcpy(blocks_out, counter, 16);
        if (bits == 32)
            counter_next32(counter);
        else if (bits == 64)
            counter_next64(counter);
        else
            counter_next128(counter);
    }
}

/* out = a ^ b, 0 to 15 bytes, in pieces of fixed sizes: a loop over bytes can cost more than the
 * cipher. */
AESFIT_INLINE void xor_tail(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t bytes)
{
    uint32_t x[2], y[2];
    if ((bytes & 8) != 0) {
        memcpy(x, a, 8);
        memcpy(y, b, 8);
        x[0] ^= y[0];
        x[1] ^= y[1];
        memcpy(out, x, 8);
    }
    size_t done = bytes & 8;
    if ((bytes & 4) != 0) {
        memcpy(x, a + done, 4);
        memcpy(y, b + done, 4);
        x[0] ^= y[0];
        memcpy(out + done, x, 4);
    }
    for (done = bytes & 12; done < bytes; done++)
        out[done] = (uint8_t)(a[done] ^ b[done]);
}

/* out = a ^ b, any length; out may be a or b. */
AESFIT_INLINE void xor_message(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t bytes)
{
    for (; bytes >= 16; bytes -= 16, out += 16, a += 16, b += 16)
        xor_block(out, a, b);
    xor_tail(out, a, b, bytes);
}

/* out = in ^ keystream over whole blocks, in batches of the core's lanes. */
AESFIT_INLINE void keystream_xor(const aesfit_key *key, uint8_t counter[16], unsigned bits,
                                 uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint8_t stream[16 * CORE_MAX_LANES];
    while (blocks > 0) {
        size_t batch = blocks < CORE_LANES(key) ? blocks : CORE_LANES(key);
        counter_blocks(stream, counter, bits, batch);
        CORE_CALL(key, encrypt)(key, stream, stream, batch);
        for (size_t i = 0; i < batch; i++)
            xor_block(out + 16 * i, in + 16 * i, stream + 16 * i);
        in += 16 * batch;
        out += 16 * batch;
        blocks -= batch;
    }
    wipe(stream, sizeof stream);
}

#endif
