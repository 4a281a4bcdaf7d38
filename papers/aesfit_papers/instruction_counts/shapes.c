/* SPDX-License-Identifier: MIT */
/* The functions of Doomun et al., AES-CBC Software Execution Optimization, in every shape that
 * their text allows, for the sizes of their table 2.
 *
 * Written from the paper's code samples A, B and C, from what sections 4 and 5 say of mul(), and
 * from FIPS 197.  The state is a[4][8], of which BC columns are in use, as the samples' BC and
 * shifts[BC - 4] ask for; round keys are arrays of the same kind.  A name tells function, shape and
 * form:
 *
 *   sampled   loops as the samples print them before they are modified
 *   written   the samples as modified: inner loops written out
 *   whole     all assignments written out
 *   four      columns are counted to 4 and not to BC
 *   bytes     the state is 16 bytes in a row
 *   both      one function for both directions, by a table; branched: by two pairs of loops
 *   stepped   rows are rotated a step at a time
 *   turned    a column is copied, and its bytes are written back
 *   working   round keys are filled from a working array; standard: FIPS 197's pseudocode
 * mul is a function that is called, table a read of one of six tables, logs what a mul() by
 * logarithms does, in its place. */
#include <stdint.h>

#define SHAPE __attribute__((noinline, used)) void
#define SHAPES_COLUMNS 8

typedef uint8_t shapes_state[4][SHAPES_COLUMNS];

static const uint8_t shapes_by[5][4] = {{0, 1, 2, 3}, {0}, {0, 1, 2, 3}, {0}, {0, 1, 3, 4}};
static const uint8_t shapes_both[5][4][2] = {{{0, 0}, {1, 3}, {2, 2}, {3, 1}}};

/* --------------------------------------------------------------------------- AddRoundKey */

SHAPE add_sampled(shapes_state a, shapes_state rk, uint8_t BC)
{
    int i, j;
    for (i = 0; i < 4; i++)
        for (j = 0; j < BC; j++)
            a[i][j] ^= rk[i][j];
}

SHAPE add_four(shapes_state a, shapes_state rk)
{
    int i, j;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++)
            a[i][j] ^= rk[i][j];
}

SHAPE add_bytes(uint8_t *a, const uint8_t *rk)
{
    int i;
    for (i = 0; i < 16; i++)
        a[i] ^= rk[i];
}

#define ADD_ROW(i)                                                                                 \
    a[i][0] ^= rk[i][0];                                                                           \
    a[i][1] ^= rk[i][1];                                                                           \
    a[i][2] ^= rk[i][2];                                                                           \
    a[i][3] ^= rk[i][3];

SHAPE add_written(shapes_state a, shapes_state rk)
{
    int i;
    for (i = 0; i < 4; i++) {
        ADD_ROW(i)
    }
}

SHAPE add_whole(shapes_state a, shapes_state rk){ADD_ROW(0) ADD_ROW(1) ADD_ROW(2) ADD_ROW(3)}

/* ------------------------------------------------------------------------------ SubBytes */

SHAPE sub_sampled(shapes_state a, const uint8_t box[256], uint8_t BC)
{
    int i, j;
    for (i = 0; i < 4; i++)
        for (j = 0; j < BC; j++)
            a[i][j] = box[a[i][j]];
}

SHAPE sub_four(shapes_state a, const uint8_t box[256])
{
    int i, j;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++)
            a[i][j] = box[a[i][j]];
}

SHAPE sub_bytes(uint8_t *a, const uint8_t box[256])
{
    int i;
    for (i = 0; i < 16; i++)
        a[i] = box[a[i]];
}

#define SUB_ROW(i)                                                                                 \
    a[i][0] = box[a[i][0]];                                                                        \
    a[i][1] = box[a[i][1]];                                                                        \
    a[i][2] = box[a[i][2]];                                                                        \
    a[i][3] = box[a[i][3]];

SHAPE sub_written(shapes_state a, const uint8_t box[256])
{
    int i;
    for (i = 0; i < 4; i++) {
        SUB_ROW(i)
    }
}

SHAPE sub_whole(shapes_state a, const uint8_t box[256]){SUB_ROW(0) SUB_ROW(1) SUB_ROW(2) SUB_ROW(3)}

/* ----------------------------------------------------------------------------- ShiftRows */

