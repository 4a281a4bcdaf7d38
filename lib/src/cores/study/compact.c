/* SPDX-License-Identifier: MIT */
/* compact: S-box and xtime, byte by byte, row by row.
 *
 * Idea: the only tables are the S-box, its inverse and the round constants; MixColumns calls
 * xtime (shift left, conditional XOR of 1b) again and again.  The state and the round keys
 * are stored row by row, and the key schedule runs along the rows: the byte just computed is the
 * one that the next column needs, so it stays in a register (Lu et al.: half of the reads and
 * writes of the column-wise order).
 * Source: Javed, Fast Implementation of AES on Mobile Devices, section 5, "Newly Proposed V1",
 * with Lu, Kao, Chiang and Yang, Fast Implementation of AES Cryptographic Algorithms in Smart
 * Cards (2003), for the key schedule.  The paper gives encryption of 128-bit keys; decryption and
 * the longer keys follow the same rules here.
 * Cost: per middle round 16 S-box reads and 16 xtime; decrypting 16 and 32.
 * Constant-time: no; table addresses depend on secrets. */
#include "../../parts/bytes.h"
#include "../../parts/tables/inv_sbox.h"
#include "../../parts/mask.h"
#include "../../parts/tables/rcon.h"
#include "../../parts/steps/read.h"
#include "../../parts/tables/sbox.h"
#include "../../parts/wipe.h"

enum { compact_lanes = 1 };

/* Doubling in the field; the condition as a mask, so that no secret decides what is executed. */
AESFIT_INLINE uint8_t compact_xtime(uint8_t x)
{
    return (uint8_t)((uint32_t)x << 1 ^ (mask32_of(x, 7) & 0x1b));
}

/* schedule: 16 bytes a round; row i, column j of a round key is byte 4 i + j.
 * Column c counts through all round keys, `row` from 0 to 3. */
AESFIT_INLINE uint8_t *compact_key_byte(uint8_t *rk, unsigned row, unsigned c)
{
    return rk + c / 4 * 16 + row * 4 + c % 4;
}

/* A step makes key_words new columns, a row at a time; `k` runs along the row. */
AESFIT_LOCAL void compact_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    uint8_t *rk = (uint8_t *)key->schedule;
    unsigned nk = key->key_words, all = 4u * (key->rounds + 1u);
    (void)directions; /* both use the same round keys */
    for (unsigned row = 0; row < 4; row++)
        for (unsigned c = 0; c < nk; c++)
            *compact_key_byte(rk, row, c) = bytes[4 * c + row];
    for (unsigned first = nk; first < all; first += nk) {
        unsigned count = all - first < nk ? all - first : nk;
        for (unsigned row = 0; row < 4; row++) {
            uint8_t k = READ(sbox, *compact_key_byte(rk, (row + 1) % 4, first - 1));
            if (row == 0)
                k = (uint8_t)(k ^ rcon[first / nk - 1]);
            for (unsigned j = 0; j < count; j++) {
                if (nk == 8 && j == 4)
                    k = READ(sbox, k);
                k = (uint8_t)(k ^ *compact_key_byte(rk, row, first + j - nk));
                *compact_key_byte(rk, row, first + j) = k;
            }
        }
    }
}

/* s: the state row by row, as the round keys. */
AESFIT_LOCAL void compact_load(uint8_t s[16], const uint8_t *in)
{
    for (unsigned row = 0; row < 4; row++)
        for (unsigned j = 0; j < 4; j++)
            s[4 * row + j] = in[4 * j + row];
}

AESFIT_LOCAL void compact_store(uint8_t *out, const uint8_t s[16])
{
    for (unsigned j = 0; j < 4; j++)
        for (unsigned row = 0; row < 4; row++)
            out[4 * j + row] = s[4 * row + j];
}

AESFIT_LOCAL void compact_add_round_key(uint8_t s[16], const uint8_t *rk)
{
    for (unsigned i = 0; i < 16; i++)
        s[i] = (uint8_t)(s[i] ^ rk[i]);
}

AESFIT_LOCAL void compact_sub_bytes(uint8_t s[16])
{
    for (unsigned i = 0; i < 16; i++)
        s[i] = READ(sbox, s[i]);
}

AESFIT_LOCAL void compact_inv_sub_bytes(uint8_t s[16])
{
    for (unsigned i = 0; i < 16; i++)
        s[i] = READ(inv_sbox, s[i]);
}

/* Rotates a row of four bytes left by one place, by two places. */
AESFIT_INLINE void compact_rotate1(uint8_t *row)
{
    uint8_t first = row[0];
    row[0] = row[1];
    row[1] = row[2];
    row[2] = row[3];
    row[3] = first;
}

