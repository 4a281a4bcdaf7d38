/* SPDX-License-Identifier: MIT */
/* Which instructions need a look when they run: conditional ones, multiplies and divides, and those
 * that write the stack pointer.  Encodings: ARM DDI 0100I A3 and A6, ARM DDI 0403E A5 and A7,
 * RISC-V Unprivileged ISA 20191213 chapters 2, 7, 16 and 24. */
#include "internal.h"

enum { SP = 13, RISCV_SP = 2, ALWAYS = 14 };

static tracer_slot *slot_at(const tracer_memory *memory, uint32_t pc)
{
    return &memory->slots[(pc - memory->is.start) / 2];
}

static void multiplies_by(tracer_slot *slot, uint32_t reg)
{
    slot->flags |= MULTIPLY;
    slot->operand = (uint8_t)reg;
}

static void conditional(tracer_slot *slot, uint32_t condition)
{
    slot->flags |= CONDITIONAL;
    slot->condition = (uint8_t)condition;
}

/* Base register written back: pre-indexed with W, or post-indexed. */
static bool arm_writes_back(uint32_t w)
{
    return in(w, 1u << 24, 0) || in(w, 1u << 21, 1u << 21);
}

static bool arm_moves_stack(uint32_t w)
{
    bool base = in(w, 0xf0000, SP << 16), target = in(w, 0xf000, SP << 12), load = w >> 20 & 1;
    if (in(w, 0x0e000000, 0x08000000)) { /* LDM, STM */
        return (base && in(w, 1u << 21, 1u << 21)) || (load && w >> SP & 1);
    }
    if (in(w, 0x0c000000, 0x04000000) || in(w, 0x0e000090, 0x90)) { /* one register */
        return (base && arm_writes_back(w)) || (load && target);
    }
    /* Data processing but TST, TEQ, CMP, CMN and the status instructions in their place. */
    return in(w, 0x0c000000, 0) && target && !in(w, 0x01800000, 0x01000000);
}

static void decode_arm(const tracer_memory *memory, uint32_t pc)
{
    uint32_t w = tracer_word(memory, pc), condition = w >> 28;
    tracer_slot *slot = slot_at(memory, pc);
    bool branch = in(w, 0x0e000000, 0x0a000000); /* B, BL */
    if (condition < ALWAYS && (!branch || in(w, 0x00ffffff, 0x00ffffff))) {
        conditional(slot, condition);
    }
    if (in(w, 0x0fc000f0, 0x90) || in(w, 0x0f8000f0, 0x00800090)) { /* MUL, MLA; long ones */
        multiplies_by(slot, w >> 8 & 15);
    } else if (arm_moves_stack(w)) {
        slot->flags |= MOVES_STACK;
    }
}

static bool thumb16_moves_stack(uint32_t h)
{
    return in(h, 0xfe00, 0xb400) || in(h, 0xfe00, 0xbc00) || in(h, 0xff00, 0xb000) ||
           in(h, 0xff87, 0x4485) || in(h, 0xff87, 0x4685);
}

static bool thumb32_moves_stack(uint32_t h, uint32_t second)
{
    bool base = in(h, 15, SP), load = h >> 4 & 1;
    if (in(h, 0xfe40, 0xe800)) { /* LDM, STM */
        return (base && h >> 5 & 1) || (load && second >> SP & 1);
    }
    /* LDRD, STRD (the exclusive ones have W and P clear); VLDM, VSTM, VPUSH, VPOP. */
    if (in(h, 0xfe40, 0xe840) || in(h, 0xfe00, 0xec00)) {
        return base && h >> 5 & 1;
    }
    if (in(h, 0xfe00, 0xf800)) { /* one register; W stands in the 8-bit immediate forms only */
        return (base && in(second, 0x0900, 0x0900)) || (load && in(second, 0xf000, SP << 12));
    }
    bool processing = in(h, 0xfe00, 0xea00) || (in(h, 0xf800, 0xf000) && in(second, 0x8000, 0));
    return processing && in(second, 0x0f00, SP << 8);
}

/* ARMv6-M has BL, MSR, MRS and barriers of the long ones, and neither IT nor CBZ (DDI 0419E A5). */
static bool missing_in_armv6_m(uint32_t h, uint32_t second)
{
    if (h < 0xe800) {
        return in(h, 0xf500, 0xb100) || (in(h, 0xff00, 0xbf00) && h & 15);
    }
    bool barrier = h == 0xf3bf && in(second, 0xff00, 0x8f00);
    bool status = (in(h, 0xfff0, 0xf380) || h == 0xf3ef) && in(second, 0xd000, 0x8000);
    return !(in(h, 0xf800, 0xf000) && in(second, 0xd000, 0xd000)) && !barrier && !status;
}

