/* SPDX-License-Identifier: MIT */
/* SubBytes and ShiftRows of four columns for Cortex-M4 and M33, as one piece of assembly, because
 * the order and the width of its instructions decide its cycles: loads follow one another without a
 * gap (4, 4, then 8), no address is made just before it is used, and all instructions have 32 bits
 * and begin at a word, since three that straddle words after a load cost a cycle.
 *
 * Elsewhere, and where reads are counted, the same in C. */
#ifndef AESFIT_STEPS_COLUMNS_DSP_H
#define AESFIT_STEPS_COLUMNS_DSP_H

#include "columns.h"
#include "field_dsp.h"
#include "sub_word.h"

#if AESFIT_DSP && AESFIT_LONG_ASSEMBLY && !defined(AESFIT_COUNT_READS)

/* Bytes 0 to 3 of the words a, b, c, d; four bytes looked up; the word of four bytes. */
#define COLUMNS_DSP_BYTES(w, x, y, z, a, b, c, d)                                                  \
    "uxtb.w " w ", " a "\n\tubfx " x ", " b ", #8, #8\n\t"                                         \
    "ubfx " y ", " c ", #16, #8\n\tlsr.w " z ", " d ", #24\n\t"
#define COLUMNS_DSP_READ(w, x, y, z)                                                               \
    "ldrb.w " w ", [%[t], " w "]\n\tldrb.w " x ", [%[t], " x "]\n\t"                               \
    "ldrb.w " y ", [%[t], " y "]\n\tldrb.w " z ", [%[t], " z "]\n\t"
#define COLUMNS_DSP_PACK(word, w, x, y, z)                                                         \
    "orr.w " word ", " w ", " x ", lsl #8\n\torr.w " word ", " word ", " y ", lsl #16\n\t"         \
    "orr.w " word ", " word ", " z ", lsl #24\n\t"

/* columns_gather() of s0 to s3, which are lost, with a table of bytes t: into t0, t1, t2 and z. */
/* clang-format off */
#define COLUMNS_DSP_GATHER                                                                         \
    ".p2align 2\n\t"                                                                               \
    COLUMNS_DSP_BYTES("%[t0]", "%[t1]", "%[t2]", "%[x]", "%[s0]", "%[s1]", "%[s2]", "%[s3]")       \
    COLUMNS_DSP_READ("%[t0]", "%[t1]", "%[t2]", "%[x]")                                            \
    COLUMNS_DSP_PACK("%[t0]", "%[t0]", "%[t1]", "%[t2]", "%[x]")                                   \
    COLUMNS_DSP_BYTES("%[t1]", "%[t2]", "%[x]", "%[y]", "%[s1]", "%[s2]", "%[s3]", "%[s0]")        \
    COLUMNS_DSP_READ("%[t1]", "%[t2]", "%[x]", "%[y]")                                             \
    COLUMNS_DSP_PACK("%[t1]", "%[t1]", "%[t2]", "%[x]", "%[y]")                                    \
    COLUMNS_DSP_BYTES("%[t2]", "%[x]", "%[y]", "%[z]", "%[s2]", "%[s3]", "%[s0]", "%[s1]")         \
    COLUMNS_DSP_BYTES("%[s3]", "%[s0]", "%[s1]", "%[s2]", "%[s3]", "%[s0]", "%[s1]", "%[s2]")      \
    COLUMNS_DSP_READ("%[t2]", "%[x]", "%[y]", "%[z]")                                              \
    COLUMNS_DSP_READ("%[s3]", "%[s0]", "%[s1]", "%[s2]")                                           \
    COLUMNS_DSP_PACK("%[t2]", "%[t2]", "%[x]", "%[y]", "%[z]")                                     \
    COLUMNS_DSP_PACK("%[z]", "%[s3]", "%[s0]", "%[s1]", "%[s2]")
/* clang-format on */

/* mix_column() of the word `in`. */
#define COLUMNS_DSP_MIX(out, in)                                                                   \
    "eor.w %[x], " in ", " in ", ror #8\n\tuadd8 %[y], %[x], %[x]\n\t"                             \
    "eor.w " out ", %[y], #0x1b1b1b1b\n\tsel %[y], " out ", %[y]\n\t"                              \
    "eor.w %[y], %[y], " in ", ror #8\n\teor.w " out ", %[y], %[x], ror #16\n\t"

/* Four words of a round key into t0, t1, t2, z, and added to s0 to s3. */
#define COLUMNS_DSP_ADD                                                                            \
    "ldr.w %[t0], [%[k]]\n\tldr.w %[t1], [%[k], #4]\n\t"                                           \
    "ldr.w %[t2], [%[k], #8]\n\tldr.w %[z], [%[k], #12]\n\t"                                       \
    "eor.w %[s0], %[s0], %[t0]\n\teor.w %[s1], %[s1], %[t1]\n\t"                                   \
    "eor.w %[s2], %[s2], %[t2]\n\teor.w %[s3], %[s3], %[z]"

