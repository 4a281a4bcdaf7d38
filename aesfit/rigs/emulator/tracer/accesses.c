/* SPDX-License-Identifier: MIT */
/* Which data an instruction reads and writes: from its encoding, when it is first executed, and
 * from the registers before it runs.  Hooks of Unicorn on accesses would say the same, but at each
 * access Unicorn then walks the block that it has translated, which takes longer than all else
 * together. Encodings: ARM DDI 0100I A3 and A5 to A7, ARM DDI 0403E A5 and A7, RISC-V Unprivileged
 * ISA 20191213 chapters 2, 8, 16 and 24. */
#include "internal.h"

enum { SP = 13, PC = 15, RISCV_SP = 2, NO_REGISTER = 255 };
enum { LSL, LSR, ASR, ROR };

static unsigned registers_in(uint32_t list)
{
    return (unsigned)__builtin_popcount(list);
}

static unsigned which(bool load)
{
    return load ? READS : WRITES;
}

/* `count` accesses of `width` bytes at a register and an offset. */
static tracer_form form(unsigned kinds, uint32_t base, int32_t offset, uint32_t width,
                        uint32_t count)
{
    return (tracer_form){.kinds = (uint8_t)kinds,
                         .base = (uint8_t)base,
                         .index = NO_REGISTER,
                         .width = (uint8_t)width,
                         .count = (uint8_t)count,
                         .offset = offset};
}

static tracer_form indexed(tracer_form f, uint32_t index, unsigned shift, uint32_t by)
{
    f.index = (uint8_t)index;
    f.shift = (uint8_t)shift;
    f.by = (uint8_t)by;
    return f;
}

static int32_t signed_by(bool up, uint32_t offset)
{
    return up ? (int32_t)offset : -(int32_t)offset;
}

/* LDR, STR, LDRB, STRB */
static tracer_form arm_single(uint32_t w)
{
    bool before = w >> 24 & 1, up = w >> 23 & 1, by_register = w >> 25 & 1;
    uint32_t width = w >> 22 & 1 ? 1 : 4;
    int32_t offset = before && !by_register ? signed_by(up, w & 0xfff) : 0;
    tracer_form f = form(which(w >> 20 & 1), w >> 16 & 15, offset, width, 1);
    if (before && by_register) {
        f = indexed(f, w & 15, w >> 5 & 3, w >> 7 & 31);
        f.down = !up;
    }
    return f;
}

/* LDRH, STRH, LDRSB, LDRSH */
static tracer_form arm_half(uint32_t w)
{
    bool before = w >> 24 & 1, up = w >> 23 & 1, by_register = !(w >> 22 & 1);
    uint32_t width = (w >> 5 & 3) == 2 ? 1 : 2;
    int32_t offset = before && !by_register ? signed_by(up, (w >> 4 & 0xf0) | (w & 15)) : 0;
    tracer_form f = form(which(w >> 20 & 1), w >> 16 & 15, offset, width, 1);
    if (before && by_register) {
        f = indexed(f, w & 15, LSL, 0);
        f.down = !up;
    }
    return f;
}

/* LDM, STM */
static tracer_form arm_many(uint32_t w)
{
    bool before = w >> 24 & 1, up = w >> 23 & 1;
    uint32_t count = registers_in(w & 0xffff);
    int32_t lowest = up ? 0 : -4 * (int32_t)count;
    int32_t offset = lowest + (before == up ? 4 : 0);
    return form(which(w >> 20 & 1), w >> 16 & 15, offset, 4, count);
}

static tracer_form arm_form(uint32_t w)
{
    if (in(w, 0x0e000000, 0x08000000)) {
        return arm_many(w);
    }
    if (in(w, 0x0c000000, 0x04000000)) {
        return arm_single(w);
    }
    if (in(w, 0x0fb00ff0, 0x01000090)) { /* SWP, SWPB */
        return form(READS | WRITES, w >> 16 & 15, 0, w >> 22 & 1 ? 1 : 4, 1);
    }
    if (in(w, 0x0e000090, 0x90) && w >> 5 & 3) {
        return arm_half(w);
    }
    return form(0, NO_REGISTER, 0, 0, 0);
}