static unsigned decode_thumb(const tracer_memory *memory, uint32_t pc)
{
    uint32_t h = tracer_half(memory, pc), second = tracer_half(memory, pc + 2);
    tracer_slot *slot = slot_at(memory, pc);
    /* LDM, STM, PUSH, POP; in the long form LDRD and STRD, and loads and stores of floating-point
     * registers too (DDI 0403E A3.2.1). */
    bool many = in(h, 0xf000, 0xc000) || in(h, 0xf600, 0xb400) || in(h, 0xfe00, 0xe800) ||
                in(h, 0xfe00, 0xec00);
    slot->flags |= many ? ALIGNED : 0;
    if (h < 0xe800) {
        if (in(h, 0xf000, 0xd000) && in(h, 0xff, 0xff) && (h >> 8 & 15) < ALWAYS) {
            conditional(slot, h >> 8 & 15); /* to the next instruction */
        } else if (in(h, 0xffc0, 0x4340)) {
            multiplies_by(slot, h & 7);
        } else if (thumb16_moves_stack(h)) {
            slot->flags |= MOVES_STACK;
        }
        return 2;
    }
    if (in(h, 0xfc3f, 0xf000) && second == 0x8000 && (h >> 6 & 15) < ALWAYS) {
        conditional(slot, h >> 6 & 15);
    } else if (in(h, 0xff00, 0xfb00)) { /* multiplies and divides */
        multiplies_by(slot, in(h, 0xffd0, 0xfb90) ? (uint32_t)DIVISION : second & 15);
    } else if (thumb32_moves_stack(h, second)) {
        slot->flags |= MOVES_STACK;
    }
    return 4;
}

/* IT: the next one to four instructions, each under the condition or its opposite. */
static void decode_it(const tracer_memory *memory, uint32_t pc)
{
    uint32_t h = tracer_half(memory, pc), first = h >> 4 & 15, mask = h & 15;
    if (!in(h, 0xff00, 0xbf00) || !mask || first >= ALWAYS) {
        return;
    }
    slot_at(memory, pc)->flags |= IS_IT;
    pc += 2;
    for (unsigned left = 4, condition = first; tracer_inside(memory, pc);) {
        tracer_slot *slot = slot_at(memory, pc);
        slot->flags = DECODED | IN_IT;
        slot->size = (uint8_t)decode_thumb(memory, pc);
        conditional(slot, condition);
        pc += slot->size;
        if (in(mask, (1u << (left - 1)) - 1, 0)) {
            return;
        }
        condition = (first & 14) | (mask >> --left & 1);
    }
}

/* RV32EC has no floating point and no atomics, which Unicorn's processor would run. */
static bool missing_in_rv32ec(uint32_t w)
{
    if (!in(w, 3, 3)) {
        bool floating = in(w, 1, 0) && w >> 13 & 1; /* quadrants 0 and 2, odd bits 15 to 13 */
        return floating || in(w, 0xe003, 0x8000);
    }
    uint32_t opcode = w & 0x7f;
    return opcode == 0x07 || opcode == 0x27 || opcode == 0x2f || in(w, 0x73, 0x43) ||
           opcode == 0x53;
}

/* RV32E has x0 to x15: whether a full instruction names another register. */
static bool beyond_x15(uint32_t w)
{
    uint32_t opcode = w & 0x7f;
    bool store = opcode == 0x23, branch = opcode == 0x63, add = opcode == 0x33;
    bool upper = opcode == 0x37 || opcode == 0x17 || opcode == 0x6f; /* LUI, AUIPC, JAL */
    return (!store && !branch && w >> 11 & 1) || (!upper && w >> 19 & 1) ||
           ((store || branch || add) && w >> 24 & 1);
}

/* The same for a compressed one: rd and rs2 of five bits; the others have three, of x8 to x15. */
static bool beyond_x15_short(uint32_t h)
{
    bool stack = in(h, 3, 2), store = in(h, 0xe003, 0xc002); /* C.SWSP has no rd */
    bool first = (stack && !store) || in(h, 0x8003, 0x0001); /* C.ADDI to C.LUI, C.JAL apart */
    bool jump = in(h, 0xe003, 0x2001);
    bool second = store || in(h, 0xe003, 0x8002);
    return (first && !jump && h >> 11 & 1) || (second && h >> 6 & 1);
}