/* The same, and k moves on by a round key: a load that does so costs nothing more. */
#define COLUMNS_DSP_ADD_NEXT                                                                       \
    "ldr.w %[t1], [%[k], #4]\n\tldr.w %[t2], [%[k], #8]\n\t"                                       \
    "ldr.w %[z], [%[k], #12]\n\tldr.w %[t0], [%[k]], #16\n\t"                                      \
    "eor.w %[s0], %[s0], %[t0]\n\teor.w %[s1], %[s1], %[t1]\n\t"                                   \
    "eor.w %[s2], %[s2], %[t2]\n\teor.w %[s3], %[s3], %[z]"

/* Operands of all of them. */
#define COLUMNS_DSP_STATE                                                                          \
    [s0] "+r"(s.c0), [s1] "+r"(s.c1), [s2] "+r"(s.c2), [s3] "+r"(s.c3), [t0] "=&r"(t0),            \
        [t1] "=&r"(t1), [t2] "=&r"(t2), [z] "=&r"(z)

AESFIT_INLINE columns columns_dsp_gather(columns s, const uint8_t *table)
{
    uint32_t t0, t1, t2, x, y, z;
    __asm__(COLUMNS_DSP_GATHER
            : COLUMNS_DSP_STATE, [x] "=&r"(x), [y] "=&r"(y)
            : [t] "r"(table), "m"(*(const uint8_t(*)[256])table));
    s.c0 = t0;
    s.c1 = t1;
    s.c2 = t2;
    s.c3 = z;
    return s;
}

/* Adds a round key. */
AESFIT_INLINE columns columns_dsp_add(columns s, const uint32_t *k)
{
    uint32_t t0, t1, t2, z;
    __asm__(".p2align 2\n\t" COLUMNS_DSP_ADD:COLUMNS_DSP_STATE
            : [k] "r"(k), "m"(*(const uint32_t(*)[4])k));
    return s;
}

/* A middle round to encrypt; *key moves on by a round key. */
AESFIT_INLINE columns columns_dsp_round(columns s, const uint32_t **key)
{
    const uint32_t *k = *key;
    uint32_t t0, t1, t2, x, y, z;
    __asm__(COLUMNS_DSP_GATHER COLUMNS_DSP_MIX("%[s0]", "%[t0]") COLUMNS_DSP_MIX("%[s1]", "%[t1]")
                COLUMNS_DSP_MIX("%[s2]", "%[t2]") COLUMNS_DSP_MIX("%[s3]", "%[z]")
                    COLUMNS_DSP_ADD_NEXT
            : COLUMNS_DSP_STATE, [x] "=&r"(x), [y] "=&r"(y), [k] "+r"(k)
            : [t] "r"(sbox), "m"(sbox), "m"(*(const uint32_t(*)[4]) * key)
            : "cc");
    *key = k;
    return s;
}

#undef COLUMNS_DSP_BYTES
#undef COLUMNS_DSP_READ
#undef COLUMNS_DSP_PACK
#undef COLUMNS_DSP_GATHER
#undef COLUMNS_DSP_MIX
#undef COLUMNS_DSP_ADD
#undef COLUMNS_DSP_ADD_NEXT
#undef COLUMNS_DSP_STATE

AESFIT_INLINE columns columns_dsp_sub_shift(columns s)
{
    return columns_dsp_gather(s, sbox);
}

/* Backwards the columns follow one another from the right. */
AESFIT_INLINE columns columns_dsp_swap(columns s)
{
    uint32_t c1 = s.c1;
    s.c1 = s.c3;
    s.c3 = c1;
    return s;
}

AESFIT_INLINE columns columns_dsp_inv_sub_shift(columns s)
{
    return columns_dsp_swap(columns_dsp_gather(columns_dsp_swap(s), inv_sbox));
}

#else

AESFIT_INLINE columns columns_dsp_add(columns s, const uint32_t *k)
{
    return columns_add(s, columns_get(k));
}

AESFIT_INLINE columns columns_dsp_sub_shift(columns s)
{
    return columns_gather(s, sub_column);
}

AESFIT_INLINE columns columns_dsp_round(columns s, const uint32_t **key)
{
    s = columns_add(columns_map(columns_dsp_sub_shift(s), mix_column_dsp), columns_get(*key));
    *key += 4;
    return s;
}

AESFIT_INLINE columns columns_dsp_inv_sub_shift(columns s)
{
    return columns_gather_back(s, inv_sub_column);
}

#endif
#endif
