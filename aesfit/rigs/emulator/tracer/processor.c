/* SPDX-License-Identifier: MIT */
/* What all else asks of the processor: its registers by number, its memory by address. */
#include "internal.h"

static int arm_register(unsigned number)
{
    static const int high[3] = {UC_ARM_REG_SP, UC_ARM_REG_LR, UC_ARM_REG_PC};
    return number < 13 ? UC_ARM_REG_R0 + (int)number : high[number - 13];
}

int tracer_register(const aesfit_tracer *t, unsigned number)
{
    return t->isa >= AESFIT_RV32I ? UC_RISCV_REG_X0 + (int)number : arm_register(number);
}

tracer_memory *tracer_memory_at(aesfit_tracer *t, uint32_t address)
{
    for (size_t i = 0; i < t->memory_count; i++) {
        if (tracer_inside(&t->memories[i], address)) {
            return &t->memories[i];
        }
    }
    return NULL;
}