static void decode_riscv(const tracer_memory *memory, uint32_t pc, bool has_multiply)
{
    uint32_t w = tracer_word(memory, pc), h = w & 0xffff, rd = w >> 7 & 31;
    tracer_slot *slot = slot_at(memory, pc);
    if (in(w, 3, 3)) {
        uint32_t opcode = w & 0x7f;
        if (in(w, 0xfe000f80 | 0x7f, 0x200 | 0x63)) { /* branch to the next instruction */
            conditional(slot, 0);
        } else if (in(w, 0xfe00007f, 0x02000033)) {
            multiplies_by(slot, w >> 14 & 1 ? (uint32_t)DIVISION : w >> 20 & 31);
            slot->flags |= has_multiply ? 0 : INVALID;
        }
        bool writes =
            opcode == 0x13 || opcode == 0x33 || opcode == 0x37 || opcode == 0x17 || opcode == 0x03;
        slot->flags |= writes && rd == RISCV_SP ? MOVES_STACK : 0;
        return;
    }
    if (in(h, 0xc003, 0xc001) && in(h, 0x1c7c, 0x0008)) { /* C.BEQZ, C.BNEZ likewise */
        conditional(slot, 0);
    }
    bool writes = in(h, 0x8003, 0x0001) || in(h, 0x8003, 0x0002) || in(h, 0xe003, 0x8002);
    slot->flags |= writes && rd == RISCV_SP ? MOVES_STACK : 0;
}

void tracer_decode(aesfit_tracer *t, tracer_memory *memory, uint32_t pc, bool thumb)
{
    slot_at(memory, pc)->flags = DECODED;
    if (t->isa >= AESFIT_RV32I) {
        decode_riscv(memory, pc, t->isa == AESFIT_RV32IM || t->isa == AESFIT_RV32IMB);
        uint32_t w = tracer_word(memory, pc);
        bool beyond = in(w, 3, 3) ? beyond_x15(w) : beyond_x15_short(w & 0xffff);
        bool own = tracer_wch_full(w & 0xffff);
        bool missing = t->isa == AESFIT_RV32EC && !own && (beyond || missing_in_rv32ec(w));
        slot_at(memory, pc)->flags |= missing ? INVALID : 0;
    } else if (thumb) {
        (void)decode_thumb(memory, pc);
        decode_it(memory, pc);
        if (t->isa == AESFIT_ARMV6_M &&
            missing_in_armv6_m(tracer_half(memory, pc), tracer_half(memory, pc + 2))) {
            slot_at(memory, pc)->flags |= INVALID;
        }
    } else {
        decode_arm(memory, pc);
    }
}

tracer_division tracer_division_at(const aesfit_tracer *t, const tracer_memory *memory, uint32_t pc)
{
    if (t->isa >= AESFIT_RV32I) {
        uint32_t w = tracer_word(memory, pc);
        return (tracer_division){w >> 15 & 31, w >> 20 & 31, !(w >> 12 & 1)};
    }
    unsigned h = tracer_half(memory, pc);
    return (tracer_division){h & 15, tracer_half(memory, pc + 2) & 15, !(h >> 5 & 1)};
}

/* The condition field, DDI 0100I A3.2; flags are N Z C V from bit 31. */
static bool arm_condition(uint32_t cpsr, unsigned condition)
{
    bool n = cpsr >> 31 & 1, z = cpsr >> 30 & 1, c = cpsr >> 29 & 1, v = cpsr >> 28 & 1;
    const bool holds[8] = {z, c, n, v, c && !z, n == v, !z && n == v, true};
    return holds[condition / 2] != (condition & 1);
}

static uint32_t riscv_register(aesfit_tracer *t, uint32_t number)
{
    return tracer_read(t, UC_RISCV_REG_X0 + (int)number);
}

static bool riscv_taken(aesfit_tracer *t, uint32_t w)
{
    if (!in(w, 3, 3)) { /* C.BEQZ, C.BNEZ: bit 13 tells */
        return (riscv_register(t, 8 + (w >> 7 & 7)) != 0) == (w >> 13 & 1);
    }
    uint32_t a = riscv_register(t, w >> 15 & 31), b = riscv_register(t, w >> 20 & 31);
    const bool holds[4] = {a == b, false, (int32_t)a < (int32_t)b, a < b};
    return holds[w >> 13 & 3] != (w >> 12 & 1);
}

bool tracer_condition(aesfit_tracer *t, const tracer_memory *memory, uint32_t pc,
                      const tracer_slot *slot)
{
    if (t->isa >= AESFIT_RV32I) {
        return riscv_taken(t, tracer_word(memory, pc));
    }
    return arm_condition(tracer_read(t, UC_ARM_REG_CPSR), slot->condition);
}
