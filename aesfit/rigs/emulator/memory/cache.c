/* SPDX-License-Identifier: MIT */
/* A set-associative cache before a slow memory.  A miss waits for its whole line; the least
 * recently used line of the set is replaced. */
#include <math.h>

#include "parts.h"

enum { LINE, SIZE, WAYS, BASE, PER_BYTE, DATA };
enum { WORD = 4 };

typedef struct {
    memory_array array;
    uint64_t fill, pass; /* cycles of a line, and of a word that goes past the cache */
    uint32_t line_bytes, sets;
    size_t ways;
    bool data;
    memory_line held[]; /* set by set */
} cache_state;

static size_t lines_of(const double *parameters)
{
    return (size_t)(parameters[SIZE] / parameters[LINE]);
}

static size_t state_bytes(const double *parameters)
{
    size_t ways = (size_t)parameters[WAYS], lines = lines_of(parameters);
    size_t sets = lines / ways, whole = sets && sets * ways == lines && !(sets & (sets - 1));
    return whole ? sizeof(cache_state) + lines * sizeof(memory_line) : 0;
}

static uint64_t cycles_of(const double *parameters, double bytes, unsigned wait)
{
    return 1u + wait + (uint64_t)ceil(parameters[BASE] + parameters[PER_BYTE] * bytes);
}

static void open_cache(void *state, const double *parameters, unsigned wait)
{
    cache_state *s = state;
    s->fill = cycles_of(parameters, parameters[LINE], wait);
    s->pass = cycles_of(parameters, WORD, wait);
    s->line_bytes = (uint32_t)parameters[LINE];
    s->ways = (size_t)parameters[WAYS];
    s->sets = (uint32_t)(lines_of(parameters) / s->ways);
    s->data = parameters[DATA] != 0;
}

static uint64_t fetch(void *state, uint32_t address, uint64_t at)
{
    cache_state *s = state;
    uint32_t number = address / s->line_bytes;
    memory_line *set = s->held + (number & (s->sets - 1)) * s->ways;
    if (!newest_if_held(set, s->ways, number)) {
        s->array.cycles = s->fill;
        hold(set, s->ways, number, array_read(&s->array, at));
    }
    return from_line(set, at);
}

static uint64_t read_data(void *state, uint32_t address, uint64_t at)
{
    cache_state *s = state;
    if (s->data) {
        return fetch(state, address, at);
    }
    s->array.cycles = s->pass;
    return array_read(&s->array, at);
}

const aesfit_memory aesfit_memory_cache = {
    .name = "cache",
    .title = "a set-associative cache",
    .source = "Raspberry Pi RP2040 data sheet, section 2.6 (XIP cache); SiFive FE310-G002 Manual "
              "(16 KiB, 2 ways); Nordic nRF52840 product specification (instruction cache)",
    .leaves_out = "the wanted word first, hits while a line is filled, what a second processor or "
                  "DMA takes of the cache, other replacement than of the least recently used",
    .sure = "the geometry is documented; what a miss costs is computed, not measured",
    .data_uniform = false,
    .parameters = {{"line", "B", "bytes of a line", 4, 256, true},
                   {"size", "B", "bytes of the cache", 8, 1 << 20, false},
                   {"ways", "ways", "lines of a set", 1, 1 << 16, false},
                   {"base", "cycles", "of a miss, beside wait states and bytes", 0, 100000, false},
                   {"per_byte", "cycles/B", "of a miss, for each byte of a line", 0, 10000, false},
                   {"data", "flag", "1 where data reads go through the cache too", 0, 1, false}},
    .state_bytes = state_bytes,
    .open = open_cache,
    .fetch = fetch,
    .read = read_data,
};
