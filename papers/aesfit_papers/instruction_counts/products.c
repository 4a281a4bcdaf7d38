/* SPDX-License-Identifier: MIT */
/* MixColumns and InvMixColumns with the products of the field made in three ways, in three forms.
 *
 * Doomun et al., AES-CBC Software Execution Optimization, speak of a function mul() that "was
 * implementing a look-up table" (section 5), of six tables of 256 products in place of a
 * "straightforward implementation of the multiplication" (section 4), and print the code of no
 * MixColumns.  Their other samples are the loops of the reference code of Rijndael (Rijmen and
 * Barreto), whose mul() adds logarithms from tables.
 *
 * table: one of six tables of 256 products; logs: mul() by tables of logarithms and their inverse,
 * which products.py writes before this text; shifts: mul() bit by bit (FIPS 197, 4.2.1).
 * plain: loops over rows and columns that call mul(); inner: the inner loops are written out;
 * whole: the outer ones too; inlined: with the code of mul() in the place of each call.
 *
 * The state is that of bytewise_plain.h, and each function works on it in place. */
#include "parts/steps/bytewise_plain.h"

#define PRODUCTS_KEPT __attribute__((externally_visible, noinline)) void
#define PRODUCTS_CALLED __attribute__((noinline)) static uint8_t
#define PRODUCTS_INLINED __attribute__((always_inline)) static inline uint8_t

PRODUCTS_INLINED logs_inlined(uint8_t a, uint8_t x)
{
    if (a != 0 && x != 0)
        return products_power[(products_log[a] + products_log[x]) % 255];
    return 0;
}

PRODUCTS_CALLED logs_called(uint8_t a, uint8_t x)
{
    return logs_inlined(a, x);
}

PRODUCTS_INLINED shifts_inlined(uint8_t a, uint8_t x)
{
    uint8_t sum = 0;
    for (; a != 0; a >>= 1) {
        if ((a & 1) != 0)
            sum = (uint8_t)(sum ^ x);
        x = (uint8_t)(x << 1 ^ ((x & 0x80) != 0 ? 0x1b : 0));
    }
    return sum;
}

PRODUCTS_CALLED shifts_called(uint8_t a, uint8_t x)
{
    return shifts_inlined(a, x);
}

/* MUL(constant, byte), by way and whether it is called or inlined. */
#define MUL_table_called(a, x) PRODUCTS_TABLE_##a[x]
#define MUL_logs_called(a, x) logs_called(a, x)
#define MUL_logs_inlined(a, x) logs_inlined(a, x)
#define MUL_shifts_called(a, x) shifts_called(a, x)
#define MUL_shifts_inlined(a, x) shifts_inlined(a, x)
#define PRODUCTS_TABLE_0x02 mul2
#define PRODUCTS_TABLE_0x03 mul3
#define PRODUCTS_TABLE_0x09 mul9
#define PRODUCTS_TABLE_0x0b mulb
#define PRODUCTS_TABLE_0x0d muld
#define PRODUCTS_TABLE_0x0e mule

/* One byte of the result, from row i on. */
#define PRODUCTS_MIX(MUL, a, b, c, d) ((uint8_t)(MUL(0x02, a) ^ MUL(0x03, b) ^ (c) ^ (d)))
#define PRODUCTS_INV_MIX(MUL, a, b, c, d)                                                          \
    ((uint8_t)(MUL(0x0e, a) ^ MUL(0x0b, b) ^ MUL(0x0d, c) ^ MUL(0x09, d)))

#define PRODUCTS_BYTE(SUM, MUL, s, i, j)                                                           \
    SUM(MUL, (s)->a[i][j], (s)->a[((i) + 1) % 4][j], (s)->a[((i) + 2) % 4][j],                     \
        (s)->a[((i) + 3) % 4][j])

#define PRODUCTS_PLAIN(SUM, MUL, s)                                                                \
    do {                                                                                           \
        for (int j = 0; j < 4; j++)                                                                \
            for (int i = 0; i < 4; i++)                                                            \
                (s)->tmp[i][j] = PRODUCTS_BYTE(SUM, MUL, s, i, j);                                 \
        for (int i = 0; i < 4; i++)                                                                \
            for (int j = 0; j < 4; j++)                                                            \
                (s)->a[i][j] = (s)->tmp[i][j];                                                     \
    } while (0)

