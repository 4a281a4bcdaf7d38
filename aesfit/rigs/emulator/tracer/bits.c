/* SPDX-License-Identifier: MIT */
/* The bit manipulation of RISC-V, "B" (Zba, Zbb and Zbs), which Unicorn traps on: what each
 * instruction computes on 32 bits.  Source: The RISC-V Instruction Set Manual, volume I, chapter
 * "B" Extension for Bit Manipulation; of an encoding, registers and amounts are left out. */
#include "internal.h"

enum { OP = 0x20 }; /* the bit by which opcode OP differs from OP-IMM */

typedef struct {
    uint32_t encoding, value;
} computed;

#define FIND(list, encoding, result) find(list, sizeof(list) / sizeof *(list), encoding, result)

static bool find(const computed *list, size_t count, uint32_t encoding, uint32_t *result)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].encoding == encoding) {
            *result = list[i].value;
            return true;
        }
    }
    return false;
}

static uint32_t rotated(uint32_t x, uint32_t left)
{
    return x << (left & 31) | x >> (-left & 31);
}

static uint32_t ones(uint32_t x)
{
    uint32_t count = 0;
    for (; x; x &= x - 1) {
        count++;
    }
    return count;
}

static uint32_t zeros_below(uint32_t x)
{
    return ones(~x & (x - 1));
}

static uint32_t zeros_above(uint32_t x)
{
    for (unsigned by = 1; by < 32; by *= 2) {
        x |= x >> by;
    }
    return 32 - ones(x);
}

/* Each byte that is not zero becomes FFh. */
static uint32_t filled(uint32_t x)
{
    uint32_t all = 0;
    for (unsigned at = 0; at < 32; at += 8) {
        all |= x >> at & 255 ? UINT32_C(255) << at : 0;
    }
    return all;
}

static uint32_t reversed(uint32_t x)
{
    return (rotated(x, 8) & 0x00ff00ff) | (rotated(x, 24) & 0xff00ff00);
}

static uint32_t extended(uint32_t x, uint32_t sign)
{
    return ((x & (2 * sign - 1)) ^ sign) - sign;
}

static bool of_one(uint32_t word, uint32_t a, uint32_t *result)
{
    const computed list[] = {
        {0x60001013, zeros_above(a)},      /* clz */
        {0x60101013, zeros_below(a)},      /* ctz */
        {0x60201013, ones(a)},             /* cpop */
        {0x60401013, extended(a, 0x80)},   /* sext.b */
        {0x60501013, extended(a, 0x8000)}, /* sext.h */
        {0x08004033, a & 0xffff},          /* zext.h */
        {0x28705013, filled(a)},           /* orc.b */
        {0x69805013, reversed(a)},         /* rev8 */
    };
    return FIND(list, word & 0xfff0707f, result);
}

/* `b` is a register or an amount: the encoding is that with a register. */
static bool by_amount(uint32_t encoding, uint32_t a, uint32_t b, uint32_t *result)
{
    uint32_t bit = UINT32_C(1) << (b & 31);
    const computed list[] = {
        {0x48001033, a & ~bit},            /* bclr, bclri */
        {0x48005033, (a & bit) != 0},      /* bext, bexti */
        {0x68001033, a ^ bit},             /* binv, binvi */
        {0x28001033, a | bit},             /* bset, bseti */
        {0x60005033, rotated(a, 32u - b)}, /* ror, rori */
    };
    return FIND(list, encoding, result);
}

static bool of_two(uint32_t encoding, uint32_t a, uint32_t b, uint32_t *result)
{
    bool less = (int32_t)a < (int32_t)b;
    const computed list[] = {
        {0x20002033, b + (a << 1)},  /* sh1add */
        {0x20004033, b + (a << 2)},  /* sh2add */
        {0x20006033, b + (a << 3)},  /* sh3add */
        {0x40004033, ~(a ^ b)},      /* xnor */
        {0x40006033, a | ~b},        /* orn */
        {0x40007033, a & ~b},        /* andn */
        {0x0a004033, less ? a : b},  /* min */
        {0x0a005033, a < b ? a : b}, /* minu */
        {0x0a006033, less ? b : a},  /* max */
        {0x0a007033, a < b ? b : a}, /* maxu */
        {0x60001033, rotated(a, b)}, /* rol */
    };
    return FIND(list, encoding, result);
}

static bool compute(aesfit_tracer *t, uint32_t word, uint32_t *result)
{
    uint32_t encoding = word & 0xfe00707f, second = word >> 20 & 31;
    uint32_t a = tracer_read(t, tracer_register(t, word >> 15 & 31));
    if (of_one(word, a, result)) {
        return true;
    }
    if (!(word & OP)) {
        return by_amount(encoding | OP, a, second, result);
    }
    uint32_t b = tracer_read(t, tracer_register(t, second));
    return by_amount(encoding, a, b, result) || of_two(encoding, a, b, result);
}

bool tracer_manipulate_bits(aesfit_tracer *t)
{
    uint32_t word = tracer_word(t->code, t->result.pc), rd = word >> 7 & 31;
    uint32_t next = t->result.pc + 4, result = 0;
    if (!compute(t, word, &result)) {
        return false;
    }
    if (rd) {
        uc_reg_write(t->uc, tracer_register(t, (unsigned)rd), &result);
    }
    uc_reg_write(t->uc, t->pc_register, &next);
    return true;
}
