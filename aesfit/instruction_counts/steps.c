/* SPDX-License-Identifier: MIT */
/* Single steps of a block as functions, so that each can be run and counted by itself: the
 * library's own inline functions, and the forms that Bertoni et al., CHES 2002, print or describe.
 *
 * Each works in place on the words it is handed: it loads four (or eight), does the step, stores
 * four.  STEP_KEEP keeps sums in the order in which they are written and moves nothing across it,
 * so that the difference to a step that does nothing is the step. */
#include "parts/steps/columns.h"
#include "parts/steps/field.h"
#include "parts/steps/transposed.h"

#define STEP __attribute__((externally_visible, noinline)) void
#define STEP_KEEP(x) __asm__ volatile("" : "+r"(x))

typedef struct step_words {
    uint32_t a, b, c, d;
} step_words;

AESFIT_INLINE step_words step_get(const uint32_t *s)
{
    step_words x = {s[0], s[1], s[2], s[3]};
    STEP_KEEP(x.a);
    STEP_KEEP(x.b);
    STEP_KEEP(x.c);
    STEP_KEEP(x.d);
    return x;
}

AESFIT_INLINE void step_put(uint32_t *s, step_words x)
{
    STEP_KEEP(x.a);
    STEP_KEEP(x.b);
    STEP_KEEP(x.c);
    STEP_KEEP(x.d);
    s[0] = x.a;
    s[1] = x.b;
    s[2] = x.c;
    s[3] = x.d;
}

/* x + y, made here and nowhere else. */
AESFIT_INLINE uint32_t step_sum(uint32_t x, uint32_t y)
{
    x ^= y;
    STEP_KEEP(x);
    return x;
}

AESFIT_INLINE uint32_t step_twice(uint32_t x)
{
    x = xtime4(x);
    STEP_KEEP(x);
    return x;
}

/* ------------------------------------------------- what the others are compared with */

STEP step_none(uint32_t *s)
{
    step_put(s, step_get(s));
}

/* Four doublings. */
STEP step_doublings(uint32_t *s)
{
    step_words x = step_get(s);
    x.a = step_twice(x.a);
    x.b = step_twice(x.b);
    x.c = step_twice(x.c);
    x.d = step_twice(x.d);
    step_put(s, x);
}

/* Four rotations. */
STEP step_rotations(uint32_t *s)
{
    step_words x = step_get(s);
    x.a = rotl32(x.a, 24);
    x.b = rotl32(x.b, 16);
    x.c = rotl32(x.c, 8);
    x.d = rotl32(x.d, 24);
    step_put(s, x);
}

/* ------------------------------------------------------------------- the library's own */

AESFIT_INLINE transposed_rows step_rows(const uint32_t *s)
{
    step_words x = step_get(s);
    transposed_rows rows = {x.a, x.b, x.c, x.d};
    return rows;
}

AESFIT_INLINE void step_put_rows(uint32_t *s, transposed_rows y)
{
    step_words x = {y.r0, y.r1, y.r2, y.r3};
    step_put(s, x);
}

STEP step_mix_transposed(uint32_t *s)
{
    step_put_rows(s, transposed_mix(step_rows(s)));
}

STEP step_inv_mix_transposed(uint32_t *s)
{
    step_put_rows(s, transposed_inv_mix(step_rows(s)));
}

AESFIT_INLINE void step_columns(uint32_t *s, columns_function *f)
{
    step_words x = step_get(s);
    columns y = {x.a, x.b, x.c, x.d};
    y = columns_map(y, f);
    step_words z = {y.c0, y.c1, y.c2, y.c3};
    step_put(s, z);
}

STEP step_mix_columns(uint32_t *s)
{
    step_columns(s, mix_column);
}

STEP step_inv_mix_columns(uint32_t *s)
{
    step_columns(s, inv_mix_column);
}

/* ---------------------------------------------------- MixColumns as the paper has it */

/* Table 1: sums, doublings, sums.  No two of the first have a pair of terms in common, as printed:
 * a compiler that finds one saves a sum. */
AESFIT_INLINE step_words step_first(step_words x)
{
    step_words y;
    y.a = step_sum(step_sum(x.b, x.c), x.d);
    y.b = step_sum(step_sum(x.c, x.d), x.a);
    y.c = step_sum(step_sum(x.d, x.a), x.b);
    y.d = step_sum(step_sum(x.a, x.b), x.c);
    return y;
}

AESFIT_INLINE step_words step_second(step_words x)
{
    x.a = step_twice(x.a);
    x.b = step_twice(x.b);
    x.c = step_twice(x.c);
    x.d = step_twice(x.d);
    return x;
}

AESFIT_INLINE step_words step_third(step_words y, step_words x)
{
    y.a = step_sum(step_sum(y.a, x.a), x.b);
    y.b = step_sum(step_sum(y.b, x.b), x.c);
    y.c = step_sum(step_sum(y.c, x.c), x.d);
    y.d = step_sum(step_sum(y.d, x.a), x.d);
    return y;
}

STEP step_table1_first(uint32_t *s)
{
    step_put(s, step_first(step_get(s)));
}

STEP step_table1_second(uint32_t *s)
{
    step_put(s, step_second(step_get(s)));
}

/* s: y, then x. */
STEP step_table1_third(uint32_t *s)
{
    step_words x = step_get(s + 4);
    step_put(s, step_third(step_get(s), x));
}

