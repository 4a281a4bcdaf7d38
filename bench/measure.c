/* SPDX-License-Identifier: MIT */
/* Measures the sides of a case interleaved.
 *
 * One round is a batch (about 25 us) of each side, each between two probes (probe.h).  A round with
 * a slow probe is dirty and is repeated, up to a limit; ratios are taken inside rounds, because
 * whatever still disturbs one batch tends to disturb its neighbours, and all figures are medians
 * over the rounds.  If a machine is so busy that most rounds are dirty, they are used and the
 * result says how few were clean. */
#include "bench.h"
#include "probe.h"
#include <stdlib.h>
#include <string.h>

enum {
    SIDES = 4,
    ROUNDS = 45,
    ATTEMPTS = 6,         /* times ROUNDS, before dirty rounds are accepted */
    BATCH_CYCLES = 60000, /* TSC */
    CALIBRATIONS = 20000  /* probes, about 30 ms */
};

static uint64_t measure_best_probe = UINT64_MAX;

typedef struct measure_sample {
    double cycles[SIDES]; /* TSC cycles per message; 0 where the side is missing */
    int clean;
} measure_sample;

static uint64_t measure_probe(void)
{
    uint64_t cycles = host_probe();
    if (cycles < measure_best_probe)
        measure_best_probe = cycles;
    return cycles;
}

static int measure_is_clean(uint64_t probe)
{
    return probe * 100 <= measure_best_probe * 104;
}

double bench_tsc_per_core_cycle(void)
{
    if (measure_best_probe == UINT64_MAX)
        for (int i = 0; i < CALIBRATIONS; i++)
            measure_probe();
    return (double)measure_best_probe / HOST_PROBE_CYCLES;
}

/* Messages that fill a batch. */
static size_t measure_batch(const bench_side *side, void *state)
{
    size_t messages = 1;
    for (;;) {
        uint64_t start = host_now();
        side->run(state, messages);
        if (host_now() - start >= BATCH_CYCLES || messages > (size_t)1 << 24)
            return messages;
        messages *= 2;
    }
}

static double measure_median(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) /* insertion sort: at most a few hundred */
        for (size_t j = i; j > 0 && values[j - 1] > values[j]; j--) {
            double swap = values[j];
            values[j] = values[j - 1];
            values[j - 1] = swap;
        }
    return count == 0 ? 0 : (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* The median of side a, or of side a / side b (b >= 0); 0 where a side is missing. */
static double measure_figure(const measure_sample *samples, size_t count, int a, int b)
{
    double values[ROUNDS];
    for (size_t i = 0; i < count; i++) {
        double below = b < 0 ? 1 : samples[i].cycles[b];
        if (samples[i].cycles[a] <= 0 || below <= 0)
            return 0;
        values[i] = samples[i].cycles[a] / below;
    }
    return measure_median(values, count);
}

typedef struct measure_run {
    const bench_side *sides[SIDES];
    void *states[SIDES];
    size_t batches[SIDES];
} measure_run;

/* One round, beginning with side `first`. */
static measure_sample measure_round(const measure_run *run, int first)
{
    measure_sample sample = {{0, 0, 0, 0}, 1};
    sample.clean = measure_is_clean(measure_probe());
    for (int n = 0; n < SIDES; n++) {
        int i = (first + n) % SIDES;
        uint64_t start;
        if (run->states[i] == NULL)
            continue;
        run->sides[i]->run(run->states[i], 1); /* warms the caches and predictors of this side */
        start = host_now();
        run->sides[i]->run(run->states[i], run->batches[i]);
        sample.cycles[i] = (double)(host_now() - start) / (double)run->batches[i];
        sample.clean &= measure_is_clean(measure_probe());
    }
    return sample;
}

/* Fills samples[0 .. rounds - 1], clean ones first; returns how many are clean. */
static size_t measure_rounds(const measure_run *run, measure_sample *samples, size_t rounds)
{
    size_t clean = 0, dirty = 0;
    for (size_t i = 0; i < ATTEMPTS * rounds && clean < rounds; i++) {
        measure_sample sample = measure_round(run, (int)(i % SIDES));
        if (sample.clean) {
            if (clean + dirty >= rounds)
                dirty--;
            samples[clean + dirty] = samples[clean];
            samples[clean++] = sample;
        } else if (clean + dirty < rounds) {
            samples[clean + dirty++] = sample;
        }
    }
    return clean;
}

static void measure_fill(bench_result *result, const measure_sample *samples)
{
    const bench_case *what = &result->what;
    double bytes = (double)what->bytes * (what->mode == BENCH_CBC_STREAMS ? BENCH_STREAMS : 1);
    double unit = 1 / bytes, floor_unit = 1 / bench_floor_bytes(what, 1);
    double wide_unit = 1 / bench_floor_bytes(what, BENCH_WIDE_LANES);
    size_t n = result->rounds;
    if (result->in_core_cycles) {
        unit = 1 / bench_tsc_per_core_cycle();
        floor_unit *= 16 / bench_tsc_per_core_cycle(); /* one block */
    }
    result->ours = measure_figure(samples, n, 0, -1) * unit;
    result->peer = measure_figure(samples, n, 1, -1) * unit;
    result->floor = measure_figure(samples, n, 2, -1) * floor_unit;
    result->wide = measure_figure(samples, n, 3, -1) * wide_unit;
    result->ratio = measure_figure(samples, n, 1, 0);
    result->over_floor = measure_figure(samples, n, 0, 2) * unit / floor_unit;
    result->over_wide = measure_figure(samples, n, 0, 3) * unit / wide_unit;
}

void bench_measure(bench_result *result, const bench_case *what, int quick)
{
    static const bench_side *const sides[SIDES] = {&bench_ours, &bench_peer, &bench_floor_side,
                                                   &bench_wide_side};
    measure_sample samples[ROUNDS];
    measure_run run;
    memset(result, 0, sizeof *result);
    memset(samples, 0, sizeof samples);
    result->what = *what;
    result->in_core_cycles = !bench_is_data_mode(what->mode);
    result->rounds = quick ? ROUNDS / 5 : ROUNDS;
    bench_tsc_per_core_cycle();
    for (int i = 0; i < SIDES; i++) {
        run.sides[i] = sides[i];
        run.states[i] = sides[i]->open(what);
        run.batches[i] = run.states[i] != NULL ? measure_batch(sides[i], run.states[i]) : 0;
    }
    result->clean = (unsigned)measure_rounds(&run, samples, result->rounds);
    measure_fill(result, samples);
    for (int i = 0; i < SIDES; i++)
        if (run.states[i] != NULL)
            sides[i]->close(run.states[i]);
}

/* The median of ratios inside rounds.  Both run on one state and so on the same addresses, whose
 * distances alone can make a difference of a fifth at 16 bytes. */
double bench_wide_over_narrow(const bench_case *what, int quick)
{
    measure_sample samples[ROUNDS];
    size_t rounds = quick ? ROUNDS / 5 : ROUNDS;
    void *state = bench_ours_wide.open(what);
    measure_run run = {{&bench_ours_wide, &bench_ours_narrow}, {state, state}, {0}};
    if (state == NULL)
        return 0;
    memset(samples, 0, sizeof samples);
    bench_tsc_per_core_cycle();
    for (int i = 0; i < 2; i++)
        run.batches[i] = measure_batch(run.sides[i], state);
    measure_rounds(&run, samples, rounds);
    bench_ours_wide.close(state);
    return measure_figure(samples, rounds, 0, 1);
}
