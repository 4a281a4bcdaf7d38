/* SPDX-License-Identifier: MIT */
#ifndef AESFIT_OBSERVE_H
#define AESFIT_OBSERVE_H

#include <stddef.h>

#include "tracer.h"

/* What an observer keeps of one instruction: of `writes` registers the value that it leaves there,
 * and before it runs the `cells` pieces of memory that it stores to, or loads where no register
 * keeps them. */
typedef struct {
    uint32_t pc;
    uint16_t writes, cells;
} aesfit_observed_step;

typedef struct aesfit_observer aesfit_observer;

/* The tracer must be one of this object, which has no hooks of its own; 0 or an error of Unicorn's.
 */
int aesfit_observer_open(aesfit_observer **observer, aesfit_tracer *tracer);
void aesfit_observer_close(aesfit_observer *o);
/* The path of all further calls; both lists stay the caller's. */
void aesfit_observer_follow(aesfit_observer *o, const aesfit_observed_step *steps, size_t count,
                            const uint8_t *registers);
/* Runs a call, and keeps all registers as they were, and then for each step its cells and what it
 * wrote.  The number of values; 0 where the call left the path or stopped. */
size_t aesfit_observer_run(aesfit_observer *o, const aesfit_tracer_call *call,
                           aesfit_tracer_result *r, uint32_t *values, size_t room);

#endif