/* Eight words loaded and four stored: what the third step is compared with. */
STEP step_none_of_eight(uint32_t *s)
{
    step_words x = step_get(s + 4);
    step_put(s, step_get(s));
    STEP_KEEP(x.a);
    STEP_KEEP(x.b);
    STEP_KEEP(x.c);
    STEP_KEEP(x.d);
}

STEP step_mix_transposed_printed(uint32_t *s)
{
    step_words x = step_get(s), y = step_first(x);
    step_put(s, step_third(y, step_second(x)));
}

/* Section 3.1, the text below table 1: 1, 2, 4 and 8 times, the last two of sums. */
STEP step_inv_mix_transposed_printed(uint32_t *s)
{
    step_words x = step_get(s), y = step_first(x);
    x = step_second(x);
    y = step_third(y, x);
    uint32_t even = step_twice(step_sum(x.a, x.c)), odd = step_twice(step_sum(x.b, x.d));
    y.a = step_sum(y.a, even);
    y.b = step_sum(y.b, odd);
    y.c = step_sum(y.c, even);
    y.d = step_sum(y.d, odd);
    even = step_twice(step_sum(even, odd));
    y.a = step_sum(y.a, even);
    y.b = step_sum(y.b, even);
    y.c = step_sum(y.c, even);
    y.d = step_sum(y.d, even);
    step_put(s, y);
}

/* Section 4: four sums, one doubling, three rotations a column. */
AESFIT_INLINE uint32_t step_mix_column_printed(uint32_t x)
{
    uint32_t twice = step_twice(x), y = step_sum(x, twice);
    y = step_sum(twice, rotl32(y, 24));
    y = step_sum(y, rotl32(x, 16));
    return step_sum(y, rotl32(x, 8));
}

/* Section 4: eight sums, three doublings, three rotations and four temporaries a column. */
AESFIT_INLINE uint32_t step_inv_mix_column_printed(uint32_t x)
{
    uint32_t by2 = step_twice(x), by4 = step_twice(by2), by8 = step_twice(by4);
    uint32_t by9 = step_sum(by8, x), y = step_sum(step_sum(by2, by4), by8);
    y = step_sum(y, rotl32(step_sum(by2, by9), 24));
    y = step_sum(y, rotl32(step_sum(by4, by9), 16));
    return step_sum(y, rotl32(by9, 8));
}

STEP step_mix_columns_printed(uint32_t *s)
{
    step_columns(s, step_mix_column_printed);
}

STEP step_inv_mix_columns_printed(uint32_t *s)
{
    step_columns(s, step_inv_mix_column_printed);
}

/* --------------------------------------------------------------------- transposition */

/* The part of b that `mask` covers changes places with that of a, `by` bits higher. */
#define STEP_SWAP(a, b, by, mask)                                                                  \
    do {                                                                                           \
        uint32_t differ = ((a) >> (by) ^ (b)) & (mask);                                            \
        (b) ^= differ;                                                                             \
        (a) ^= differ << (by);                                                                     \
    } while (0)

/* Of four by four bytes: first inside blocks of two by two, then these. */
AESFIT_INLINE step_words step_transposed(step_words x)
{
    uint32_t bytes = 0x00ff00ffu, halves = 0x0000ffffu;
    STEP_SWAP(x.a, x.b, 8, bytes);
    STEP_SWAP(x.c, x.d, 8, bytes);
    STEP_SWAP(x.a, x.c, 16, halves);
    STEP_SWAP(x.b, x.d, 16, halves);
    return x;
}

STEP step_transpose(uint32_t *s)
{
    step_put(s, step_transposed(step_get(s)));
}

/* All round keys of a finished schedule, in place. */
STEP step_transpose_keys(uint32_t *w, unsigned rounds)
{
    for (const uint32_t *end = w + 4 * (rounds + 1); w != end; w += 4)
        step_put(w, step_transposed(step_get(w)));
}

/* A block from bytes at any address to words and back, as the cores do it; s: words, then bytes. */
AESFIT_INLINE uint8_t *step_bytes(uint32_t *s)
{
    uint8_t *p = (uint8_t *)(s + 4);
    STEP_KEEP(p);
    return p;
}

STEP step_load_columns(uint32_t *s)
{
    columns x = columns_load(step_bytes(s));
    columns_put(s, x);
}

STEP step_load_transposed(uint32_t *s)
{
    transposed_rows x = transposed_load(step_bytes(s));
    transposed_put(s, x);
}

STEP step_store_columns(uint32_t *s)
{
    columns x = columns_get(s);
    columns_store(step_bytes(s), x);
}

STEP step_store_transposed(uint32_t *s)
{
    transposed_rows x = transposed_get(s);
    transposed_store(step_bytes(s), x);
}

typedef void step_function(uint32_t *s);

/* All of them, so that one image holds them. */
__attribute__((externally_visible)) step_function *step_named(unsigned n)
{
    static step_function *const every[] = {
        step_none,
        step_doublings,
        step_rotations,
        step_none_of_eight,
        step_mix_transposed,
        step_inv_mix_transposed,
        step_mix_columns,
        step_inv_mix_columns,
        step_table1_first,
        step_table1_second,
        step_table1_third,
        step_mix_transposed_printed,
        step_inv_mix_transposed_printed,
        step_mix_columns_printed,
        step_inv_mix_columns_printed,
        step_transpose,
        step_load_columns,
        step_load_transposed,
        step_store_columns,
        step_store_transposed,
        (step_function *)(void *)step_transpose_keys,
    };
    return every[n];
}
