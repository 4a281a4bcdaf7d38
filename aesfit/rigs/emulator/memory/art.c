/* SPDX-License-Identifier: MIT */
/* A line in use, a line read ahead, and behind both a fully associative cache of lines for code and
 * one for data.  A line that is asked for and is in none of them, or is still being read ahead, is
 * a miss, and is kept in a cache; a line that was read ahead in time is not. */
#include "parts.h"

enum { LINE, LINES, DATA_LINES, PREFETCH };

typedef struct {
    memory_array array;
    memory_ahead ahead;
    memory_line current, next;
    uint32_t line_bytes;
    size_t lines, data_lines;
    bool prefetch;
    memory_line held[]; /* code, then data */
} art_state;

static size_t state_bytes(const double *parameters)
{
    size_t lines = (size_t)(parameters[LINES] + parameters[DATA_LINES]);
    return sizeof(art_state) + lines * sizeof(memory_line);
}

static void open_art(void *state, const double *parameters, unsigned wait)
{
    art_state *s = state;
    s->array.cycles = 1u + wait;
    s->line_bytes = (uint32_t)parameters[LINE];
    s->lines = (size_t)parameters[LINES];
    s->data_lines = (size_t)parameters[DATA_LINES];
    s->prefetch = parameters[PREFETCH] != 0;
}

static void use(art_state *s, uint32_t number, uint64_t at)
{
    if (holds(&s->next, number)) {
        s->current = s->next;
        if (s->next.ready > at + 1) {
            hold(s->held, s->lines, number, s->next.ready);
        }
        return;
    }
    memory_line *held = newest_if_held(s->held, s->lines, number);
    if (held) {
        s->current = *held;
        return;
    }
    s->current = (memory_line){array_read(&s->array, at), number};
    hold(s->held, s->lines, number, s->current.ready);
    s->ahead.waits = false;
}

static void look_ahead(art_state *s, uint32_t number, uint64_t at)
{
    bool planned = s->ahead.waits && s->ahead.number == number;
    if (!planned && !holds(&s->next, number) && !is_held(s->held, s->lines, number)) {
        plan_ahead(&s->ahead, &s->array, number, at);
    }
}

static uint64_t fetch(void *state, uint32_t address, uint64_t at)
{
    art_state *s = state;
    uint32_t number = address / s->line_bytes;
    begin_ahead(&s->ahead, &s->array, at, &s->next);
    if (!holds(&s->current, number)) {
        use(s, number, at);
        if (s->prefetch) {
            look_ahead(s, number + 1, at);
        }
    }
    return from_line(&s->current, at);
}

static uint64_t read_data(void *state, uint32_t address, uint64_t at)
{
    art_state *s = state;
    uint32_t number = address / s->line_bytes;
    memory_line *data = s->held + s->lines;
    memory_line *held = newest_if_held(data, s->data_lines, number);
    if (held) {
        return from_line(held, at);
    }
    begin_ahead(&s->ahead, &s->array, at, &s->next);
    uint64_t ready = read_before(&s->ahead, &s->array, at);
    hold(data, s->data_lines, number, ready);
    return ready;
}

const aesfit_memory aesfit_memory_art = {
    .name = "art",
    .title = "a read-ahead buffer with a cache for code and one for data",
    .source = "ST RM0090, RM0351 and RM0440: adaptive real-time memory accelerator, instruction "
              "prefetch, instruction and data cache memory",
    .leaves_out = "what the prefetch does with a line that the cache holds: it is taken to read "
                  "nothing; reads of both halves of a dual-bank flash at once",
    .sure =
        "the numbers of lines are documented, which of them are kept only in outline; no cycles "
        "of loops that half fit the cache were published",
    .data_uniform = false,
    .parameters = {{"line", "B", "bytes of a line", 4, 64, true},
                   {"lines", "lines", "lines of the instruction cache", 0, 1024, false},
                   {"data_lines", "lines", "lines of the data cache", 0, 1024, false},
                   {"prefetch", "flag", "1 where the next line is read ahead", 0, 1, false}},
    .state_bytes = state_bytes,
    .open = open_art,
    .fetch = fetch,
    .read = read_data,
};
