/* SPDX-License-Identifier: MIT */
/* The branch predictor of Hazard3, one entry that holds the last conditional branch that jumped
 * backward.  Sources: RP2350 data sheet, 3.8.7.10 and 3.8.7.10.1; encodings: RISC-V Unprivileged
 * ISA, chapters RV32I and "C". */
#include "internal.h"

enum { NOWHERE = 1 }; /* no instruction has an odd address */

void tracer_predictor_begin(aesfit_tracer *t, uint32_t entry)
{
    t->remembered = NOWHERE;
    t->jumped_to = entry;
}

static bool branches_backward(uint32_t w)
{
    return in(w, 3, 3) ? in(w, 0x8000007f, 0x80000063) : in(w, 0xd003, 0xd001);
}

bool tracer_predicted(aesfit_tracer *t, uint32_t next)
{
    uint32_t pc = t->result.pc;
    tracer_memory *memory = tracer_memory_at(t, pc);
    bool taken = next != t->end, backward = memory && branches_backward(tracer_word(memory, pc));
    /* The word that a jump leads to goes past the predictor. */
    bool predicted = backward && pc == t->remembered && (pc ^ t->jumped_to) >> 2;
    if (predicted != taken) {
        t->jumped_to = next;
    } else if (predicted) {
        t->jumped_to = NOWHERE;
    }
    if (predicted && !taken) {
        t->remembered = NOWHERE;
    } else if (backward && taken) {
        t->remembered = pc;
    }
    return predicted;
}