#define PRODUCTS_COLUMN(SUM, MUL, s, j)                                                            \
    do {                                                                                           \
        (s)->tmp[0][j] = PRODUCTS_BYTE(SUM, MUL, s, 0, j);                                         \
        (s)->tmp[1][j] = PRODUCTS_BYTE(SUM, MUL, s, 1, j);                                         \
        (s)->tmp[2][j] = PRODUCTS_BYTE(SUM, MUL, s, 2, j);                                         \
        (s)->tmp[3][j] = PRODUCTS_BYTE(SUM, MUL, s, 3, j);                                         \
    } while (0)

#define PRODUCTS_COPY(s, i)                                                                        \
    do {                                                                                           \
        (s)->a[i][0] = (s)->tmp[i][0];                                                             \
        (s)->a[i][1] = (s)->tmp[i][1];                                                             \
        (s)->a[i][2] = (s)->tmp[i][2];                                                             \
        (s)->a[i][3] = (s)->tmp[i][3];                                                             \
    } while (0)

#define PRODUCTS_INNER(SUM, MUL, s)                                                                \
    do {                                                                                           \
        for (int j = 0; j < 4; j++)                                                                \
            PRODUCTS_COLUMN(SUM, MUL, s, j);                                                       \
        for (int i = 0; i < 4; i++)                                                                \
            PRODUCTS_COPY(s, i);                                                                   \
    } while (0)

#define PRODUCTS_WHOLE(SUM, MUL, s)                                                                \
    do {                                                                                           \
        PRODUCTS_COLUMN(SUM, MUL, s, 0);                                                           \
        PRODUCTS_COLUMN(SUM, MUL, s, 1);                                                           \
        PRODUCTS_COLUMN(SUM, MUL, s, 2);                                                           \
        PRODUCTS_COLUMN(SUM, MUL, s, 3);                                                           \
        PRODUCTS_COPY(s, 0);                                                                       \
        PRODUCTS_COPY(s, 1);                                                                       \
        PRODUCTS_COPY(s, 2);                                                                       \
        PRODUCTS_COPY(s, 3);                                                                       \
    } while (0)

typedef void products_function(bytewise_state *s);

/* Both directions in each form, with the products of one way. */
#define PRODUCTS_FORM(way, form, FORM, MUL)                                                        \
    PRODUCTS_KEPT way##_##form##_mix(bytewise_state *s)                                            \
    {                                                                                              \
        FORM(PRODUCTS_MIX, MUL, s);                                                                \
    }                                                                                              \
    PRODUCTS_KEPT way##_##form##_inv_mix(bytewise_state *s)                                        \
    {                                                                                              \
        FORM(PRODUCTS_INV_MIX, MUL, s);                                                            \
    }

#define PRODUCTS_CALLING(way)                                                                      \
    PRODUCTS_FORM(way, plain, PRODUCTS_PLAIN, MUL_##way##_called)                                  \
    PRODUCTS_FORM(way, inner, PRODUCTS_INNER, MUL_##way##_called)                                  \
    PRODUCTS_FORM(way, whole, PRODUCTS_WHOLE, MUL_##way##_called)

#define PRODUCTS_INLINING(way)                                                                     \
    PRODUCTS_FORM(way, inner_inlined, PRODUCTS_INNER, MUL_##way##_inlined)                         \
    PRODUCTS_FORM(way, whole_inlined, PRODUCTS_WHOLE, MUL_##way##_inlined)

/* clang-format off: it takes calls of macros without semicolons for declarations */
PRODUCTS_CALLING(table)
PRODUCTS_CALLING(logs)
PRODUCTS_CALLING(shifts)
PRODUCTS_INLINING(logs)
PRODUCTS_INLINING(shifts)
/* clang-format on */

/* All of them, so that one image holds them. */
__attribute__((externally_visible)) products_function *products_named(unsigned n)
{
    static products_function *const every[] = {
        table_plain_mix,          table_plain_inv_mix,
        table_inner_mix,          table_inner_inv_mix,
        table_whole_mix,          table_whole_inv_mix,
        logs_plain_mix,           logs_plain_inv_mix,
        logs_inner_mix,           logs_inner_inv_mix,
        logs_whole_mix,           logs_whole_inv_mix,
        shifts_plain_mix,         shifts_plain_inv_mix,
        shifts_inner_mix,         shifts_inner_inv_mix,
        shifts_whole_mix,         shifts_whole_inv_mix,
        logs_inner_inlined_mix,   logs_inner_inlined_inv_mix,
        logs_whole_inlined_mix,   logs_whole_inlined_inv_mix,
        shifts_inner_inlined_mix, shifts_inner_inlined_inv_mix,
        shifts_whole_inlined_mix, shifts_whole_inlined_inv_mix,
    };
    return every[n];
}
