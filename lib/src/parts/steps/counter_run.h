/* SPDX-License-Identifier: MIT */
/* counter_run(): counter blocks that differ in their last byte alone, encrypted and added to a text
 * by rounds in assembly that begin with what ttable1_counter.h keeps; counter_apart() does so block
 * by block where there are none. */
#ifndef AESFIT_STEPS_COUNTER_RUN_H
#define AESFIT_STEPS_COUNTER_RUN_H

#include "../bytes.h"
#include "../wipe.h"

/* Rounds in assembly, on blocks that lie where words_at(); `counter` is counter_word(). */
typedef void counter_blocks(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                            uint32_t counter, const uint32_t *kept);

/* encrypt_counter() of a core. */
typedef void counter_encrypt(const aesfit_key *key, uint8_t out[16],
                             const uint32_t kept[AESFIT_COUNTER_WORDS], const uint8_t counter[16]);

/* What the assembly counts (tools/assemble/lookups_text.py).  Bit 7 of the counter is with the byte
 * of the round key, so that no carry reaches that byte and no flag depends on it. */
AESFIT_INLINE uint32_t counter_word(const aesfit_key *key, unsigned last, size_t blocks)
{
    uint32_t end = key->rounds == 10 ? 0x10000 : 0x8000;
    uint32_t added = (key->schedule[3] >> 24) ^ (last & 0x80);
    return (end - (uint32_t)blocks) << 16 | added << 8 | (last & 0x7f);
}

/* Blocks that lie elsewhere, copied one at a time. */
AESFIT_NOINLINE AESFIT_LOCAL void counter_copied(counter_blocks *run, const aesfit_key *key,
                                                 uint8_t *out, const uint8_t *in,
                                                 const uint32_t *kept, unsigned last, size_t blocks)
{
    uint32_t room[4];
    for (; blocks > 0; blocks--, last++, in += 16, out += 16) {
        memcpy(room, in, 16);
        run(key, (uint8_t *)room, (const uint8_t *)room, counter_word(key, last, 1), kept);
        memcpy(out, room, 16);
    }
    wipe(room, sizeof room);
}

/* Inlined where `run` is named, so that it is called directly. */
AESFIT_INLINE void counter_run(counter_blocks *run, const aesfit_key *key, uint8_t *out,
                               const uint8_t *in, const uint32_t *kept, unsigned last,
                               size_t blocks)
{
    if (!words_at(out, in))
        counter_copied(run, key, out, in, kept, last, blocks);
    else
        run(key, out, in, counter_word(key, last, blocks), kept);
}

/* xor_counters() by encrypt_counter(). */
AESFIT_INLINE void counter_apart(counter_encrypt *encrypt, const aesfit_key *key, uint8_t *out,
                                 const uint8_t *in, const uint32_t *kept, const uint8_t counter[16],
                                 size_t blocks)
{
    uint8_t block[16], stream[16];
    for (memcpy(block, counter, 16); blocks > 0; blocks--, block[15]++, in += 16, out += 16) {
        encrypt(key, stream, kept, block);
        xor_block(out, in, stream);
    }
    wipe(stream, sizeof stream);
}

#endif