static tracer_form thumb16_form(uint32_t h, uint32_t pc)
{
    static const uint8_t widths[8] = {4, 2, 1, 1, 4, 2, 1, 2}; /* STR STRH STRB LDRSB LDR ... */
    uint32_t base = h >> 3 & 7, amount = h >> 6 & 31, load = h >> 11 & 1, low = h & 255;
    if (in(h, 0xf800, 0x4800)) { /* literal */
        return form(READS, NO_REGISTER, (int32_t)((pc + 4) / 4 * 4 + low * 4), 4, 1);
    }
    if (in(h, 0xf000, 0x5000)) {
        unsigned op = h >> 9 & 7;
        return indexed(form(which(op >= 3), base, 0, widths[op], 1), h >> 6 & 7, LSL, 0);
    }
    if (in(h, 0xe000, 0x6000)) {
        uint32_t width = h >> 12 & 1 ? 1 : 4;
        return form(which(load), base, (int32_t)(amount * width), width, 1);
    }
    if (in(h, 0xf000, 0x8000)) {
        return form(which(load), base, (int32_t)(amount * 2), 2, 1);
    }
    if (in(h, 0xf000, 0x9000)) {
        return form(which(load), SP, (int32_t)(low * 4), 4, 1);
    }
    if (in(h, 0xf000, 0xc000)) {
        return form(which(load), h >> 8 & 7, 0, 4, registers_in(low));
    }
    uint32_t listed = registers_in(h & 0x1ff);
    if (in(h, 0xfe00, 0xb400)) { /* PUSH */
        return form(WRITES, SP, -4 * (int32_t)listed, 4, listed);
    }
    if (in(h, 0xfe00, 0xbc00)) { /* POP */
        return form(READS, SP, 0, 4, listed);
    }
    return form(0, NO_REGISTER, 0, 0, 0);
}

/* LDM, STM; LDRD, STRD; the exclusive ones; TBB, TBH */
static tracer_form thumb32_many(uint32_t h, uint32_t second, uint32_t pc)
{
    bool load = h >> 4 & 1, up = h >> 7 & 1, before = h >> 8 & 1;
    uint32_t base = h & 15, count = registers_in(second);
    int32_t offset = signed_by(up, (second & 255) * 4);
    if (!(h >> 6 & 1)) {
        return form(which(load), base, before ? -4 * (int32_t)count : 0, 4, count);
    }
    if (before || h >> 5 & 1) {
        if (base == PC) {
            return form(READS, NO_REGISTER, (int32_t)((pc + 4) / 4 * 4) + offset, 4, 2);
        }
        return form(which(load), base, before ? offset : 0, 4, 2);
    }
    if (!up && !load && second >> 12 == PC) { /* TT, which looks an address up */
        return form(0, NO_REGISTER, 0, 0, 0);
    }
    if (!up) { /* LDREX, STREX */
        return form(which(load), base, (int32_t)(second & 255) * 4, 4, 1);
    }
    uint32_t op = second >> 4 & 15;
    tracer_form f = form(which(load), base, 0, 1u << (op & 3), 1); /* LDREXB, LDREXH, LDA ... */
    if (op < 2) {
        f = indexed(f, second & 15, LSL, op);
    }
    if (op < 2 && base == PC) {
        f.base = NO_REGISTER;
        f.offset = (int32_t)(pc + 4);
    }
    return f;
}

/* VLDR, VSTR, VLDM, VSTM */
static tracer_form float_form(uint32_t h, uint32_t second, uint32_t pc)
{
    bool load = h >> 4 & 1, up = h >> 7 & 1, before = h >> 8 & 1;
    uint32_t base = h & 15, words = second & 255, width = second >> 8 & 1 ? 8 : 4;
    if (!before && !up) { /* VMOV of two registers */
        return form(0, NO_REGISTER, 0, 0, 0);
    }
    if (before && !(h >> 5 & 1)) {
        tracer_form f = form(which(load), base, signed_by(up, words * 4), width, 1);
        if (base == PC) {
            f.base = NO_REGISTER;
            f.offset += (int32_t)((pc + 4) / 4 * 4);
        }
        return f;
    }
    return form(which(load), base, up ? 0 : -4 * (int32_t)words, width, words * 4 / width);
}

/* One register */
static tracer_form thumb32_single(uint32_t h, uint32_t second, uint32_t pc)
{
    bool load = h >> 4 & 1, up = h >> 7 & 1;
    uint32_t base = h & 15, width = 1u << (h >> 5 & 3);
    if (load && width < 4 && second >> 12 == PC) { /* PLD, PLI */
        return form(0, NO_REGISTER, 0, 0, 0);
    }
    if (base == PC) {
        int32_t offset = signed_by(up, second & 0xfff);
        return form(READS, NO_REGISTER, (int32_t)((pc + 4) / 4 * 4) + offset, width, 1);
    }
    if (up) {
        return form(which(load), base, (int32_t)(second & 0xfff), width, 1);
    }
    if (second >> 11 & 1) {
        int32_t offset = second >> 10 & 1 ? signed_by(second >> 9 & 1, second & 255) : 0;
        return form(which(load), base, offset, width, 1);
    }
    return indexed(form(which(load), base, 0, width, 1), second & 15, LSL, second >> 4 & 3);
}

