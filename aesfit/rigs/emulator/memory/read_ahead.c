/* SPDX-License-Identifier: MIT */
/* Two line buffers.  The first request for a line starts the read of the next one as soon as the
 * array is free; a read that runs is never aborted.  Data pass the buffers by and go before what is
 * to be read ahead. */
#include "parts.h"

typedef struct {
    memory_array array;
    memory_ahead ahead;
    memory_line lines[2]; /* the one in use, and the one read ahead */
    uint32_t line_bytes;
} read_ahead_state;

static size_t state_bytes(const double *parameters)
{
    (void)parameters;
    return sizeof(read_ahead_state);
}

static void open_read_ahead(void *state, const double *parameters, unsigned wait)
{
    read_ahead_state *s = state;
    s->array.cycles = 1u + wait;
    s->line_bytes = (uint32_t)parameters[0];
}

static uint64_t fetch(void *state, uint32_t address, uint64_t at)
{
    read_ahead_state *s = state;
    uint32_t number = address / s->line_bytes;
    begin_ahead(&s->ahead, &s->array, at, &s->lines[1]);
    if (!newest_if_held(s->lines, 2, number)) {
        hold(s->lines, 2, number, array_read(&s->array, at));
        s->ahead.waits = false;
    }
    bool planned = s->ahead.waits && s->ahead.number == number + 1;
    if (!planned && !holds(&s->lines[1], number + 1)) {
        plan_ahead(&s->ahead, &s->array, number + 1, at);
    }
    return from_line(&s->lines[0], at);
}

static uint64_t read_data(void *state, uint32_t address, uint64_t at)
{
    (void)address;
    read_ahead_state *s = state;
    begin_ahead(&s->ahead, &s->array, at, &s->lines[1]);
    return read_before(&s->ahead, &s->array, at);
}

const aesfit_memory aesfit_memory_read_ahead = {
    .name = "read_ahead",
    .title = "two line buffers that read ahead",
    .source = "ST RM0008 and PM0075 (STM32F10x: prefetch buffer of two blocks of 64 bits), RM0091 "
              "(STM32F0: prefetch buffer)",
    .leaves_out = "why STM32F103 hides less than two clean buffers would: about 5 more cycles a "
                  "round in code with a load of several registers",
    .sure = "that there are two buffers, and that data go first, is documented; when the next line "
            "is begun is not",
    .data_uniform = false,
    .parameters = {{"line", "B", "bytes of a line buffer", 4, 64, true}},
    .state_bytes = state_bytes,
    .open = open_read_ahead,
    .fetch = fetch,
    .read = read_data,
};
