/* SPDX-License-Identifier: MIT */
/* Nothing but the array and the latch at its output. */
#include "parts.h"

typedef struct {
    memory_array array;
    memory_line latch;
    uint32_t line_bytes;
} bare_state;

static size_t state_bytes(const double *parameters)
{
    (void)parameters;
    return sizeof(bare_state);
}

static void open_bare(void *state, const double *parameters, unsigned wait)
{
    bare_state *s = state;
    s->array.cycles = 1u + wait;
    s->line_bytes = (uint32_t)parameters[0];
}

static uint64_t fetch(void *state, uint32_t address, uint64_t at)
{
    bare_state *s = state;
    uint32_t number = address / s->line_bytes;
    if (!holds(&s->latch, number)) {
        s->latch = (memory_line){array_read(&s->array, at), number};
    }
    return from_line(&s->latch, at);
}

/* The latch holds what was read last: the data, which nobody fetches. */
static uint64_t read_data(void *state, uint32_t address, uint64_t at)
{
    (void)address;
    bare_state *s = state;
    s->latch.ready = 0;
    return array_read(&s->array, at);
}

const aesfit_memory aesfit_memory_bare = {
    .name = "bare",
    .title = "a latch of one read",
    .source = "CH32V003: 13 instruction sequences timed by jnk0le (rv003usb, issue 5) take the "
              "larger of their own cycles and 1 + wait states a 32-bit word",
    .leaves_out = "fetches that are no longer wanted and that a part may abort",
    .sure = "that each line costs the wait states is documented; that nothing else does is taken "
            "from what was measured on CH32V003",
    .data_uniform = true,
    .parameters = {{"line", "B", "bytes that one read of the array delivers", 4, 64, true}},
    .state_bytes = state_bytes,
    .open = open_bare,
    .fetch = fetch,
    .read = read_data,
};
