/* SPDX-License-Identifier: MIT */
/* MixColumns and its inverse in the shapes of shapes.c, which stands before this text. */
extern uint8_t shapes_mul(uint8_t a, uint8_t b);
extern const uint8_t shapes_products[6][256], shapes_power[255], shapes_log[256];

#define MUL_CALLED(row, by, x) shapes_mul(by, x)
#define MUL_READ(row, by, x) shapes_products[row][x]
#define MUL_LOGS(row, by, x) ((x) ? shapes_power[(shapes_log[by] + shapes_log[x]) % 255] : 0)
#define MIX_SUM(MUL, i, j)                                                                         \
    (MUL(0, 2, a[i][j]) ^ MUL(1, 3, a[((i) + 1) % 4][j]) ^ a[((i) + 2) % 4][j] ^                   \
     a[((i) + 3) % 4][j])
#define INV_SUM(MUL, i, j)                                                                         \
    (MUL(5, 0xe, a[i][j]) ^ MUL(3, 0xb, a[((i) + 1) % 4][j]) ^ MUL(4, 0xd, a[((i) + 2) % 4][j]) ^  \
     MUL(2, 0x9, a[((i) + 3) % 4][j]))

#define MIX_LOOPS(name, SUM, MUL, columns)                                                         \
    SHAPE name##_sampled(shapes_state a, uint8_t BC)                                               \
    {                                                                                              \
        shapes_state b;                                                                            \
        int i, j;                                                                                  \
        (void)BC;                                                                                  \
        for (j = 0; j < (columns); j++)                                                            \
            for (i = 0; i < 4; i++)                                                                \
                b[i][j] = SUM(MUL, i, j);                                                          \
        for (i = 0; i < 4; i++)                                                                    \
            for (j = 0; j < (columns); j++)                                                        \
                a[i][j] = b[i][j];                                                                 \
    }

/* A column at a time, which is copied first. */
#define MIX_TURNED(name, MUL, first, second, third, fourth)                                        \
    SHAPE name##_turned(shapes_state a)                                                            \
    {                                                                                              \
        uint8_t t[4];                                                                              \
        int i, j;                                                                                  \
        for (j = 0; j < 4; j++) {                                                                  \
            for (i = 0; i < 4; i++)                                                                \
                t[i] = a[i][j];                                                                    \
            for (i = 0; i < 4; i++)                                                                \
                a[i][j] = first(MUL, t[i]) ^ second(MUL, t[(i + 1) % 4]) ^                         \
                          third(MUL, t[(i + 2) % 4]) ^ fourth(MUL, t[(i + 3) % 4]);                \
        }                                                                                          \
    }
#define TURNED_1(MUL, x) (x)
#define TURNED_2(MUL, x) MUL(0, 2, x)
#define TURNED_3(MUL, x) MUL(1, 3, x)
#define TURNED_9(MUL, x) MUL(2, 0x9, x)
#define TURNED_B(MUL, x) MUL(3, 0xb, x)
#define TURNED_D(MUL, x) MUL(4, 0xd, x)
#define TURNED_E(MUL, x) MUL(5, 0xe, x)

#define MIX_COLUMN(SUM, MUL, j)                                                                    \
    b[0][j] = SUM(MUL, 0, j);                                                                      \
    b[1][j] = SUM(MUL, 1, j);                                                                      \
    b[2][j] = SUM(MUL, 2, j);                                                                      \
    b[3][j] = SUM(MUL, 3, j);
#define MIX_COPY(i)                                                                                \
    a[i][0] = b[i][0];                                                                             \
    a[i][1] = b[i][1];                                                                             \
    a[i][2] = b[i][2];                                                                             \
    a[i][3] = b[i][3];

#define MIX_WRITTEN(name, SUM, MUL)                                                                \
    SHAPE name##_written(shapes_state a)                                                           \
    {                                                                                              \
        shapes_state b;                                                                            \
        int i, j;                                                                                  \
        for (j = 0; j < 4; j++) {                                                                  \
            MIX_COLUMN(SUM, MUL, j)                                                                \
        }                                                                                          \
        for (i = 0; i < 4; i++) {                                                                  \
            MIX_COPY(i)                                                                            \
        }                                                                                          \
    }                                                                                              \
    SHAPE name##_whole(shapes_state a)                                                             \
    {                                                                                              \
        shapes_state b;                                                                            \
        MIX_COLUMN(SUM, MUL, 0)                                                                    \
        MIX_COLUMN(SUM, MUL, 1)                                                                    \
        MIX_COLUMN(SUM, MUL, 2)                                                                    \
        MIX_COLUMN(SUM, MUL, 3)                                                                    \
        MIX_COPY(0)                                                                                \
        MIX_COPY(1)                                                                                \
        MIX_COPY(2)                                                                                \
        MIX_COPY(3)                                                                                \
    }

/* clang-format off: it takes calls of macros without semicolons for declarations */
MIX_LOOPS(mix_mul, MIX_SUM, MUL_CALLED, BC)
MIX_LOOPS(mix_mul_four, MIX_SUM, MUL_CALLED, 4)
MIX_LOOPS(mix_table, MIX_SUM, MUL_READ, BC)
MIX_LOOPS(mix_table_four, MIX_SUM, MUL_READ, 4)
MIX_WRITTEN(mix_mul, MIX_SUM, MUL_CALLED)
MIX_WRITTEN(mix_table, MIX_SUM, MUL_READ)
MIX_LOOPS(inv_mix_mul, INV_SUM, MUL_CALLED, BC)
MIX_LOOPS(inv_mix_mul_four, INV_SUM, MUL_CALLED, 4)
MIX_LOOPS(inv_mix_table, INV_SUM, MUL_READ, BC)
MIX_LOOPS(inv_mix_table_four, INV_SUM, MUL_READ, 4)
MIX_WRITTEN(inv_mix_mul, INV_SUM, MUL_CALLED)
MIX_WRITTEN(inv_mix_table, INV_SUM, MUL_READ)
MIX_LOOPS(mix_logs, MIX_SUM, MUL_LOGS, BC)
MIX_WRITTEN(mix_logs, MIX_SUM, MUL_LOGS)
MIX_LOOPS(mix_logs_four, MIX_SUM, MUL_LOGS, 4)
MIX_LOOPS(inv_mix_logs, INV_SUM, MUL_LOGS, BC)
MIX_LOOPS(inv_mix_logs_four, INV_SUM, MUL_LOGS, 4)
MIX_TURNED(mix_logs, MUL_LOGS, TURNED_2, TURNED_3, TURNED_1, TURNED_1)
MIX_TURNED(inv_mix_logs, MUL_LOGS, TURNED_E, TURNED_B, TURNED_D, TURNED_9)
MIX_WRITTEN(inv_mix_logs, INV_SUM, MUL_LOGS)
MIX_TURNED(mix_mul, MUL_CALLED, TURNED_2, TURNED_3, TURNED_1, TURNED_1)
MIX_TURNED(mix_table, MUL_READ, TURNED_2, TURNED_3, TURNED_1, TURNED_1)
MIX_TURNED(inv_mix_mul, MUL_CALLED, TURNED_E, TURNED_B, TURNED_D, TURNED_9)
MIX_TURNED(inv_mix_table, MUL_READ, TURNED_E, TURNED_B, TURNED_D, TURNED_9)
/* clang-format on */