AESFIT_INLINE void compact_rotate2(uint8_t *row)
{
    uint8_t a = row[0], b = row[1];
    row[0] = row[2];
    row[1] = row[3];
    row[2] = a;
    row[3] = b;
}

AESFIT_INLINE void compact_rotate3(uint8_t *row)
{
    uint8_t last = row[3];
    row[3] = row[2];
    row[2] = row[1];
    row[1] = row[0];
    row[0] = last;
}

AESFIT_LOCAL void compact_shift_rows(uint8_t s[16])
{
    compact_rotate1(s + 4);
    compact_rotate2(s + 8);
    compact_rotate3(s + 12);
}

AESFIT_LOCAL void compact_inv_shift_rows(uint8_t s[16])
{
    compact_rotate3(s + 4);
    compact_rotate2(s + 8);
    compact_rotate1(s + 12);
}

/* 02 a + 03 b + c + d = a + (a + b + c + d) + 02 (a + b): four xtime a column. */
AESFIT_LOCAL void compact_mix_columns(uint8_t s[16])
{
    for (unsigned j = 0; j < 4; j++) {
        uint8_t a = s[j], b = s[4 + j], c = s[8 + j], d = s[12 + j];
        uint8_t sum = (uint8_t)(a ^ b ^ c ^ d);
        s[j] = (uint8_t)(a ^ sum ^ compact_xtime((uint8_t)(a ^ b)));
        s[4 + j] = (uint8_t)(b ^ sum ^ compact_xtime((uint8_t)(b ^ c)));
        s[8 + j] = (uint8_t)(c ^ sum ^ compact_xtime((uint8_t)(c ^ d)));
        s[12 + j] = (uint8_t)(d ^ sum ^ compact_xtime((uint8_t)(d ^ a)));
    }
}

/* InvMixColumns = MixColumns after adding 4 (a + c), 4 (b + d) to a column (a, b, c, d)
 * (Daemen and Rijmen, The Design of Rijndael, 4.1.3): eight xtime a column. */
AESFIT_LOCAL void compact_inv_mix_columns(uint8_t s[16])
{
    for (unsigned j = 0; j < 4; j++) {
        uint8_t u = (uint8_t)(s[j] ^ s[8 + j]), v = (uint8_t)(s[4 + j] ^ s[12 + j]);
        u = compact_xtime(u);
        u = compact_xtime(u);
        v = compact_xtime(v);
        v = compact_xtime(v);
        s[j] = (uint8_t)(s[j] ^ u);
        s[4 + j] = (uint8_t)(s[4 + j] ^ v);
        s[8 + j] = (uint8_t)(s[8 + j] ^ u);
        s[12 + j] = (uint8_t)(s[12 + j] ^ v);
    }
    compact_mix_columns(s);
}

AESFIT_LOCAL void compact_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks)
{
    uint8_t s[16];
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint8_t *rk = (const uint8_t *)key->schedule;
        compact_load(s, in);
        compact_add_round_key(s, rk);
        for (unsigned round = 1; round < key->rounds; round++) {
            compact_sub_bytes(s);
            compact_shift_rows(s);
            compact_mix_columns(s);
            compact_add_round_key(s, rk += 16);
        }
        compact_sub_bytes(s);
        compact_shift_rows(s);
        compact_add_round_key(s, rk + 16);
        compact_store(out, s);
    }
    wipe(s, sizeof s);
}

AESFIT_LOCAL void compact_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks)
{
    uint8_t s[16];
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint8_t *rk = (const uint8_t *)key->schedule + 16u * key->rounds;
        compact_load(s, in);
        compact_add_round_key(s, rk);
        for (unsigned round = 1; round < key->rounds; round++) {
            compact_inv_shift_rows(s);
            compact_inv_sub_bytes(s);
            compact_add_round_key(s, rk -= 16);
            compact_inv_mix_columns(s);
        }
        compact_inv_shift_rows(s);
        compact_inv_sub_bytes(s);
        compact_add_round_key(s, rk - 16);
        compact_store(out, s);
    }
    wipe(s, sizeof s);
}

#ifndef AESFIT_BOUND
static const aesfit_table compact_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(compact,
             (.summary = "S-box and xtime byte by byte; key schedule along the rows",
              .source = "Javed, Fast Implementation of AES on Mobile Devices, section 5, V1",
              .needs = "", .table_count = sizeof compact_tables / sizeof compact_tables[0],
              .tables = compact_tables),
             .properties = AESFIT_STUDY | AESFIT_STUDY_ROUNDS,
             .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
