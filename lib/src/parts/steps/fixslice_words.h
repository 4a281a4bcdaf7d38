/* SPDX-License-Identifier: MIT */
/* Blocks at any address for rounds of fixslice in assembly that want them at words. */
#ifndef AESFIT_STEPS_FIXSLICE_WORDS_H
#define AESFIT_STEPS_FIXSLICE_WORDS_H

#include "../bytes.h"

/* The arguments of the functions in src/assembly/fixslice_*.h. */
typedef void fixslice_blocks(const uint32_t *schedule, uint8_t *out, const uint8_t *in,
                             size_t blocks_and_rounds);

/* At words all blocks at once, elsewhere two by two by way of words: multiple loads need words even
 * where others do not (words_at). */
AESFIT_INLINE void fixslice_blocks_at(fixslice_blocks *run, const aesfit_key *key, uint8_t *out,
                                      const uint8_t *in, size_t blocks)
{
    uint32_t words[8];
    if ((((uintptr_t)out | (uintptr_t)in) & 3) == 0) {
        if (blocks > 0)
            run(key->schedule, out, in, 16 * blocks + key->rounds);
        return;
    }
    for (size_t some; blocks > 0; blocks -= some, in += 16 * some, out += 16 * some) {
        some = blocks > 1 ? 2 : 1;
        memcpy(words, in, 16 * some);
        run(key->schedule, (uint8_t *)words, (const uint8_t *)words, 16 * some + key->rounds);
        memcpy(out, words, 16 * some);
    }
}

#endif
