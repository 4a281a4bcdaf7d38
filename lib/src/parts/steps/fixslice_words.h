/* SPDX-License-Identifier: MIT */
/* fixslice_blocks_at(): rounds in assembly, which load and store words; blocks at any address. */
#ifndef AESFIT_STEPS_FIXSLICE_WORDS_H
#define AESFIT_STEPS_FIXSLICE_WORDS_H

#include "../bytes.h"
#include "../wipe.h"

/* A function of lib/src/assembly: the schedule; where the blocks go and come from; 16 times their
 * number, which is not 0, plus the number of rounds. */
typedef void fixslice_blocks(const uint32_t *schedule, uint8_t *out, const uint8_t *in,
                             size_t blocks_and_rounds);

/* `at_words`: the function can load and store the blocks where they lie.  Others are copied, two at
 * a time.  Inlined where
 * `run` is named, so that it is called directly. */
AESFIT_INLINE void fixslice_blocks_at(fixslice_blocks *run, const aesfit_key *key, uint8_t *out,
                                      const uint8_t *in, size_t blocks, int at_words)
{
    if (at_words) {
        if (blocks > 0)
            run(key->schedule, out, in, 16 * blocks + key->rounds);
        return;
    }
    uint32_t room[8];
    for (size_t bytes = 32; blocks > 0; blocks -= bytes / 16, in += bytes, out += bytes) {
        if (blocks == 1)
            bytes = 16;
        memcpy(room, in, bytes);
        run(key->schedule, (uint8_t *)room, (const uint8_t *)room, bytes + key->rounds);
        memcpy(out, room, bytes);
    }
    wipe(room, sizeof room);
}

#endif
