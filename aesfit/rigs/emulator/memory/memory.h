/* SPDX-License-Identifier: MIT */
#ifndef AESFIT_MEMORY_H
#define AESFIT_MEMORY_H

/* The contract of a memory interface: what stands between a processor and a flash with wait states.
 * An interface is one file, which ends in one `const aesfit_memory` named after it; interfaces.def
 * registers it.
 *
 * Time is counted in processor cycles.  A request says in which cycle its address goes out, and is
 * answered with the cycle in which the data arrive: the next one where nothing waits, so that a
 * word asked for in each cycle comes in each cycle.  The next address may go out in the cycle in
 * which data arrive.  Requests come in the order of their cycles, but for the second and later
 * words of a load of several registers; an array that is busy then lets them wait. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AESFIT_MOST_MEMORY_PARAMETERS = 8 };

typedef struct {
    const char *name, *unit, *meaning;
    double least, most;
    bool power_of_two; /* whole numbers are asked for unless the unit is a fraction: cycles/B */
} aesfit_memory_parameter;

typedef struct {
    const char *name, *title;
    const char *source;     /* where the rules come from */
    const char *leaves_out; /* what the real part does beyond them */
    const char *sure;       /* what of its rules is documented, and what is not */
    bool data_uniform; /* a data read takes equally long whatever its address and whatever was read
                          before */
    /* Up to the first without a name.  The first is `line`, the bytes that one read of the array
     * delivers: where code lies within them is what placements vary. */
    aesfit_memory_parameter parameters[AESFIT_MOST_MEMORY_PARAMETERS];
    /* Bytes of state; 0 when the parameters do not fit each other. */
    size_t (*state_bytes)(const double *parameters);
    /* `state` is zeroed; `wait` is the wait states of the array. */
    void (*open)(void *state, const double *parameters, unsigned wait);
    /* A fetch of the word at `address`, which goes out in cycle `at`. */
    uint64_t (*fetch)(void *state, uint32_t address, uint64_t at);
    /* A data read of at most a word. */
    uint64_t (*read)(void *state, uint32_t address, uint64_t at);
} aesfit_memory;

#define MEMORY(name) extern const aesfit_memory aesfit_memory_##name;
#include "interfaces.def"
#undef MEMORY

#endif
