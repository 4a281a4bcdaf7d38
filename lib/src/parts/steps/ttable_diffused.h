/* SPDX-License-Identifier: MIT */
/* Columns from one table of 1024 words per direction: the words of the four rows of an index stand
 * side by side.  A round starts from the round key and takes one column of the state after the
 * other, each byte of which belongs to another new column: so an old column is in use only while
 * its four bytes are, and eight registers suffice. */
#ifndef AESFIT_STEPS_TTABLE_DIFFUSED_H
#define AESFIT_STEPS_TTABLE_DIFFUSED_H

#include "columns.h"
#include "read.h"
#include "../tables/td_diffused.h"
#include "../tables/te_diffused.h"

/* Byte n of x, 0 the lowest, times 16: how far into the table its four words are, in bytes. */
AESFIT_INLINE uint32_t diffused_offset(uint32_t x, unsigned n)
{
    return (n == 0 ? x << 4 : x >> (8 * n - 4)) & value_barrier(0xff0);
}

/* The word of row n there. */
#if defined(__GNUC__) && !defined(AESFIT_COUNT_READS)
#define DIFFUSED_READ(table, offset, n)                                                            \
    (__extension__({                                                                               \
        uintptr_t diffused_words = (uintptr_t)(table) + (offset);                                  \
        AESFIT_BARRIER(diffused_words); /* one address, from which the row is a constant away */   \
        (const uint32_t *)diffused_words;                                                          \
    })[n])
#else
#define DIFFUSED_READ(table, offset, n) READ(table, (offset) / 4 + (n))
#endif

/* Adds the words of rows 0 to 3 of a column x to four words of the new state.  4 reads, 4 XOR. */
#if AESFIT_LONG_ASSEMBLY && defined(__thumb__) && !defined(__thumb2__) &&                          \
    !defined(AESFIT_COUNT_READS)
/* Compilers move more between registers.  The table is constant: no memory is named as an operand,
 * which would take one more of the seven low registers that a frame pointer leaves. */
AESFIT_INLINE void diffused_add(const uint32_t *table, uint32_t x, uint32_t *t0, uint32_t *t1,
                                uint32_t *t2, uint32_t *t3)
{
    uint32_t a = *t0, b = *t1, c = *t2, d = *t3, y;
    __asm__(".syntax unified\n\t"
            "lsls %[y], %[x], #4\n\tands %[y], %[mask]\n\tadd %[y], %[table]\n\t"
            "ldr %[y], [%[y]]\n\teors %[a], %[y]\n\t"
            "lsrs %[y], %[x], #4\n\tands %[y], %[mask]\n\tadd %[y], %[table]\n\t"
            "ldr %[y], [%[y], #4]\n\teors %[b], %[y]\n\t"
            "lsrs %[y], %[x], #12\n\tands %[y], %[mask]\n\tadd %[y], %[table]\n\t"
            "ldr %[y], [%[y], #8]\n\teors %[c], %[y]\n\t"
            "lsrs %[y], %[x], #20\n\tands %[y], %[mask]\n\tadd %[y], %[table]\n\t"
            "ldr %[y], [%[y], #12]\n\teors %[d], %[y]"
            : [a] "+l"(a), [b] "+l"(b), [c] "+l"(c), [d] "+l"(d), [y] "=&l"(y)
            : [x] "l"(x), [mask] "l"(0xff0), [table] "h"(table)
            : "cc");
    *t0 = a;
    *t1 = b;
    *t2 = c;
    *t3 = d;
}
#define DIFFUSED_ADD(table, x, t0, t1, t2, t3) diffused_add(table, x, &(t0), &(t1), &(t2), &(t3))
#else
#define DIFFUSED_ADD_ROW(table, x, n, t)                                                           \
    ((t) = ordered_barrier((t) ^ DIFFUSED_READ(table, diffused_offset(x, n), n)))
#define DIFFUSED_ADD(table, x, t0, t1, t2, t3)                                                     \
    (DIFFUSED_ADD_ROW(table, x, 0, t0), DIFFUSED_ADD_ROW(table, x, 1, t1),                         \
     DIFFUSED_ADD_ROW(table, x, 2, t2), DIFFUSED_ADD_ROW(table, x, 3, t3))
#endif

/* A middle round to encrypt, and its share to decrypt, added to t.  16 reads, 16 XOR. */
AESFIT_INLINE columns diffused_round(columns s, columns t)
{
    DIFFUSED_ADD(te_diffused, s.c0, t.c0, t.c3, t.c2, t.c1);
    DIFFUSED_ADD(te_diffused, s.c1, t.c1, t.c0, t.c3, t.c2);
    DIFFUSED_ADD(te_diffused, s.c2, t.c2, t.c1, t.c0, t.c3);
    DIFFUSED_ADD(te_diffused, s.c3, t.c3, t.c2, t.c1, t.c0);
    return t;
}

AESFIT_INLINE columns diffused_round_back(columns s, columns t)
{
    DIFFUSED_ADD(td_diffused, s.c0, t.c0, t.c1, t.c2, t.c3);
    DIFFUSED_ADD(td_diffused, s.c1, t.c1, t.c2, t.c3, t.c0);
    DIFFUSED_ADD(td_diffused, s.c2, t.c2, t.c3, t.c0, t.c1);
    DIFFUSED_ADD(td_diffused, s.c3, t.c3, t.c0, t.c1, t.c2);
    return t;
}

AESFIT_INLINE columns columns_zero(void)
{
    columns s;
    s.c0 = s.c1 = s.c2 = s.c3 = 0;
    return s;
}

/* SubBytes alone.  The word of row r holds the byte itself in rows r + 1 and r + 2. */
AESFIT_INLINE uint32_t diffused_last(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = DIFFUSED_READ(te_diffused, diffused_offset(a, 0), 3) & 0xff;
    a |= DIFFUSED_READ(te_diffused, diffused_offset(b, 1), 0) & 0xff00;
    a |= DIFFUSED_READ(te_diffused, diffused_offset(c, 2), 1) & 0xff0000;
    return a | (DIFFUSED_READ(te_diffused, diffused_offset(d, 3), 2) & 0xff000000u);
}

AESFIT_INLINE uint32_t diffused_sub_word(uint32_t x, uint32_t constant)
{
    return diffused_last(x, x, x, x) ^ constant;
}

#undef DIFFUSED_READ
#undef DIFFUSED_ADD
#undef DIFFUSED_ADD_ROW

#endif
