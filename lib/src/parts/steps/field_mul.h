/* SPDX-License-Identifier: MIT */
/* Packed arithmetic in GF(2^8) by a multiplication, for processors that multiply in one cycle and
 * cannot shift while they add (Cortex-M0 with the fast multiplier). */
#ifndef AESFIT_STEPS_FIELD_MUL_H
#define AESFIT_STEPS_FIELD_MUL_H

#include "field.h"

#if defined(__GNUC__) && defined(__thumb__) && !defined(__thumb2__)
#define FIELD_MUL_THUMB1 1
#else
#define FIELD_MUL_THUMB1 0
#endif

#if FIELD_MUL_THUMB1
/* x doubled; z is lost.  Compilers make shifts and sums of a product with a constant. */
#define FIELD_MUL_DOUBLE                                                                           \
    "mov %[z], %[top]\n\tands %[z], %[x]\n\teors %[x], %[z]\n\tadds %[x], %[x], %[x]\n\t"          \
    "lsrs %[z], %[z], #7\n\tmuls %[z], %[p], %[z]\n\teors %[x], %[z]\n\t"
#endif

/* Doubles each of the four bytes: the topmost bits, moved to the lowest, times the polynomial.
 * 1 AND, 2 XOR, 2 shifts, 1 multiplication, whose operands are secret. */
AESFIT_INLINE uint32_t xtime4_mul(uint32_t x)
{
    uint32_t top = x & 0x80808080u;
    return (x ^ top) << 1 ^ (top >> 7) * 0x1bu;
}

/* As mix_column(). */
AESFIT_INLINE uint32_t mix_column_mul(uint32_t x)
{
#if FIELD_MUL_THUMB1
    uint32_t y, z, t;
    __asm__(".syntax unified\n\tmovs %[t], #8\n\tmovs %[y], %[x]\n\trors %[y], %[t]\n\teors %[x], "
            "%[y]\n\t"
            "movs %[t], #16\n\tmovs %[z], %[x]\n\trors %[z], %[t]\n\teors %[y], "
            "%[z]\n\t" FIELD_MUL_DOUBLE "eors %[x], %[y]"
            : [x] "+l"(x), [y] "=&l"(y), [z] "=&l"(z), [t] "=&l"(t)
            : [top] "h"(0x80808080u), [p] "l"(0x1bu)
            : "cc");
    return x;
#else
    uint32_t next = rotl32(x, 24), sum = x ^ next;
    return xtime4_mul(sum) ^ next ^ rotl32(sum, 16);
#endif
}

/* x + 04 (x_r + x_(r+2)), of which MixColumns makes InvMixColumns (inv_mix_column()). */
AESFIT_INLINE uint32_t inv_mix_prepare_mul(uint32_t column)
{
#if FIELD_MUL_THUMB1
    uint32_t x = column, z, t;
    __asm__(".syntax unified\n\tmovs %[t], #16\n\tmovs %[z], %[x]\n\trors %[z], %[t]\n\teors %[x], "
            "%[z]\n\t" FIELD_MUL_DOUBLE FIELD_MUL_DOUBLE
            : [x] "+l"(x), [z] "=&l"(z), [t] "=&l"(t)
            : [top] "h"(0x80808080u), [p] "l"(0x1bu)
            : "cc");
    return column ^ x;
#else
    return column ^ xtime4_mul(xtime4_mul(column ^ rotl32(column, 16)));
#endif
}

AESFIT_INLINE uint32_t inv_mix_column_mul(uint32_t x)
{
    return mix_column_mul(inv_mix_prepare_mul(x));
}

#if FIELD_MUL_THUMB1
#undef FIELD_MUL_DOUBLE
#endif

#endif