static tracer_form thumb_form(uint32_t h, uint32_t second, uint32_t pc)
{
    if (h < 0xe800) {
        return thumb16_form(h, pc);
    }
    if (in(h, 0xfe00, 0xe800)) {
        return thumb32_many(h, second, pc);
    }
    if (in(h, 0xfe00, 0xec00) && in(second, 0x0e00, 0x0a00)) {
        return float_form(h, second, pc);
    }
    if (in(h, 0xfe00, 0xf800)) {
        return thumb32_single(h, second, pc);
    }
    return form(0, NO_REGISTER, 0, 0, 0);
}

static tracer_form riscv_short_form(uint32_t h)
{
    if (in(h, 0x6003, 0x4000)) { /* C.LW, C.SW */
        uint32_t offset = (h >> 10 & 7) << 3 | (h >> 6 & 1) << 2 | (h >> 5 & 1) << 6;
        return form(which(!(h >> 15)), 8 + (h >> 7 & 7), (int32_t)offset, 4, 1);
    }
    if (in(h, 0xe003, 0x4002)) { /* C.LWSP */
        uint32_t offset = (h >> 12 & 1) << 5 | (h >> 4 & 7) << 2 | (h >> 2 & 3) << 6;
        return form(READS, RISCV_SP, (int32_t)offset, 4, 1);
    }
    if (in(h, 0xe003, 0xc002)) { /* C.SWSP */
        uint32_t offset = (h >> 9 & 15) << 2 | (h >> 7 & 3) << 6;
        return form(WRITES, RISCV_SP, (int32_t)offset, 4, 1);
    }
    return form(0, NO_REGISTER, 0, 0, 0);
}

static tracer_form riscv_form(uint32_t w)
{
    if (!in(w, 3, 3)) {
        return riscv_short_form(w & 0xffff);
    }
    uint32_t opcode = w & 0x7f, base = w >> 15 & 31, width = 1u << (w >> 12 & 3);
    int32_t high = (int32_t)w >> 25;
    if (opcode == 0x03) {
        return form(READS, base, (int32_t)w >> 20, width, 1);
    }
    if (opcode == 0x23) {
        return form(WRITES, base, high * 32 + (int32_t)(w >> 7 & 31), width, 1);
    }
    if (opcode == 0x2f) { /* LR, SC, AMOADD ... */
        uint32_t op = w >> 27;
        return form(op == 2 ? READS : op == 3 ? WRITES : READS | WRITES, base, 0, width, 1);
    }
    return form(0, NO_REGISTER, 0, 0, 0);
}

const tracer_form *tracer_form_at(aesfit_tracer *t, tracer_slot *slot, uint32_t pc, bool thumb)
{
    if (!slot->form) {
        tracer_form *place = tracer_append(&t->forms);
        if (!place) {
            return NULL;
        }
        uint32_t w = tracer_word(t->code, pc);
        uint32_t own = t->isa == AESFIT_RV32EC ? tracer_wch_full(w & 0xffff) : 0;
        w = own ? own : w;
        *place = t->isa >= AESFIT_RV32I ? riscv_form(w)
                 : thumb                ? thumb_form(w & 0xffff, w >> 16, pc)
                                        : arm_form(w);
        if (!thumb && t->isa < AESFIT_RV32I && place->base == PC) {
            place->base = NO_REGISTER;
            place->offset += (int32_t)(pc + 8);
        }
        slot->form = (uint32_t)t->forms.count;
    }
    return (const tracer_form *)t->forms.items + (slot->form - 1);
}

/* DDI 0100I A5.2: LSR and ASR by 0 mean 32, ROR by 0 means one bit with the carry. */
static uint32_t shifted(aesfit_tracer *t, uint32_t value, unsigned kind, unsigned by)
{
    switch (kind) {
    case LSL:
        return value << by;
    case LSR:
        return by ? value >> by : 0;
    case ASR:
        return (uint32_t)((int32_t)value >> (by ? by : 31));
    default:
        return by ? value >> by | value << (32 - by)
                  : tracer_read(t, UC_ARM_REG_CPSR) << 2 >> 31 << 31 | value >> 1;
    }
}

uint32_t tracer_address(aesfit_tracer *t, const tracer_form *f)
{
    uint32_t address = (uint32_t)f->offset;
    if (f->base != NO_REGISTER) {
        address += tracer_read(t, tracer_register(t, f->base));
    }
    if (f->index != NO_REGISTER) {
        uint32_t index = tracer_read(t, tracer_register(t, f->index));
        index = shifted(t, index, f->shift, f->by);
        address = f->down ? address - index : address + index;
    }
    return address;
}
