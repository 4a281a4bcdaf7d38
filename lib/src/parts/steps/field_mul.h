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
/* MixColumns of x; y, z and t are lost. */
#define FIELD_MUL_MIX                                                                              \
    "movs %[t], #8\n\tmovs %[y], %[x]\n\trors %[y], %[t]\n\teors %[x], %[y]\n\t"                   \
    "movs %[t], #16\n\tmovs %[z], %[x]\n\trors %[z], %[t]\n\teors %[y], %[z]\n\t" FIELD_MUL_DOUBLE \
    "eors %[x], %[y]"
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
    __asm__(".syntax unified\n\t" FIELD_MUL_MIX
            : [x] "+l"(x), [y] "=&l"(y), [z] "=&l"(z), [t] "=&l"(t)
            : [top] "h"(0x80808080u), [p] "l"(0x1bu)
            : "cc");
    return x;
#else
    uint32_t next = rotl32(x, 24), sum = x ^ next;
    return xtime4_mul(sum) ^ next ^ rotl32(sum, 16);
#endif
}

/* gcc -Os keeps the high registers of Thumb-1 to itself, also where a pragma asks for another level
 * later: the package for Arduino says so by FIELD_MUL_FOR_SIZE.
 *
 * As inv_mix_column(): MixColumns of x + 04 v, v = x_r + x_(r+2).  Both halves of v are the same,
 * so that bits 6 of the lower and bits 7 of the upper one reduce all of 04 v by one multiplication:
 * its halves are added to both. */
AESFIT_INLINE uint32_t inv_mix_column_mul(uint32_t x)
{
#if FIELD_MUL_THUMB1 && !defined(__OPTIMIZE_SIZE__) && !defined(FIELD_MUL_FOR_SIZE)
    uint32_t y, z, t;
    __asm__(
        ".syntax unified\n\t"
        "movs %[t], #16\n\tmovs %[z], %[x]\n\trors %[z], %[t]\n\teors %[z], %[x]\n\t"
        "mov %[y], %[low]\n\tands %[y], %[z]\n\tlsls %[y], %[y], #2\n\teors %[x], %[y]\n\t"
        "mov %[y], %[tops]\n\tands %[z], %[y]\n\tlsrs %[z], %[z], #6\n\t"
        "muls %[z], %[p], %[z]\n\teors %[x], %[z]\n\trors %[z], %[t]\n\t"
        "eors %[x], %[z]\n\t" FIELD_MUL_MIX
        : [x] "+l"(x), [y] "=&l"(y), [z] "=&l"(z), [t] "=&l"(t)
        : [top] "h"(0x80808080u), [p] "l"(0x1bu), [low] "h"(0x3f3f3f3fu), [tops] "h"(0x80804040u)
        : "cc");
    return x;
#else
    uint32_t v = x ^ rotl32(x, 16), r = ((v & 0x80804040u) >> 6) * 0x1bu;
    return mix_column_mul(x ^ (v & 0x3f3f3f3fu) << 2 ^ r ^ rotl32(r, 16));
#endif
}

#if FIELD_MUL_THUMB1
#undef FIELD_MUL_DOUBLE
#undef FIELD_MUL_MIX
#endif

#endif
