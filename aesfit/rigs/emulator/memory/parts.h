/* SPDX-License-Identifier: MIT */
#ifndef AESFIT_MEMORY_PARTS_H
#define AESFIT_MEMORY_PARTS_H

/* What memory interfaces are made of: an array that reads one line at a time, lines that are held,
 * and a line that is to be read ahead. */

#include <string.h>

#include "memory.h"

/* ------------------------------------------------------------------- array */

/* A read takes `cycles` and is never aborted.  Where it takes one, it never makes another wait:
 * then the timing model's own cycles are all there is. */
typedef struct {
    uint64_t free; /* the cycle from which it can begin a read */
    uint64_t cycles;
} memory_array;

static inline uint64_t later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

/* The cycle in which a line arrives that is wanted from cycle `at` on. */
static inline uint64_t array_read(memory_array *array, uint64_t at)
{
    array->free = array->cycles > 1 ? later(array->free, at) + array->cycles : at + 1;
    return array->free;
}

/* -------------------------------------------------------------- lines held */

typedef struct {
    uint64_t ready; /* the cycle in which it arrives; 0: nothing is held here */
    uint32_t number;
} memory_line;

/* The data of a line that is held, or is on its way, for an address of cycle `at`. */
static inline uint64_t from_line(const memory_line *line, uint64_t at)
{
    return later(line->ready, at + 1);
}

static inline bool holds(const memory_line *line, uint32_t number)
{
    return line->ready && line->number == number;
}

/* Lines are sorted by use, the newest first. */
static inline memory_line *newest_if_held(memory_line *lines, size_t count, uint32_t number)
{
    for (size_t i = 0; i < count; i++) {
        if (holds(&lines[i], number)) {
            memory_line found = lines[i];
            memmove(lines + 1, lines, i * sizeof *lines);
            lines[0] = found;
            return lines;
        }
    }
    return NULL;
}

static inline bool is_held(const memory_line *lines, size_t count, uint32_t number)
{
    for (size_t i = 0; i < count; i++) {
        if (holds(&lines[i], number)) {
            return true;
        }
    }
    return false;
}

/* The line takes the place of the one that was used longest ago. */
static inline void hold(memory_line *lines, size_t count, uint32_t number, uint64_t ready)
{
    if (count) {
        memmove(lines + 1, lines, (count - 1) * sizeof *lines);
        lines[0] = (memory_line){ready, number};
    }
}

/* ------------------------------------------------------------- reading ahead */

/* A line that is read as soon as the array is free, unless something else is wanted first. */
typedef struct {
    bool waits;
    uint32_t number;
    uint64_t from; /* the cycle in which its read begins */
} memory_ahead;

/* Begins what was to begin before cycle `at`; true when it did, with the line in `begun`.  A
 * request of that very cycle goes first. */
static inline bool begin_ahead(memory_ahead *ahead, memory_array *array, uint64_t at,
                               memory_line *begun)
{
    if (!ahead->waits || ahead->from >= at) {
        return false;
    }
    *begun = (memory_line){array_read(array, ahead->from), ahead->number};
    ahead->waits = false;
    return true;
}

static inline void plan_ahead(memory_ahead *ahead, const memory_array *array, uint32_t number,
                              uint64_t at)
{
    *ahead = (memory_ahead){true, number, later(at, array->free)};
}

/* A data read goes before the line that is to be read ahead. */
static inline uint64_t read_before(memory_ahead *ahead, memory_array *array, uint64_t at)
{
    uint64_t ready = array_read(array, at);
    ahead->from = later(ahead->from, ready);
    return ready;
}

#endif
