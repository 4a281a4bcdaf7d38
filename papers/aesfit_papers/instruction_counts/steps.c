/* SPDX-License-Identifier: MIT */
/* Single steps of a block as functions, so that each can be run and counted by itself: the
 * library's own inline functions, and the forms that Bertoni et al., CHES 2002, print or describe.
 *
 * Each works in place on the words it is handed: it loads four (or eight), does the step, stores
 * four.  STEP_KEEP keeps sums in the order in which they are written and moves nothing across it,
 * so that the difference to a step that does nothing is the step. */
#include "parts/steps/columns.h"
#include "parts/steps/columns_printed.h"
#include "parts/steps/field.h"
#include "parts/steps/transposed.h"
#include "parts/steps/transposed_printed.h"

#define STEP __attribute__((externally_visible, noinline)) void
#define STEP_KEEP(x) __asm__ volatile("" : "+r"(x))

AESFIT_INLINE transposed_rows step_get(const uint32_t *s)
{
    transposed_rows x = {s[0], s[1], s[2], s[3]};
    STEP_KEEP(x.r0);
    STEP_KEEP(x.r1);
    STEP_KEEP(x.r2);
    STEP_KEEP(x.r3);
    return x;
}

AESFIT_INLINE void step_put(uint32_t *s, transposed_rows x)
{
    STEP_KEEP(x.r0);
    STEP_KEEP(x.r1);
    STEP_KEEP(x.r2);
    STEP_KEEP(x.r3);
    s[0] = x.r0;
    s[1] = x.r1;
    s[2] = x.r2;
    s[3] = x.r3;
}

/* ------------------------------------------------- what the others are compared with */

STEP step_none(uint32_t *s)
{
    step_put(s, step_get(s));
}

/* Four doublings. */
STEP step_doublings(uint32_t *s)
{
    transposed_rows x = step_get(s);
    x.r0 = printed_twice(x.r0);
    x.r1 = printed_twice(x.r1);
    x.r2 = printed_twice(x.r2);
    x.r3 = printed_twice(x.r3);
    step_put(s, x);
}

/* Four rotations. */
STEP step_rotations(uint32_t *s)
{
    transposed_rows x = step_get(s);
    x.r0 = rotl32(x.r0, 24);
    x.r1 = rotl32(x.r1, 16);
    x.r2 = rotl32(x.r2, 8);
    x.r3 = rotl32(x.r3, 24);
    step_put(s, x);
}

/* ------------------------------------------------------------------- the library's own */

STEP step_mix_transposed(uint32_t *s)
{
    step_put(s, transposed_mix(step_get(s)));
}

STEP step_inv_mix_transposed(uint32_t *s)
{
    step_put(s, transposed_inv_mix(step_get(s)));
}

AESFIT_INLINE void step_columns(uint32_t *s, columns_function *f)
{
    transposed_rows x = step_get(s);
    columns y = {x.r0, x.r1, x.r2, x.r3};
    y = columns_map(y, f);
    transposed_rows z = {y.c0, y.c1, y.c2, y.c3};
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

STEP step_table1_first(uint32_t *s)
{
    step_put(s, printed_first(step_get(s)));
}

STEP step_table1_second(uint32_t *s)
{
    step_put(s, printed_second(step_get(s)));
}

/* s: y, then x. */
STEP step_table1_third(uint32_t *s)
{
    transposed_rows x = step_get(s + 4);
    step_put(s, printed_third(step_get(s), x));
}

/* Eight words loaded and four stored: what the third step is compared with. */
STEP step_none_of_eight(uint32_t *s)
{
    transposed_rows x = step_get(s + 4);
    step_put(s, step_get(s));
    STEP_KEEP(x.r0);
    STEP_KEEP(x.r1);
    STEP_KEEP(x.r2);
    STEP_KEEP(x.r3);
}

STEP step_mix_transposed_printed(uint32_t *s)
{
    step_put(s, printed_mix(step_get(s)));
}

STEP step_inv_mix_transposed_printed(uint32_t *s)
{
    step_put(s, printed_inv_mix(step_get(s)));
}

STEP step_mix_columns_printed(uint32_t *s)
{
    step_columns(s, printed_mix_column);
}

STEP step_inv_mix_columns_printed(uint32_t *s)
{
    step_columns(s, printed_inv_mix_column);
}

/* --------------------------------------------------------------------- transposition */

STEP step_transpose(uint32_t *s)
{
    step_put(s, printed_transpose(step_get(s)));
}

/* All round keys of a finished schedule, in place. */
STEP step_transpose_keys(uint32_t *w, unsigned rounds)
{
    for (const uint32_t *end = w + 4 * (rounds + 1); w != end; w += 4)
        step_put(w, printed_transpose(step_get(w)));
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
