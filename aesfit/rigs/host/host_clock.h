/* SPDX-License-Identifier: MIT */
/* The clocks of an x86 processor, for the extension (64 bits) and host_main.c (32 bits).
 *
 * Ticks are those of the time stamp counter, which runs at a fixed rate whatever the core does.
 * A batch is timed between two probes (probe.h), whose length in ticks shows whether the core ran
 * at its usual speed.  Where Linux gives its processor counters to programs, core cycles and
 * instructions in user mode are counted too. */
#ifndef AESFIT_HOST_CLOCK_H
#define AESFIT_HOST_CLOCK_H

#include "probe.h"

#include <stdint.h>
#include <string.h>
#if defined(__linux__)
#include <unistd.h>
#endif

/* Counters of this thread; `group` is -1 where the system gives none. */
typedef struct host_counters {
    int group, instructions;
} host_counters;

typedef struct host_count {
    uint64_t core_cycles, instructions;
    int valid; /* 0: not counted, or shared with others so that only a part was */
} host_count;

#if defined(__linux__)
/* The first version of the kernel's struct, and numbers from perf_event_open(2) and the kernel's
 * system call tables, because its headers are often not installed for 32-bit builds. */
#if defined(__x86_64__)
#define HOST_SYS_PERF_EVENT_OPEN 298L
#else
#define HOST_SYS_PERF_EVENT_OPEN 336L
#endif
enum {
    HOST_EVENT_CORE_CYCLES = 0,
    HOST_EVENT_INSTRUCTIONS = 1,
    HOST_EVENT_USER_ONLY = 1 << 5 | 1 << 6,          /* exclude_kernel, exclude_hv */
    HOST_EVENT_READ_GROUP = 1 << 0 | 1 << 1 | 1 << 3 /* time enabled, time running, group */
};

typedef struct host_event {
    uint32_t type, size; /* type 0: counters of the hardware */
    uint64_t config, sample_period, sample_type, read_format, flags;
    uint32_t wakeup, breakpoint_type;
    uint64_t breakpoint;
} host_event;

static inline int host_counter_open(unsigned config, int group)
{
    host_event event;
    memset(&event, 0, sizeof event);
    event.size = 64;
    event.config = config;
    event.read_format = HOST_EVENT_READ_GROUP;
    event.flags = HOST_EVENT_USER_ONLY;
    return (int)syscall(HOST_SYS_PERF_EVENT_OPEN, &event, 0, -1, group, 0);
}

static inline host_counters host_counters_open(void)
{
    host_counters counters = {-1, -1};
    counters.group = host_counter_open(HOST_EVENT_CORE_CYCLES, -1);
    if (counters.group < 0)
        return counters;
    counters.instructions = host_counter_open(HOST_EVENT_INSTRUCTIONS, counters.group);
    if (counters.instructions < 0) {
        close(counters.group);
        counters.group = -1;
    }
    return counters;
}

static inline void host_counters_close(const host_counters *counters)
{
    if (counters->group < 0)
        return;
    close(counters->instructions);
    close(counters->group);
}

static inline host_count host_counters_read(const host_counters *counters)
{
    struct {
        uint64_t values, enabled, running, cycles, instructions;
    } got;
    host_count count = {0, 0, 0};
    if (counters->group < 0 || read(counters->group, &got, sizeof got) != (ssize_t)sizeof got)
        return count;
    count.core_cycles = got.cycles;
    count.instructions = got.instructions;
    count.valid = got.values == 2 && got.enabled == got.running;
    return count;
}
#else
static inline host_counters host_counters_open(void)
{
    host_counters counters = {-1, -1};
    return counters;
}

static inline void host_counters_close(const host_counters *counters)
{
    (void)counters;
}

static inline host_count host_counters_read(const host_counters *counters)
{
    host_count count = {0, 0, 0};
    (void)counters;
    return count;
}
#endif

typedef struct host_batch {
    uint64_t ticks, probe; /* probe: the slower of the two */
    host_count count;      /* of the calls, give or take two system calls */
    host_counters counters;
} host_batch;

/* Around the calls.  Counters are open only so long, because those of several batches at once would
 * have to share the processor's. */
static inline void host_batch_begin(host_batch *batch)
{
    batch->counters = host_counters_open();
    batch->probe = host_probe();
    batch->count = host_counters_read(&batch->counters);
    batch->ticks = host_now();
}

static inline void host_batch_end(host_batch *batch)
{
    host_count end;
    uint64_t after;
    batch->ticks = host_now() - batch->ticks;
    end = host_counters_read(&batch->counters);
    after = host_probe();
    host_counters_close(&batch->counters);
    batch->probe = after > batch->probe ? after : batch->probe;
    batch->count.core_cycles = end.core_cycles - batch->count.core_cycles;
    batch->count.instructions = end.instructions - batch->count.instructions;
    batch->count.valid &= end.valid;
}

#endif
