/* SPDX-License-Identifier: MIT */
/* Steps of the library's cores on the instructions of rtl/pcpi_aes.v, in the place of its own.
 *
 * Included behind core.h and before a core: each header of steps is included here, its functions
 * under other names, and functions with the instructions get the names that cores use.
 *   PCPI_DOUBLE   MixColumns and InvMixColumns double and add by an instruction
 *   PCPI_SUB      SubBytes and ShiftRows look words up by an instruction
 *
 * An addition behind a doubling costs nothing, so the steps are not the library's.  Of a state:
 *   by columns  MixColumns 8 XOR, 4 instructions, 8 rotations; InvMixColumns 12, 12, 12
 *   by rows     MixColumns 8 XOR, 4 instructions; InvMixColumns 11, 10
 * An instruction for 4 x would save columns 4 of their 12, and rows none. */
#ifndef AESFIT_PCPI_AES_H
#define AESFIT_PCPI_AES_H

#ifdef PCPI_DOUBLE
#define mix_column library_mix_column
#define inv_mix_column library_inv_mix_column
#define transposed_mix library_transposed_mix
#define transposed_inv_mix library_transposed_inv_mix
#endif
#ifdef PCPI_SUB
#define columns_gather library_columns_gather
#define columns_gather_back library_columns_gather_back
#define transposed_sub_shift library_transposed_sub_shift
#define transposed_inv_sub_shift library_transposed_inv_sub_shift
#endif
#include "parts/steps/columns.h"
#include "parts/steps/field.h"
#include "parts/steps/transposed.h"
#undef mix_column
#undef inv_mix_column
#undef transposed_mix
#undef transposed_inv_mix
#undef columns_gather
#undef columns_gather_back
#undef transposed_sub_shift
#undef transposed_inv_sub_shift

/* ------------------------------------------------------------------------ double and add */

#ifdef PCPI_DOUBLE

/* 2 x + y, byte by byte. */
AESFIT_INLINE uint32_t pcpi_double(uint32_t x, uint32_t y)
{
    uint32_t z;
    __asm__(".insn r CUSTOM_1, 0, 0, %0, %1, %2" : "=r"(z) : "r"(x), "r"(y));
    return z;
}

/* 2 XOR, 1 instruction, 2 rotations. */
AESFIT_INLINE uint32_t mix_column(uint32_t x)
{
    uint32_t next = rotl32(x, 24), sum = x ^ next;
    return pcpi_double(sum, next) ^ rotl32(sum, 16);
}

/* 3 XOR, 3 instructions, 3 rotations. */
AESFIT_INLINE uint32_t inv_mix_column(uint32_t x)
{
    uint32_t twice = pcpi_double(x ^ rotl32(x, 16), 0);
    return mix_column(pcpi_double(twice, x));
}

/* 8 XOR, 4 instructions. */
AESFIT_INLINE transposed_rows transposed_mix(transposed_rows x)
{
    uint32_t a = x.r0 ^ x.r1, c = x.r2 ^ x.r3;
    transposed_rows y;
    y.r0 = pcpi_double(a, x.r1 ^ c);
    y.r1 = pcpi_double(x.r1 ^ x.r2, x.r0 ^ c);
    y.r2 = pcpi_double(c, x.r3 ^ a);
    y.r3 = pcpi_double(x.r3 ^ x.r0, x.r2 ^ a);
    return y;
}

/* Row r: the others + 2 (x_r + x_(r+1) + 2 (x_r + x_(r+2) + 2 (all))).  11 XOR, 10 instructions. */
AESFIT_INLINE transposed_rows transposed_inv_mix(transposed_rows x)
{
    uint32_t even = x.r0 ^ x.r2, odd = x.r1 ^ x.r3, all = even ^ odd;
    transposed_rows y;
    even = pcpi_double(all, even);
    odd = pcpi_double(all, odd);
    y.r0 = pcpi_double(pcpi_double(even, x.r0 ^ x.r1), all ^ x.r0);
    y.r1 = pcpi_double(pcpi_double(odd, x.r1 ^ x.r2), all ^ x.r1);
    y.r2 = pcpi_double(pcpi_double(even, x.r2 ^ x.r3), all ^ x.r2);
    y.r3 = pcpi_double(pcpi_double(odd, x.r3 ^ x.r0), all ^ x.r3);
    return y;
}

