/* SPDX-License-Identifier: MIT */
/* The time-stamp counter, and probes that show how long a core cycle is in its ticks.
 *
 * A probe is a chain of dependent instructions with a known latency, so its time shows how fast the
 * core runs, whatever else the core could do beside.  The chain is of rotations, one cycle each
 * (uops.info and Agner Fog's instruction tables, every x86 core of the last ten years).  Additions
 * of an immediate will not do: Intel cores from Golden Cove on execute them while renaming, about
 * five dependent ones in a cycle (Peter Cordes, Stack Overflow 79363816).
 *
 * Two facts check the probe (host_cycle_doubt).  A chain of multiplications, three cycles each by
 * the same tables, must show the same cycle.  And where CPUID states the rates of the counter and
 * of the core at its fastest, no cycle can be shorter than their ratio. */
#ifndef AESFIT_HOST_PROBE_H
#define AESFIT_HOST_PROBE_H

#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HOST_PROBE_CYCLES = 4080,     /* core cycles of either chain; a multiple of 10 * 3 */
    HOST_MULTIPLY_CYCLES = 3,     /* latency */
    HOST_CYCLE_CHECKS = 2000,     /* pairs of probes, some 6 ms */
    HOST_CYCLE_PER_CENT = 103,    /* two views of one cycle may differ by a step of the clock */
    HOST_CPUID_CLOCKS = 0x15,     /* Intel SDM volume 2, CPUID: ratio of the counter to a crystal */
    HOST_CPUID_FREQUENCIES = 0x16 /* base and maximum clock in MHz */
};

/* Nothing later begins before, nothing earlier ends after. */
static inline uint64_t host_now(void)
{
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

/* Ticks of HOST_PROBE_CYCLES rotations. */
static inline uint64_t host_probe(void)
{
    unsigned x = 1;
    uint64_t start = host_now();
    for (int i = 0; i < HOST_PROBE_CYCLES / 10; i++)
        __asm__ volatile("rol $7, %0\n\trol $7, %0\n\trol $7, %0\n\trol $7, %0\n\trol $7, %0\n\t"
                         "rol $7, %0\n\trol $7, %0\n\trol $7, %0\n\trol $7, %0\n\trol $7, %0"
                         : "+r"(x)
                         :
                         : "cc");
    return host_now() - start;
}

/* Ticks of as many cycles of multiplications. */
static inline uint64_t host_probe_multiply(void)
{
    unsigned x = 3;
    uint64_t start = host_now();
    for (int i = 0; i < HOST_PROBE_CYCLES / HOST_MULTIPLY_CYCLES / 10; i++)
        __asm__ volatile("imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
                         "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
                         "imul %0, %0\n\timul %0, %0"
                         : "+r"(x)
                         :
                         : "cc");
    return host_now() - start;
}

/* Ticks per core cycle. */
typedef struct host_cycle {
    double rotations, multiplications;
    double least; /* at the core's maximum clock by CPUID; 0: the processor does not state it */
} host_cycle;

/* The counter's rate over the core's maximum, or 0. */
static inline double host_cycle_least(void)
{
    unsigned base, most, bus, unused, below, above, crystal;
    double counter;
    if (!__get_cpuid(HOST_CPUID_FREQUENCIES, &base, &most, &bus, &unused) || (base & 0xffff) == 0 ||
        (most & 0xffff) == 0)
        return 0;
    counter = base & 0xffff;
    if (__get_cpuid(HOST_CPUID_CLOCKS, &below, &above, &crystal, &unused) && below != 0 &&
        above != 0 && crystal != 0)
        counter = (double)crystal * above / below / 1e6;
    return counter / (most & 0xffff);
}

/* The shortest of many probes of both kinds, in turns. */
static inline host_cycle host_cycle_measure(void)
{
    uint64_t rotations = UINT64_MAX, multiplications = UINT64_MAX;
    host_cycle cycle;
    for (int i = 0; i < HOST_CYCLE_CHECKS; i++) {
        uint64_t one = host_probe(), other = host_probe_multiply();
        rotations = one < rotations ? one : rotations;
        multiplications = other < multiplications ? other : multiplications;
    }
    cycle.rotations = (double)rotations / HOST_PROBE_CYCLES;
    cycle.multiplications = (double)multiplications / HOST_PROBE_CYCLES;
    cycle.least = host_cycle_least();
    return cycle;
}

/* NULL, or why figures in core cycles are not to be trusted. */
static inline const char *host_cycle_doubt(const host_cycle *cycle)
{
    const double slack = HOST_CYCLE_PER_CENT / 100.0;
    if (cycle->rotations > slack * cycle->multiplications ||
        cycle->multiplications > slack * cycle->rotations)
        return "the probes differ: a rotation does not take one core cycle here, a multiplication "
               "not three, or the clock changed; do not trust core cycles";
    if (slack * cycle->rotations < cycle->least)
        return "the probes show a core cycle shorter than at the maximum clock that CPUID states; "
               "do not trust core cycles";
    return NULL;
}

#endif
