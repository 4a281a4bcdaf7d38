/* SPDX-License-Identifier: MIT */
#ifndef AESFIT_TRACER_HOOKS_H
#define AESFIT_TRACER_HOOKS_H

#include "internal.h"

uc_err tracer_hook(aesfit_tracer *t);
void tracer_begin(aesfit_tracer *t, const aesfit_tracer_call *call);
void tracer_end(aesfit_tracer *t);

#endif