#endif

/* --------------------------------------------------------------------------- S-box words */

#ifdef PCPI_SUB

/* SubBytes, or its inverse, of the upper half of `high` over the lower half of `low`, rotated right
 * by so many bytes. */
#define PCPI_SUBSTITUTED(funct3, low, high, by)                                                    \
    (__extension__({                                                                               \
        uint32_t pcpi_z;                                                                           \
        __asm__(".insn r CUSTOM_1, " #funct3 ", " #by ", %0, %1, %2"                               \
                : "=r"(pcpi_z)                                                                     \
                : "r"(low), "r"(high));                                                            \
        pcpi_z;                                                                                    \
    }))

/* 4 instructions. */
AESFIT_INLINE transposed_rows transposed_sub_shift(transposed_rows s)
{
    s.r0 = PCPI_SUBSTITUTED(1, s.r0, s.r0, 0);
    s.r1 = PCPI_SUBSTITUTED(1, s.r1, s.r1, 1);
    s.r2 = PCPI_SUBSTITUTED(1, s.r2, s.r2, 2);
    s.r3 = PCPI_SUBSTITUTED(1, s.r3, s.r3, 3);
    return s;
}

AESFIT_INLINE transposed_rows transposed_inv_sub_shift(transposed_rows s)
{
    s.r0 = PCPI_SUBSTITUTED(2, s.r0, s.r0, 0);
    s.r1 = PCPI_SUBSTITUTED(2, s.r1, s.r1, 3);
    s.r2 = PCPI_SUBSTITUTED(2, s.r2, s.r2, 2);
    s.r3 = PCPI_SUBSTITUTED(2, s.r3, s.r3, 1);
    return s;
}

/* Bytes 0 and 2 of a, 1 and 3 of b.  2 XOR, 1 AND. */
AESFIT_INLINE uint32_t pcpi_alternate(uint32_t a, uint32_t b)
{
    return ((a ^ b) & 0x00ff00ffu) ^ b;
}

/* A column of ShiftRows has halves of two of four words in which two neighbours alternate.
 * 8 XOR, 4 AND, 4 instructions. */
AESFIT_INLINE columns columns_gather(columns s, columns_gathering *f)
{
    uint32_t a = pcpi_alternate(s.c0, s.c1), b = pcpi_alternate(s.c1, s.c2);
    uint32_t c = pcpi_alternate(s.c2, s.c3), d = pcpi_alternate(s.c3, s.c0);
    (void)f;
    s.c0 = PCPI_SUBSTITUTED(1, a, c, 0);
    s.c1 = PCPI_SUBSTITUTED(1, b, d, 0);
    s.c2 = PCPI_SUBSTITUTED(1, c, a, 0);
    s.c3 = PCPI_SUBSTITUTED(1, d, b, 0);
    return s;
}

AESFIT_INLINE columns columns_gather_back(columns s, columns_gathering *f)
{
    uint32_t a = pcpi_alternate(s.c0, s.c3), b = pcpi_alternate(s.c1, s.c0);
    uint32_t c = pcpi_alternate(s.c2, s.c1), d = pcpi_alternate(s.c3, s.c2);
    (void)f;
    s.c0 = PCPI_SUBSTITUTED(2, a, c, 0);
    s.c1 = PCPI_SUBSTITUTED(2, b, d, 0);
    s.c2 = PCPI_SUBSTITUTED(2, c, a, 0);
    s.c3 = PCPI_SUBSTITUTED(2, d, b, 0);
    return s;
}

#endif

#endif
