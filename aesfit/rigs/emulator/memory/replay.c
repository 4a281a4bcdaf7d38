/* SPDX-License-Identifier: MIT */
/* See replay.h. */
#include "replay.h"

#include "parts.h"

enum { STEP = 0, LOAD = 1, SKIPPED = 3 };
enum { WORD = 4, RING = 64 }; /* words remembered: more than a queue and an instruction have */

/* Fetches of a straight run of code.  Words are numbered from the run's first. */
typedef struct {
    aesfit_replay *replay;
    uint32_t first;         /* address of word 0 */
    uint64_t asked, passed; /* words asked for; words that decode has taken */
    uint64_t bus;           /* the cycle from which the next address may go out */
    uint64_t arrived[RING], left[RING];
} straight_run;

/* The cycles in which a step enters decode and execute. */
typedef struct {
    uint64_t decodes, executes;
} stages;

static bool in_flash(const aesfit_replay *r, uint32_t address)
{
    for (size_t i = 0; i < r->ranges; i++) {
        if (address - r->flash[i].start < r->flash[i].size) {
            return true;
        }
    }
    return false;
}

static uint64_t fetched(const aesfit_replay *r, uint32_t address, uint64_t at)
{
    return in_flash(r, address) ? r->memory->fetch(r->state, address + r->shift, at) : at + 1;
}

/* Asks for the next word if that is possible before cycle `limit`. */
static bool ask(straight_run *run, uint64_t limit)
{
    unsigned queue = run->replay->unit.queue_words;
    uint64_t at = run->bus;
    if (run->asked >= queue) {
        if (run->asked - queue >= run->passed) {
            return false;
        }
        at = later(at, run->left[(run->asked - queue) % RING]);
    }
    if (at >= limit) {
        return false;
    }
    uint32_t address = run->first + (uint32_t)run->asked * WORD;
    run->bus = run->arrived[run->asked % RING] = fetched(run->replay, address, at);
    run->asked++;
    return true;
}

static void ask_until(straight_run *run, uint64_t limit)
{
    while (ask(run, limit)) {
    }
}

/* A jump to `to`, which would execute in cycle `now` if nothing waited.  Where its address goes out
 * before the jump executes, it is decode that sends it, as soon as the jump is there. */
static void jump(straight_run *run, const aesfit_replay_record *to, uint64_t now,
                 const stages *from)
{
    uint32_t first = to->address / WORD * WORD;
    unsigned more = (to->address + to->size - 1u - first) / WORD;
    uint64_t at = now - run->replay->unit.ahead - more;
    if (at < from->executes && from->decodes < at) {
        at = from->decodes;
    }
    ask_until(run, at);
    run->bus = later(run->bus, at);
    run->first = first;
    run->asked = run->passed = 0;
}

/* The cycle in which the last word of an instruction arrives. */
static uint64_t arrival(straight_run *run, uint32_t end)
{
    uint64_t last = (end - 1 - run->first) / WORD;
    while (run->asked <= last && ask(run, UINT64_MAX)) {
    }
    return run->arrived[last % RING];
}

/* The words that end with this instruction leave the queue. */
static void leave(straight_run *run, uint32_t end, uint64_t at)
{
    uint64_t whole = (end - run->first) / WORD;
    while (run->passed < whole) {
        run->left[run->passed++ % RING] = at;
    }
}

/* Cycles by which data in flash come late, for the loads among the records from `at` on. */
static uint64_t late_data(straight_run *run, const aesfit_replay_record *record, size_t count,
                          uint64_t at)
{
    aesfit_replay *r = run->replay;
    uint64_t late = 0;
    for (size_t i = 0; i < count && record[i].kind != STEP && record[i].kind != SKIPPED; i++) {
        if (record[i].kind == LOAD && in_flash(r, record[i].address)) {
            ask_until(run, at);
            uint64_t ready = r->memory->read(r->state, record[i].address + r->shift, at);
            late += ready - at - 1;
            at = ready;
        } else {
            at++;
        }
    }
    return late;
}

/* Executes one step where the queue is of one word. */
static void execute_in_time(straight_run *run, const aesfit_replay_record *one, size_t left,
                            aesfit_replay_price price)
{
    aesfit_replay *r = run->replay;
    uint64_t last = (one->address + one->size - 1u - run->first) / WORD;
    for (; run->asked <= last; run->asked++) {
        r->now = fetched(r, run->first + (uint32_t)run->asked * WORD, r->now) - 1;
    }
    run->passed = run->asked - 1; /* the queue stays full */
    r->now += price.cycles + late_data(run, one + 1, left - 1, r->now);
}

/* Executes one step from the cycle `r->now` on; `before` are the stages of the one before. */
static stages execute(straight_run *run, const aesfit_replay_record *one, size_t left,
                      aesfit_replay_price price, const stages *before)
{
    aesfit_replay *r = run->replay;
    if (r->unit.queue_words == 1) {
        execute_in_time(run, one, left, price);
        return (stages){r->now, r->now};
    }
    uint32_t end = one->address + one->size;
    uint64_t arrived = arrival(run, end), ready = arrived + r->unit.ahead - 1;
    uint64_t start = later(r->now, ready);
    unsigned lost = ready > r->now ? price.overlap : 0, beside = price.overlap - lost;
    /* Beside the step before it is through decode early, if its words were there by then. */
    stages now = {later(arrived + 1, before->executes), later(ready, start - beside)};
    leave(run, end, r->unit.ahead > 2 ? now.decodes : now.executes);
    uint64_t late = late_data(run, one + 1, left - 1, start - beside);
    r->now = start + price.cycles + lost + late;
    return now;
}

bool aesfit_replay_call(aesfit_replay *r, const aesfit_replay_record *records, size_t count,
                        const aesfit_replay_price *prices, size_t steps)
{
    /* The queue is full, so that nothing is fetched before the first jump. */
    straight_run run = {.replay = r, .asked = r->unit.queue_words};
    stages last = {0, 0}; /* nothing is in the pipeline */
    uint32_t expected = 0;
    size_t step = 0;
    for (size_t i = 0; i < count; i++) {
        const aesfit_replay_record *one = &records[i];
        if (one->kind != STEP && one->kind != SKIPPED) {
            continue;
        }
        if (step == steps) {
            return false;
        }
        if (step == 0 || one->address != expected) {
            jump(&run, one, r->now, &last);
        }
        expected = one->address + one->size;
        last = execute(&run, one, count - i, prices[step++], &last);
    }
    return step == steps;
}
