/* SPDX-License-Identifier: MIT */
/* Counter keystream for CTR, CCM and GCM. */
#ifndef AESFIT_PARTS_KEYSTREAM_H
#define AESFIT_PARTS_KEYSTREAM_H

#include "one_block.h"
#include "wipe.h"

/* GCM's counter: the last 32 bits, modulo 2^32 (SP 800-38D 6.2).  It is secret where it comes from
 * GHASH of the nonce, so nothing may depend on its carries. */
AESFIT_LIBRARY_SHARED void counter_next32(uint8_t counter[16])
{
    store32_be(counter + 12, load32_be(counter + 12) + 1);
}

/* Adds 1 to the rightmost `bits` (1 to 128) bits, big-endian, modulo 2^bits, of a counter that is
 * public: the early end of the carry leaks nothing. */
AESFIT_INLINE void counter_next(uint8_t counter[16], unsigned bits)
{
    uint8_t *last = counter + 15;
#if !AESFIT_SMALL_CODE
    if (bits >= 32) { /* a word, because a core that loads words would wait for a byte stored */
        uint32_t low = load32_be(counter + 12) + 1;
        store32_be(counter + 12, low);
        if (low != 0 || bits == 32)
            return;
        last = counter + 11;
        bits -= 32;
    }
#endif
    for (; bits > 8; bits -= 8, last--) {
        if (++*last != 0)
            return;
        AESFIT_BARRIER(bits);
    }
    uint8_t field = (uint8_t)(0xff >> (8 - bits));
    *last = (uint8_t)((*last & ~field) | ((*last + 1) & field));
}

/* counter_next() or, for 32 bits, counter_next32(). */
AESFIT_INLINE void counter_count(uint8_t counter[16], unsigned bits)
{
    if (bits == 32)
        counter_next32(counter);
    else
        counter_next(counter, bits);
}

/* What the core keeps of counter blocks in a row (core.h).  A bound core that keeps nothing leaves
 * no code of this. */
typedef struct keystream_kept {
    uint32_t words[AESFIT_COUNTER_WORDS];
    uint8_t in_use, ready;
} keystream_kept;

/* Blocks in a row from which on it pays: keeping takes about a block's two first rounds. */
enum { keystream_least = 4 };

/* Before about `blocks` blocks; 0 where the counter is secret: which blocks begin anew shows in
 * time.  Keys with fewer rounds (study) do without. */
AESFIT_INLINE void keystream_begin(keystream_kept *kept, const aesfit_key *key, size_t blocks)
{
#if AESFIT_KEEP_COUNTERS && !defined(AESFIT_BOUND)
    if (key->core->prepare_counter == NULL)
        blocks = 0;
#endif
#if AESFIT_KEEP_COUNTERS
    kept->in_use = blocks >= keystream_least && key->rounds >= 10;
    kept->ready = 0;
#else
    (void)kept;
    (void)key;
    (void)blocks;
#endif
}

AESFIT_INLINE void keystream_end(keystream_kept *kept)
{
#if AESFIT_KEEP_COUNTERS
    if (kept->in_use)
        wipe(kept->words, sizeof kept->words);
#else
    (void)kept;
#endif
}

#if AESFIT_KEEP_COUNTERS
/* The upper 15 bytes of a counter change only when its last byte becomes 0. */
AESFIT_INLINE void keystream_keep(const aesfit_key *key, keystream_kept *kept,
                                  const uint8_t counter[16])
{
    if (!kept->ready || counter[15] == 0) {
        CORE_CALL(key, prepare_counter)(key, kept->words, counter);
        kept->ready = 1;
    }
}

AESFIT_SHARED void keystream_kept_block(const aesfit_key *key, keystream_kept *kept, uint8_t *out,
                                        const uint8_t counter[16])
{
    keystream_keep(key, kept, counter);
    CORE_CALL(key, encrypt_counter)(key, out, kept->words, counter);
}
#endif

#if AESFIT_XOR_COUNTERS
/* keystream_xor() by a core that adds the key stream itself: all blocks up to the next wrap of the
 * counter's last seven bits, or of a field shorter than these, at once. */
AESFIT_INLINE void keystream_runs(const aesfit_key *key, keystream_kept *kept, uint8_t counter[16],
                                  unsigned bits, uint8_t *out, const uint8_t *in, size_t blocks)
{
    unsigned field = bits < 7 ? (1u << bits) - 1 : 0x7f;
    while (blocks > 0) {
        size_t run = field + 1 - (counter[15] & field);
        run = run < blocks ? run : blocks;
        keystream_keep(key, kept, counter);
        CORE_CALL(key, xor_counters)(key, out, in, kept->words, counter, run);
        counter[15] = (uint8_t)(counter[15] + (run - 1));
        counter_count(counter, bits);
        in += 16 * run;
        out += 16 * run;
        blocks -= run;
    }
}
#endif

/* Encrypts a counter block; all between keystream_begin() and keystream_end() count by 1. */
AESFIT_INLINE void keystream_block(const aesfit_key *key, keystream_kept *kept, uint8_t *out,
                                   const uint8_t counter[16])
{
#if AESFIT_KEEP_COUNTERS
    if (kept->in_use) {
        keystream_kept_block(key, kept, out, counter);
        return;
    }
#else
    (void)kept;
#endif
    encrypt_block(key, out, counter);
}

/* The next `batch` blocks of keystream. */
AESFIT_INLINE void keystream_next(const aesfit_key *key, keystream_kept *kept, uint8_t counter[16],
                                  unsigned bits, uint8_t *stream, size_t batch)
{
    if (CORE_LANES(key) == 1) {
        keystream_block(key, kept, stream, counter);
        counter_count(counter, bits);
        return;
    }
    for (size_t i = 0; i < batch; i++) {
        memcpy(stream + 16 * i, counter, 16);
        counter_count(counter, bits);
    }
    CORE_CALL(key, encrypt)(key, stream, stream, batch);
}

/* out = in ^ keystream over whole blocks, in batches of the core's lanes; the counter's rightmost
 * `bits` bits count.  known: the counter is public. */
AESFIT_INLINE void keystream_xor(const aesfit_key *key, uint8_t counter[16], unsigned bits,
                                 int known, uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint8_t stream[16 * CORE_MAX_LANES];
    keystream_kept kept;
    keystream_begin(&kept, key, known ? blocks : 0);
#if AESFIT_XOR_COUNTERS
    if (kept.in_use && CORE_XORS_COUNTERS(key)) {
        keystream_runs(key, &kept, counter, bits, out, in, blocks);
        keystream_end(&kept);
        return;
    }
#endif
    while (blocks > 0) {
        size_t batch = blocks < CORE_LANES(key) ? blocks : CORE_LANES(key);
        keystream_next(key, &kept, counter, bits, stream, batch);
        for (size_t i = 0; i < batch; i++)
            xor_block(out + 16 * i, in + 16 * i, stream + 16 * i);
        in += 16 * batch;
        out += 16 * batch;
        blocks -= batch;
    }
    keystream_end(&kept);
    wipe(stream, sizeof stream);
}

#endif
