/* SPDX-License-Identifier: MIT */
/* ghash_assembly_update(): a function of lib/src/assembly adds blocks, which it loads by words. */
#ifndef AESFIT_PARTS_GHASH_ASSEMBLY_H
#define AESFIT_PARTS_GHASH_ASSEMBLY_H

#include "ghash_words.h"
#include "wipe.h"

/* The hash as words, the lowest first; the key; blocks where words can be loaded, at least one. */
typedef void ghash_assembly_blocks(uint32_t a[4], const uint32_t *key, const uint8_t *in,
                                   size_t blocks);

/* Blocks that lie elsewhere, copied one at a time. */
AESFIT_NOINLINE AESFIT_LOCAL void ghash_assembly_copied(ghash_assembly_blocks *add, uint32_t a[4],
                                                        const uint32_t *key, const uint8_t *in,
                                                        size_t blocks)
{
    uint32_t room[4];
    for (; blocks > 0; blocks--, in += 16) {
        memcpy(room, in, 16);
        add(a, key, (const uint8_t *)room, 1);
    }
    wipe(room, sizeof room);
}

/* Inlined where `add` is named, so that it is called directly. */
AESFIT_INLINE void ghash_assembly_update(ghash_assembly_blocks *add, const uint32_t *key,
                                         uint8_t y[16], const uint8_t *in, size_t blocks)
{
    uint32_t a[4];
    ghash_words_load(a, y);
    if (!words_at(in, in))
        ghash_assembly_copied(add, a, key, in, blocks);
    else if (blocks > 0)
        add(a, key, in, blocks);
    ghash_words_store(y, a);
}

#endif
