/* SPDX-License-Identifier: MIT */
/* WCH's own compressed accesses of bytes and half-words ("XW"), in whose place Unicorn executes
 * loads and stores of floating point.  Each stands for a full instruction, as the others of RV32C
 * do.  Sources of the encodings: those with a base register were found on CH32V003 (jnk0le,
 * ch32v003_(qkv2).md in github.com/jnk0le/random); those of the stack are LLVM's (XwchC). */
#include "internal.h"

enum { LOAD = 0x03, STORE = 0x23, RISCV_SP = 2 };

static uint32_t load(uint32_t rd, uint32_t base, uint32_t offset, bool half)
{
    return offset << 20 | base << 15 | (half ? 5u : 4u) << 12 | rd << 7 | LOAD;
}

static uint32_t store(uint32_t from, uint32_t base, uint32_t offset, bool half)
{
    return offset >> 5 << 25 | from << 20 | base << 15 | (half ? 1u : 0u) << 12 |
           (offset & 31) << 7 | STORE;
}

uint32_t tracer_wch_full(uint32_t h)
{
    uint32_t reg = 8 + (h >> 2 & 7), base = 8 + (h >> 7 & 7);
    if (in(h, 0x6001, 0x2000)) {
        bool half = h >> 1 & 1;
        uint32_t low = (h >> 5 & 3) << 1, high = h >> 10;
        uint32_t offset = low | (half ? (high & 7) << 3 : (high & 3) << 3 | (high >> 2 & 1));
        return (h >> 15 ? store : load)(reg, base, offset, half);
    }
    if (in(h, 0xf803, 0x8000)) {
        bool half = h >> 5 & 1;
        uint32_t offset = half ? (h >> 8 & 7) << 1 | (h >> 7 & 1) << 4 : h >> 7 & 15;
        return (h >> 6 & 1 ? store : load)(reg, RISCV_SP, offset, half);
    }
    return 0;
}

void tracer_wch_access(aesfit_tracer *t)
{
    uint32_t pc = t->result.pc, next = pc + 2, value = 0;
    uint32_t w = tracer_wch_full(tracer_half(t->code, pc));
    if (!w) {
        return;
    }
    bool stores = (w & 0x7f) == STORE;
    uint32_t width = 1 + (w >> 12 & 1), offset = stores ? w >> 25 << 5 | (w >> 7 & 31) : w >> 20;
    uint32_t address = tracer_read(t, tracer_register(t, w >> 15 & 31)) + offset;
    const tracer_memory *memory = tracer_memory_at(t, address);
    if (!memory || (stores && !memory->is.writable)) {
        t->result.stop = stores ? AESFIT_UNMAPPED_WRITE : AESFIT_UNMAPPED_READ;
        t->result.fault = address;
        t->result.fault_size = width;
        uc_emu_stop(t->uc);
        return;
    }
    if (stores) {
        value = tracer_read(t, tracer_register(t, w >> 20 & 31));
        uc_mem_write(t->uc, address, &value, width); /* little-endian here and there */
    } else {
        uc_mem_read(t->uc, address, &value, width);
        uc_reg_write(t->uc, tracer_register(t, w >> 7 & 31), &value);
    }
    uc_reg_write(t->uc, t->pc_register, &next);
}
