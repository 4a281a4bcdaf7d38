/* SPDX-License-Identifier: MIT */
/* After harness.c where a burst is measured: a program's loop over the core's block function.
 *
 * Each call takes the next 16 bytes, one block, whatever the core's lanes.  The function is known
 * here by its symbol alone, so that the compiler can neither inline it nor make it to measure for
 * one block: it is the function that the rig measures alone.  Defined: RIG_BLOCK, its name. */
#include "harness.h"

extern void burst_block(const rig_context *key, uint8_t *out, const uint8_t *in,
                        size_t blocks) __asm__(RIG_TEXT(RIG_BLOCK));

RIG_OWN(burst)
void rig_burst(const rig_context *key, uint8_t *out, const uint8_t *in, size_t calls);

void rig_burst(const rig_context *key, uint8_t *out, const uint8_t *in, size_t calls)
{
    void (*step)(const rig_context *, uint8_t *, const uint8_t *, size_t) = burst_block;
#if defined(__clang__) /* it sees the function behind the symbol */
    __asm__("" : "+r"(step));
#endif
    for (; calls > 0; calls--, in += 16, out += 16)
        step(key, out, in, 1);
}
