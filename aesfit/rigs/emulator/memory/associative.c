/* SPDX-License-Identifier: MIT */
/* A few line buffers, each with its address, of which the one used longest ago is replaced.  Lines
 * read ahead take a buffer like any other. */
#include "parts.h"

enum { LINE, LINES, DATA, PREFETCH };

typedef struct {
    memory_array array;
    memory_ahead ahead;
    uint32_t line_bytes;
    bool data, prefetch;
    size_t lines;
    memory_line held[];
} associative_state;

static size_t state_bytes(const double *parameters)
{
    return sizeof(associative_state) + (size_t)parameters[LINES] * sizeof(memory_line);
}

static void open_associative(void *state, const double *parameters, unsigned wait)
{
    associative_state *s = state;
    s->array.cycles = 1u + wait;
    s->line_bytes = (uint32_t)parameters[LINE];
    s->lines = (size_t)parameters[LINES];
    s->data = parameters[DATA] != 0;
    s->prefetch = parameters[PREFETCH] != 0;
}

static void catch_up(associative_state *s, uint64_t at)
{
    memory_line begun;
    if (begin_ahead(&s->ahead, &s->array, at, &begun)) {
        hold(s->held, s->lines, begun.number, begun.ready);
    }
}

static uint64_t look_up(associative_state *s, uint32_t number, uint64_t at)
{
    if (!newest_if_held(s->held, s->lines, number)) {
        hold(s->held, s->lines, number, read_before(&s->ahead, &s->array, at));
        s->ahead.waits = s->ahead.waits && s->ahead.number != number;
    }
    return from_line(s->held, at);
}

static uint64_t fetch(void *state, uint32_t address, uint64_t at)
{
    associative_state *s = state;
    uint32_t number = address / s->line_bytes;
    catch_up(s, at);
    uint64_t ready = look_up(s, number, at);
    bool planned = s->ahead.waits && s->ahead.number == number + 1;
    if (s->prefetch && !planned && !is_held(s->held, s->lines, number + 1)) {
        plan_ahead(&s->ahead, &s->array, number + 1, at);
    }
    return ready;
}

static uint64_t read_data(void *state, uint32_t address, uint64_t at)
{
    associative_state *s = state;
    catch_up(s, at);
    return s->data ? look_up(s, address / s->line_bytes, at)
                   : read_before(&s->ahead, &s->array, at);
}

const aesfit_memory aesfit_memory_associative = {
    .name = "associative",
    .title = "a few associative line buffers",
    .source = "ST RM0367 (STM32L0: six buffers of 32 bits, each with address and age), NXP UM10360 "
              "(LPC1768: eight buffers of 128 bits), Microchip SAM D21 data sheet, NVMCTRL",
    .leaves_out = "buffers kept apart for code and for data by their history (STM32L0), lines kept "
                  "only once they are asked for (LPC1768), other replacement than of the least "
                  "recently used",
    .sure = "documented in outline",
    .data_uniform = false,
    .parameters = {{"line", "B", "bytes of a buffer", 4, 64, true},
                   {"lines", "lines", "buffers", 2, 64, false},
                   {"data", "flag", "1 where data reads use the buffers too", 0, 1, false},
                   {"prefetch", "flag", "1 where the next line is read ahead", 0, 1, false}},
    .state_bytes = state_bytes,
    .open = open_associative,
    .fetch = fetch,
    .read = read_data,
};
