/* SPDX-License-Identifier: MIT */
/* KeyExpansion in the shapes of shapes.c, which stands before this text. */
extern const uint8_t shapes_sbox[256];
extern const uint32_t shapes_rcon[30];
#define SHAPES_ROUNDS 14

/* KC columns of key at a time in tk, from which round keys of BC columns are filled. */
SHAPE keys_working(shapes_state k, int KC, int BC, int rounds, shapes_state W[SHAPES_ROUNDS + 1])
{
    shapes_state tk;
    int i, j, t, next = 0;
    for (j = 0; j < KC; j++)
        for (i = 0; i < 4; i++)
            tk[i][j] = k[i][j];
    t = 0;
    for (j = 0; j < KC && t < (rounds + 1) * BC; j++, t++)
        for (i = 0; i < 4; i++)
            W[t / BC][i][t % BC] = tk[i][j];
    while (t < (rounds + 1) * BC) {
        for (i = 0; i < 4; i++)
            tk[i][0] ^= shapes_sbox[tk[(i + 1) % 4][KC - 1]];
        tk[0][0] ^= shapes_rcon[next++];
        if (KC != 8) {
            for (j = 1; j < KC; j++)
                for (i = 0; i < 4; i++)
                    tk[i][j] ^= tk[i][j - 1];
        } else {
            for (j = 1; j < KC / 2; j++)
                for (i = 0; i < 4; i++)
                    tk[i][j] ^= tk[i][j - 1];
            for (i = 0; i < 4; i++)
                tk[i][KC / 2] ^= shapes_sbox[tk[i][KC / 2 - 1]];
            for (j = KC / 2 + 1; j < KC; j++)
                for (i = 0; i < 4; i++)
                    tk[i][j] ^= tk[i][j - 1];
        }
        for (j = 0; j < KC && t < (rounds + 1) * BC; j++, t++)
            for (i = 0; i < 4; i++)
                W[t / BC][i][t % BC] = tk[i][j];
    }
}

/* FIPS 197, 5.2: words, of which each is the sum of the one before and the one Nk before. */
SHAPE keys_standard(const uint8_t *key, uint8_t *w, int Nk, int Nr)
{
    uint8_t temp[4], first;
    int i, j;
    for (i = 0; i < 4 * Nk; i++)
        w[i] = key[i];
    for (i = Nk; i < 4 * (Nr + 1); i++) {
        for (j = 0; j < 4; j++)
            temp[j] = w[4 * (i - 1) + j];
        if (i % Nk == 0) {
            first = temp[0];
            for (j = 0; j < 3; j++)
                temp[j] = temp[j + 1];
            temp[3] = first;
            for (j = 0; j < 4; j++)
                temp[j] = shapes_sbox[temp[j]];
            temp[0] ^= shapes_rcon[i / Nk - 1];
        } else if (Nk > 6 && i % Nk == 4) {
            for (j = 0; j < 4; j++)
                temp[j] = shapes_sbox[temp[j]];
        }
        for (j = 0; j < 4; j++)
            w[4 * i + j] = w[4 * (i - Nk) + j] ^ temp[j];
    }
}

#define KEYS_EACH(statement)                                                                       \
    do {                                                                                           \
        statement(0) statement(1) statement(2) statement(3)                                        \
    } while (0)
#define KEYS_COPY(i) tk[i][j] = k[i][j];
#define KEYS_FILL(i) W[t / BC][i][t % BC] = tk[i][j];
#define KEYS_BOX(i) tk[i][0] ^= shapes_sbox[tk[((i) + 1) % 4][KC - 1]];
#define KEYS_HALF(i) tk[i][KC / 2] ^= shapes_sbox[tk[i][KC / 2 - 1]];
#define KEYS_SUM(i) tk[i][j] ^= tk[i][j - 1];

/* keys_working with its inner loops written out. */
SHAPE keys_written(shapes_state k, int KC, int BC, int rounds, shapes_state W[SHAPES_ROUNDS + 1])
{
    shapes_state tk;
    int j, t, next = 0;
    for (j = 0; j < KC; j++)
        KEYS_EACH(KEYS_COPY);
    t = 0;
    for (j = 0; j < KC && t < (rounds + 1) * BC; j++, t++)
        KEYS_EACH(KEYS_FILL);
    while (t < (rounds + 1) * BC) {
        KEYS_EACH(KEYS_BOX);
        tk[0][0] ^= shapes_rcon[next++];
        if (KC != 8) {
            for (j = 1; j < KC; j++)
                KEYS_EACH(KEYS_SUM);
        } else {
            for (j = 1; j < KC / 2; j++)
                KEYS_EACH(KEYS_SUM);
            KEYS_EACH(KEYS_HALF);
            for (j = KC / 2 + 1; j < KC; j++)
                KEYS_EACH(KEYS_SUM);
        }
        for (j = 0; j < KC && t < (rounds + 1) * BC; j++, t++)
            KEYS_EACH(KEYS_FILL);
    }
}
