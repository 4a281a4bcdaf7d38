/* SPDX-License-Identifier: MIT */
/* Hooks in place of the tracer's own (hooks.c): they follow a path that is known, and keep the
 * value of each register that is written and the words that stores replace.  All else that a model
 * of power needs are earlier values. */
#include "observe.h"

#include <stdlib.h>

#include "hooks.h"

enum { ARM_REGISTERS = 16, RISCV_REGISTERS = 32, BYTES = 8 };

struct aesfit_observer {
    aesfit_tracer *tracer;
    const aesfit_observed_step *steps;
    const uint8_t *registers; /* those that the steps write, one step behind the other */
    size_t count, room;       /* steps; values */
    size_t at, read, kept;    /* next step, register and value */
    uint32_t *values;
};

/* The tracer opens without hooks of its own. */
uc_err tracer_hook(aesfit_tracer *t)
{
    (void)t;
    return UC_ERR_OK;
}

void tracer_begin(aesfit_tracer *t, const aesfit_tracer_call *call)
{
    t->result = (aesfit_tracer_result){.lowest_stack_pointer = call->stack_pointer,
                                       .pc = call->entry & ~1u};
    t->return_address = call->return_address;
}

void tracer_end(aesfit_tracer *t)
{
    (void)t;
}

static void stray(aesfit_observer *o, uint32_t pc)
{
    if (o->tracer->result.stop == AESFIT_RETURNED) {
        o->tracer->result.stop = AESFIT_BUDGET;
        o->tracer->result.fault = pc;
    }
    uc_emu_stop(o->tracer->uc);
}

static void keep(aesfit_observer *o, uint32_t value)
{
    if (o->kept < o->room) {
        o->values[o->kept++] = value;
    }
}

static uint32_t held(aesfit_observer *o, unsigned number)
{
    return tracer_read(o->tracer, tracer_register(o->tracer, number));
}

static void keep_written(aesfit_observer *o)
{
    for (unsigned i = 0; o->at && i < o->steps[o->at - 1].writes; i++) {
        keep(o, held(o, o->registers[o->read++]));
    }
}

static void keep_all(aesfit_observer *o)
{
    unsigned count = o->tracer->isa >= AESFIT_RV32I ? RISCV_REGISTERS : ARM_REGISTERS;
    for (unsigned i = 0; i < count; i++) {
        /* x0 has no number of Unicorn's, and the program counter is no part of a model. */
        bool none = o->tracer->isa >= AESFIT_RV32I ? i == 0 : i == ARM_REGISTERS - 1;
        keep(o, none ? 0 : held(o, i));
    }
}

static uint32_t cell(const aesfit_tracer *t, uint32_t address, unsigned width)
{
    const tracer_memory *memory = tracer_memory_at((aesfit_tracer *)t, address);
    uint32_t value = 0;
    for (unsigned i = 0; memory && i < width && address + i - memory->is.start < memory->is.size;
         i++) {
        value |= (uint32_t)memory->bytes[address + i - memory->is.start] << i * BYTES;
    }
    return value;
}

/* The words that the store at `pc` is about to replace. */
static void keep_cells(aesfit_observer *o, uint32_t pc, unsigned count)
{
    aesfit_tracer *t = o->tracer;
    tracer_slot *slot = &t->code->slots[(pc - t->code->is.start) / 2];
    bool thumb = t->isa < AESFIT_RV32I && t->isa != AESFIT_ARMV4T;
    if (t->isa == AESFIT_ARMV4T) {
        thumb = tracer_read(t, UC_ARM_REG_CPSR) >> 5 & 1;
    }
    const tracer_form *form = tracer_form_at(t, slot, pc, thumb);
    if (!form) {
        stray(o, pc);
        return;
    }
    uint32_t address = tracer_address(t, form);
    unsigned width = form->width > 4 ? 4 : form->width;
    for (unsigned i = 0; i < count; i++) {
        keep(o, cell(t, address + i * width, width));
    }
}

static void on_instruction(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    (void)uc, (void)size;
    aesfit_observer *o = user;
    aesfit_tracer *t = o->tracer;
    uint32_t pc = (uint32_t)address;
    if (o->at == 0) {
        keep_all(o);
    }
    keep_written(o);
    if (o->at >= o->count || o->steps[o->at].pc != pc) {
        stray(o, pc);
        return;
    }
    if (!t->code || !tracer_inside(t->code, pc)) {
        t->code = tracer_memory_at(t, pc);
    }
    t->result.pc = pc;
    t->result.instructions++;
    if (o->steps[o->at].cells && t->code) {
        keep_cells(o, pc, o->steps[o->at].cells);
    }
    o->at++;
    if (t->isa == AESFIT_RV32EC) {
        tracer_wch_access(t);
    }
}

static void on_exception(uc_engine *uc, uint32_t number, void *user)
{
    (void)uc, (void)number;
    aesfit_observer *o = user;
    if (o->tracer->isa != AESFIT_RV32IMB || !tracer_manipulate_bits(o->tracer)) {
        stray(o, o->tracer->result.pc);
    }
}

static uc_err add(aesfit_observer *o, int kinds, void (*callback)(void))
{
    uc_hook handle;
    /* Unicorn takes callbacks as void *, which C11 cannot convert a function pointer to. */
    union {
        void (*function)(void);
        void *pointer;
    } as = {callback};
    return uc_hook_add(o->tracer->uc, &handle, kinds, as.pointer, o, 1, 0);
}

int aesfit_observer_open(aesfit_observer **observer, aesfit_tracer *tracer)
{
    aesfit_observer *o = calloc(1, sizeof *o);
    if (!o) {
        return UC_ERR_NOMEM;
    }
    o->tracer = tracer;
    uc_err error = add(o, UC_HOOK_CODE, (void (*)(void))on_instruction);
    error = error ? error : add(o, UC_HOOK_INTR, (void (*)(void))on_exception);
    if (error) {
        free(o);
        return (int)error;
    }
    *observer = o;
    return 0;
}

void aesfit_observer_close(aesfit_observer *o)
{
    free(o);
}

void aesfit_observer_follow(aesfit_observer *o, const aesfit_observed_step *steps, size_t count,
                            const uint8_t *registers)
{
    o->steps = steps;
    o->count = count;
    o->registers = registers;
}

size_t aesfit_observer_run(aesfit_observer *o, const aesfit_tracer_call *call,
                           aesfit_tracer_result *r, uint32_t *values, size_t room)
{
    o->values = values;
    o->room = room;
    o->at = o->read = o->kept = 0;
    aesfit_tracer_run(o->tracer, call, r);
    keep_written(o);
    return o->at == o->count && r->stop == AESFIT_RETURNED ? o->kept : 0;
}
