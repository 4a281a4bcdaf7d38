/* SPDX-License-Identifier: MIT */
/* The processor, its memory, and calls of functions. */
#include <stdlib.h>
#include <string.h>

#include "hooks.h"

/* TI925T is the one version 4T core that Unicorn has: loads of the program counter do not change
 * to Thumb state, and there is no version 5 instruction. */
static uc_err open_engine(aesfit_tracer *t)
{
    static const int models[9] = {
        UC_CPU_ARM_TI925T,         UC_CPU_ARM_CORTEX_M0,      UC_CPU_ARM_CORTEX_M3,
        UC_CPU_ARM_CORTEX_M4,      UC_CPU_ARM_CORTEX_M33,     UC_CPU_RISCV32_SIFIVE_E31,
        UC_CPU_RISCV32_SIFIVE_E31, UC_CPU_RISCV32_SIFIVE_E31, UC_CPU_RISCV32_SIFIVE_E31};
    bool riscv = t->isa >= AESFIT_RV32I;
    int mode = riscv                     ? UC_MODE_RISCV32
               : t->isa == AESFIT_ARMV4T ? UC_MODE_ARM
                                         : (int)UC_MODE_THUMB | (int)UC_MODE_MCLASS;
    uc_err error = uc_open(riscv ? UC_ARCH_RISCV : UC_ARCH_ARM, (uc_mode)mode, &t->uc);
    return error ? error : uc_ctl_set_cpu_model(t->uc, models[t->isa]);
}

int aesfit_tracer_open(aesfit_tracer **tracer, aesfit_tracer_isa isa, unsigned watch)
{
    aesfit_tracer *t = calloc(1, sizeof *t);
    if (!t) {
        return UC_ERR_NOMEM;
    }
    t->isa = isa;
    t->watch_memory = watch & AESFIT_WATCH_MEMORY;
    t->record = watch & AESFIT_WATCH_RECORD;
    t->predictor = watch & AESFIT_WATCH_PREDICTOR;
    /* ARMv4T rotates what it loads, the others trap: SiFive E31 and PicoRV32 too. */
    t->aligned_only = isa < AESFIT_ARMV7_M || isa > AESFIT_ARMV8_M_MAIN;
    t->blocks.item_size = sizeof(aesfit_tracer_block);
    t->paths.item_size = sizeof(aesfit_tracer_path);
    t->operands.item_size = t->accesses.item_size = sizeof(aesfit_tracer_count);
    t->records.item_size = sizeof(aesfit_tracer_record);
    t->order.item_size = sizeof(uint32_t);
    t->forms.item_size = sizeof(tracer_form);
    t->stack_register = isa >= AESFIT_RV32I ? UC_RISCV_REG_SP : UC_ARM_REG_SP;
    t->pc_register = isa >= AESFIT_RV32I ? UC_RISCV_REG_PC : UC_ARM_REG_PC;
    uc_err error = open_engine(t);
    error = error ? error : tracer_hook(t);
    if (error) {
        aesfit_tracer_close(t);
        return (int)error;
    }
    *tracer = t;
    return 0;
}

void aesfit_tracer_close(aesfit_tracer *t)
{
    if (t->uc) {
        uc_close(t->uc);
    }
    for (size_t i = 0; i < t->memory_count; i++) {
        free(t->memories[i].slots);
    }
    tracer_list *lists[] = {&t->blocks,  &t->paths, &t->operands, &t->accesses,
                            &t->records, &t->order, &t->forms};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        free(lists[i]->items);
    }
    free(t->path_index);
    free(t);
}

int aesfit_tracer_map(aesfit_tracer *t, const aesfit_tracer_memory *memory)
{
    if (t->memory_count == MOST_MEMORIES) {
        return UC_ERR_RESOURCE;
    }
    uint32_t head = memory->start % PAGE;
    uint64_t size = ((uint64_t)head + memory->size + PAGE - 1) / PAGE * PAGE;
    unsigned rights = UC_PROT_READ | (memory->writable ? (unsigned)UC_PROT_WRITE : 0) |
                      (memory->executable ? (unsigned)UC_PROT_EXEC : 0);
    uc_err error = uc_mem_map_ptr(t->uc, memory->start - head, size, rights, memory->host);
    if (error) {
        return (int)error;
    }
    tracer_memory *mapped = &t->memories[t->memory_count];
    *mapped = (tracer_memory){.is = *memory, .bytes = (const uint8_t *)memory->host + head};
    if (memory->executable) {
        mapped->slots = calloc(memory->size / 2 + 1, sizeof *mapped->slots);
    }
    if (memory->executable && !mapped->slots) {
        return UC_ERR_NOMEM;
    }
    t->memory_count++;
    return 0;
}

void aesfit_tracer_forget(aesfit_tracer *t)
{
    uc_ctl_flush_tb(t->uc);
    for (size_t i = 0; i < t->memory_count; i++) {
        tracer_memory *memory = &t->memories[i];
        if (memory->slots) {
            memset(memory->slots, 0, (memory->is.size / 2 + 1) * sizeof *memory->slots);
        }
    }
    t->blocks.count = t->operands.count = t->accesses.count = t->forms.count = 0;
}

static void set_registers(aesfit_tracer *t, const aesfit_tracer_call *call)
{
    bool riscv = t->isa >= AESFIT_RV32I, thumb = !riscv && t->isa != AESFIT_ARMV4T;
    uint32_t link = call->return_address | (thumb ? 1u : 0u);
    for (unsigned i = 0; i < (riscv ? 8u : 4u); i++) {
        uc_reg_write(t->uc, tracer_register(t, riscv ? 10 + i : i), &call->registers[i]);
    }
    uc_reg_write(t->uc, t->stack_register, &call->stack_pointer);
    uc_reg_write(t->uc, tracer_register(t, riscv ? 1 : 14), &link);
    if (riscv) {
        uc_reg_write(t->uc, tracer_register(t, 3), &call->global_pointer);
    }
}

/* What Unicorn's own errors mean here, when no hook has stopped the call. */
static void explain(aesfit_tracer *t, uc_err error)
{
    uint32_t pc = 0;
    uc_reg_read(t->uc, t->pc_register, &pc);
    if (t->result.stop != AESFIT_RETURNED) {
        return;
    }
    if (!error) {
        t->result.stop = pc == t->return_address ? AESFIT_RETURNED : AESFIT_HALTED;
    } else if (error == UC_ERR_INSN_INVALID) {
        t->result.stop = AESFIT_INVALID;
        t->result.fault = pc;
    } else {
        t->result.stop = AESFIT_ENGINE;
        t->result.fault = (uint32_t)error;
    }
}

void aesfit_tracer_run(aesfit_tracer *t, const aesfit_tracer_call *call, aesfit_tracer_result *r)
{
    tracer_reset(t);
    tracer_begin(t, call);
    set_registers(t, call);
    uc_err error = uc_emu_start(t->uc, call->entry, call->return_address, 0, 0);
    tracer_end(t);
    explain(t, error);
    uc_reg_read(t->uc, tracer_register(t, t->isa >= AESFIT_RV32I ? 10 : 0), &t->result.value);
    t->result.blocks = t->blocks.count;
    t->result.paths = t->paths.count;
    t->result.operands = t->operands.count;
    t->result.accesses = t->accesses.count;
    t->result.records = t->records.count;
    t->result.order = t->order.count;
    *r = t->result;
}

const char *aesfit_tracer_engine_error(int error)
{
    return uc_strerror((uc_err)error);
}