SHAPE shift_sampled(shapes_state a, uint8_t BC)
{
    uint8_t tmp[SHAPES_COLUMNS];
    int i, j;
    for (i = 0; i < 4; i++) {
        for (j = 0; j < BC; j++)
            tmp[j] = a[i][(j + shapes_by[BC - 4][i]) % BC];
        for (j = 0; j < BC; j++)
            a[i][j] = tmp[j];
    }
}

/* One function for both directions, d. */
SHAPE shift_both(shapes_state a, uint8_t d, uint8_t BC)
{
    uint8_t tmp[SHAPES_COLUMNS];
    int i, j;
    for (i = 1; i < 4; i++) {
        for (j = 0; j < BC; j++)
            tmp[j] = a[i][(j + shapes_both[BC - 4][i][d]) % BC];
        for (j = 0; j < BC; j++)
            a[i][j] = tmp[j];
    }
}

/* One function for both directions, with loops of its own for each. */
SHAPE shift_branched(shapes_state a, uint8_t d, uint8_t BC)
{
    uint8_t tmp[SHAPES_COLUMNS];
    int i, j;
    if (d == 0) {
        for (i = 0; i < 4; i++) {
            for (j = 0; j < BC; j++)
                tmp[j] = a[i][(j + shapes_by[BC - 4][i]) % BC];
            for (j = 0; j < BC; j++)
                a[i][j] = tmp[j];
        }
    } else {
        for (i = 0; i < 4; i++) {
            for (j = 0; j < BC; j++)
                tmp[j] = a[i][(BC + j - shapes_by[BC - 4][i]) % BC];
            for (j = 0; j < BC; j++)
                a[i][j] = tmp[j];
        }
    }
}

/* The rotation of each row by as many single steps. */
SHAPE shift_stepped(shapes_state a)
{
    uint8_t first;
    int i, j, k;
    for (i = 1; i < 4; i++)
        for (k = 0; k < i; k++) {
            first = a[i][0];
            for (j = 0; j < 3; j++)
                a[i][j] = a[i][j + 1];
            a[i][3] = first;
        }
}

SHAPE shift_written(shapes_state a, uint8_t BC)
{
    uint8_t tmp[4];
    int i;
    for (i = 1; i < 4; i++) {
        tmp[0] = a[i][(0 + i) % BC];
        tmp[1] = a[i][(1 + i) % BC];
        tmp[2] = a[i][(2 + i) % BC];
        tmp[3] = a[i][(3 + i) % BC];
        a[i][0] = tmp[0];
        a[i][1] = tmp[1];
        a[i][2] = tmp[2];
        a[i][3] = tmp[3];
    }
}

SHAPE shift_inv_written(shapes_state a, uint8_t BC)
{
    uint8_t tmp[4];
    int i;
    for (i = 1; i < 4; i++) {
        tmp[0] = a[i][(0 + BC - i) % BC];
        tmp[1] = a[i][(1 + BC - i) % BC];
        tmp[2] = a[i][(2 + BC - i) % BC];
        tmp[3] = a[i][(3 + BC - i) % BC];
        a[i][0] = tmp[0];
        a[i][1] = tmp[1];
        a[i][2] = tmp[2];
        a[i][3] = tmp[3];
    }
}

#define SHIFT_ROW(i, by)                                                                           \
    tmp[0] = a[i][(0 + (by)) % BC];                                                                \
    tmp[1] = a[i][(1 + (by)) % BC];                                                                \
    tmp[2] = a[i][(2 + (by)) % BC];                                                                \
    tmp[3] = a[i][(3 + (by)) % BC];                                                                \
    a[i][0] = tmp[0];                                                                              \
    a[i][1] = tmp[1];                                                                              \
    a[i][2] = tmp[2];                                                                              \
    a[i][3] = tmp[3];

SHAPE shift_whole(shapes_state a, uint8_t BC)
{
    uint8_t tmp[4];
    SHIFT_ROW(1, 1)
    SHIFT_ROW(2, 2)
    SHIFT_ROW(3, 3)
}

SHAPE shift_inv_whole(shapes_state a, uint8_t BC)
{
    uint8_t tmp[4];
    SHIFT_ROW(1, BC - 1)
    SHIFT_ROW(2, BC - 2)
    SHIFT_ROW(3, BC - 3)
}
