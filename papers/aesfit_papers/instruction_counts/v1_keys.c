/* SPDX-License-Identifier: MIT */
/* The key schedule of V1 of Javed, Fast Implementation of AES on Mobile Devices, section 5.2, which
 * fills round keys by rows, in the shapes that its text and FIPS 197 allow; v1_shapes.py includes
 * this text once for each type v1_number of a counter.
 *
 *   rows       a row after the other, for keys of 128 bits; written: without loops within a round
 *   rows_all   the same for keys of every size, which a column's number modulo the key's tells
 *   rows_counted  the same, its columns counted anew after each key's length: nothing is divided
 *   columns    FIPS 197's loop over the columns, for 128 bits
 *   columns_all  the same for keys of every size */

V1_SHAPE V1(keys_rows)(uint8_t *rk, const uint8_t *key, unsigned words)
{
    (void)words;
    for (v1_number r = 0; r < 4; r++)
        for (v1_number c = 0; c < 4; c++)
            rk[4 * r + c] = key[4 * c + r];
    for (v1_number round = 0; round < 10; round++, rk += 16)
        for (v1_number r = 0; r < 4; r++) {
            uint8_t before = v1_sbox[rk[4 * ((r + 1) & 3) + 3]];
            if (r == 0)
                before ^= v1_rcon[round];
            for (v1_number c = 0; c < 4; c++)
                before = rk[16 + 4 * r + c] = rk[4 * r + c] ^ before;
        }
}

V1_SHAPE V1(keys_rows_written)(uint8_t *rk, const uint8_t *key, unsigned words)
{
    (void)words;
#define V1_TAKE(r)                                                                                 \
    rk[4 * (r)] = key[r], rk[4 * (r) + 1] = key[4 + (r)], rk[4 * (r) + 2] = key[8 + (r)],          \
           rk[4 * (r) + 3] = key[12 + (r)];
#define V1_ROW(r, more)                                                                            \
    rk[16 + 4 * (r)] = rk[4 * (r)] ^ v1_sbox[rk[4 * (((r) + 1) & 3) + 3]] more;                    \
    rk[17 + 4 * (r)] = rk[4 * (r) + 1] ^ rk[16 + 4 * (r)];                                         \
    rk[18 + 4 * (r)] = rk[4 * (r) + 2] ^ rk[17 + 4 * (r)];                                         \
    rk[19 + 4 * (r)] = rk[4 * (r) + 3] ^ rk[18 + 4 * (r)];
    V1_TAKE(0)
    V1_TAKE(1) V1_TAKE(2) V1_TAKE(3) for (v1_number round = 0; round < 10; round++, rk += 16)
    {
        V1_ROW(0, ^v1_rcon[round])
        V1_ROW(1, )
        V1_ROW(2, )
        V1_ROW(3, )
    }
#undef V1_TAKE
#undef V1_ROW
}

/* Row r of column c in the round keys. */
#define V1_AT(c, r) (16 * ((c) >> 2) + 4 * (r) + ((c)&3))

V1_SHAPE V1(keys_rows_all)(uint8_t *rk, const uint8_t *key, unsigned words)
{
    v1_number size = (v1_number)words, all = (v1_number)(4 * (size + 7));
    for (v1_number c = 0; c < size; c++)
        for (v1_number r = 0; r < 4; r++)
            rk[V1_AT(c, r)] = key[4 * c + r];
    for (v1_number first = size; first < all; first += size)
        for (v1_number r = 0; r < 4; r++)
            for (v1_number c = first; c < first + size && c < all; c++) {
                uint8_t before = rk[V1_AT(c - 1, r)];
                if (c % size == 0)
                    before = v1_sbox[rk[V1_AT(c - 1, (r + 1) & 3)]] ^
                             (r == 0 ? v1_rcon[c / size - 1] : 0);
                else if (size == 8 && c % size == 4)
                    before = v1_sbox[before];
                rk[V1_AT(c, r)] = rk[V1_AT(c - size, r)] ^ before;
            }
}

V1_SHAPE V1(keys_rows_counted)(uint8_t *rk, const uint8_t *key, unsigned words)
{
    v1_number size = (v1_number)words, all = (v1_number)(4 * (size + 7));
    for (v1_number c = 0; c < size; c++)
        for (v1_number r = 0; r < 4; r++)
            rk[V1_AT(c, r)] = key[4 * c + r];
    for (v1_number first = size, round = 0; first < all; first += size, round++)
        for (v1_number r = 0; r < 4; r++)
            for (v1_number at = 0, c = first; at < size && c < all; at++, c++) {
                uint8_t before = rk[V1_AT(c - 1, r)];
                if (at == 0)
                    before = v1_sbox[rk[V1_AT(c - 1, (r + 1) & 3)]] ^ (r == 0 ? v1_rcon[round] : 0);
                else if (size == 8 && at == 4)
                    before = v1_sbox[before];
                rk[V1_AT(c, r)] = rk[V1_AT(c - size, r)] ^ before;
            }
}

V1_SHAPE V1(keys_columns)(uint8_t *rk, const uint8_t *key, unsigned words)
{
    (void)words;
    for (v1_number c = 0; c < 4; c++)
        for (v1_number r = 0; r < 4; r++)
            rk[V1_AT(c, r)] = key[4 * c + r];
    for (v1_number c = 4; c < 44; c++) {
        uint8_t t[4];
        for (v1_number r = 0; r < 4; r++)
            t[r] = (c & 3) == 0 ? v1_sbox[rk[V1_AT(c - 1, (r + 1) & 3)]] : rk[V1_AT(c - 1, r)];
        if ((c & 3) == 0)
            t[0] ^= v1_rcon[(c >> 2) - 1];
        for (v1_number r = 0; r < 4; r++)
            rk[V1_AT(c, r)] = rk[V1_AT(c - 4, r)] ^ t[r];
    }
}

V1_SHAPE V1(keys_columns_all)(uint8_t *rk, const uint8_t *key, unsigned words)
{
    v1_number size = (v1_number)words, all = (v1_number)(4 * (size + 7));
    for (v1_number c = 0; c < size; c++)
        for (v1_number r = 0; r < 4; r++)
            rk[V1_AT(c, r)] = key[4 * c + r];
    for (v1_number c = size; c < all; c++) {
        uint8_t t[4];
        for (v1_number r = 0; r < 4; r++)
            t[r] = rk[V1_AT(c - 1, r)];
        if (c % size == 0) {
            uint8_t first = t[0];
            t[0] = v1_sbox[t[1]] ^ v1_rcon[c / size - 1];
            t[1] = v1_sbox[t[2]], t[2] = v1_sbox[t[3]], t[3] = v1_sbox[first];
        } else if (size == 8 && c % size == 4) {
            for (v1_number r = 0; r < 4; r++)
                t[r] = v1_sbox[t[r]];
        }
        for (v1_number r = 0; r < 4; r++)
            rk[V1_AT(c, r)] = rk[V1_AT(c - size, r)] ^ t[r];
    }
}
#undef V1_AT
