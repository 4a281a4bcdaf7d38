/* SPDX-License-Identifier: MIT */
#ifndef AESFIT_MEMORY_REPLAY_H
#define AESFIT_MEMORY_REPLAY_H

/* A processor's fetch unit before a memory interface: how long executed steps take together, when
 * each alone takes the cycles that the timing model gives it.
 *
 * Time is that of the execute stage.  Words of 32 bits are fetched in order into a queue, each as
 * soon as there is room; a jump empties it.  An instruction executes when the one before is done
 * and its words have arrived early enough.  The target of a jump is asked for as late as the
 * priced cycles of the jump allow where nothing waits; so waiting is all that is added.
 *
 * With a queue of one word there is only the word in use.  The next one is asked for when an
 * instruction in it is wanted, and the processor stops until it is there. */

#include "memory.h"

typedef struct {
    unsigned queue_words; /* fetched and not yet taken by decode, the one on its way included; 1:
                             the word in use alone, and `ahead` means nothing */
    unsigned ahead; /* cycles from the address of an instruction's last word to its execution, where
                       nothing waits: 3 in a pipeline of three stages, 2 in one of two */
} aesfit_fetch_unit;

/* As the tracer writes them (tracer.h). */
typedef struct {
    uint32_t address;
    uint16_t size, kind;
} aesfit_replay_record;

/* What the timing model says of one step. */
typedef struct {
    uint8_t cycles;
    uint8_t overlap; /* cycles saved because its access begins in the last cycle of the step before;
                        lost unless it is in decode by then */
} aesfit_replay_price;

typedef struct {
    uint32_t start, size; /* bytes */
} aesfit_replay_range;

enum { AESFIT_MOST_RANGES = 16 };

typedef struct {
    const aesfit_memory *memory;
    void *state;
    aesfit_fetch_unit unit;
    aesfit_replay_range flash[AESFIT_MOST_RANGES]; /* all else answers at once */
    size_t ranges;
    uint32_t shift; /* added to addresses in flash: where the image lies within a line */
    uint64_t now;   /* the cycle that the execute stage has come to; begin above 64 */
} aesfit_replay;

/* One call: `prices` has one entry for each step, which are the records of kind 0 and 3.  False
 * when their numbers differ. */
bool aesfit_replay_call(aesfit_replay *r, const aesfit_replay_record *records, size_t count,
                        const aesfit_replay_price *prices, size_t steps);

#endif
