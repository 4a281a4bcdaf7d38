/* SPDX-License-Identifier: MIT */
/* assembly_run(): rounds in assembly, which load and store words and work on one block at a time,
 * on blocks at any address. */
#ifndef AESFIT_STEPS_ASSEMBLY_RUN_H
#define AESFIT_STEPS_ASSEMBLY_RUN_H

#include "../bytes.h"
#include "../wipe.h"

/* Rounds in assembly: a direction, on blocks that lie where words_at(). */
typedef void assembly_blocks(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t blocks);

/* Blocks that lie elsewhere, copied one at a time. */
AESFIT_NOINLINE AESFIT_LOCAL void assembly_copied(assembly_blocks *run, const aesfit_key *key,
                                                  uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint32_t room[4];
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        memcpy(room, in, 16);
        run(key, (uint8_t *)room, (const uint8_t *)room, 1);
        memcpy(out, room, 16);
    }
    wipe(room, sizeof room);
}

/* Inlined where `run` is named, so that it is called directly. */
AESFIT_INLINE void assembly_run(assembly_blocks *run, const aesfit_key *key, uint8_t *out,
                                const uint8_t *in, size_t blocks)
{
    if (!words_at(out, in))
        assembly_copied(run, key, out, in, blocks);
    else if (blocks > 0)
        run(key, out, in, blocks);
}

#endif
