/* SPDX-License-Identifier: MIT */
/* sbox_columns_mul: sbox_columns with four bytes doubled by a multiplication.
 *
 * Idea: the topmost bits of four bytes, moved to the lowest places, times the polynomial, are what
 * each byte is reduced by.  The state lies in memory, where any byte of it is one load away, so
 * that a column and its temporaries fit the eight registers of Thumb.
 * Source: Gladman's columns as in sbox_columns.c; the doubling by a product is widely known, and
 * published cycle counts for Cortex-M0 tell code with and without it apart.
 * Cost per middle round: 16 S-box reads, 16 loads of bytes and 4 stores of the state; MixColumns
 * 12 XOR, 4 doublings, 8 rotations; InvMixColumns 28 XOR, 4 doublings, 4 multiplications by 04 (2
 * AND, 2 shifts and a multiplication each), 16 rotations.
 * Constant-time: no; table addresses depend on secrets, and so do operands of multiplications. */
#include "../parts/steps/column_keys.h"
#include "../parts/steps/columns_mul.h"
#include "../parts/steps/sub_word.h"

enum { sbox_columns_mul_lanes = 1 };

AESFIT_LOCAL void sbox_columns_mul_expand_key(aesfit_key *key, const uint8_t *bytes,
                                              unsigned directions)
{
    (void)directions;
    column_keys_expand(key->schedule, bytes, key->key_words, key->rounds, sub_word);
}

AESFIT_LOCAL void sbox_columns_mul_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    uint32_t state[8], *w = state; /* two states: one is read, the other written */
    const uint32_t *last = key->schedule + 4 * key->rounds;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule;
        AESFIT_ORDERED_BARRIER(w);
        columns_put(w, columns_add(columns_load_words(in), columns_get(k)));
        for (;;) {
            AESFIT_ORDERED_BARRIER(w);
            columns_mul_round(w + 4, w, k + 4);
            k += 8;
            AESFIT_ORDERED_BARRIER(w);
            if (k == last)
                break;
            columns_mul_round(w, w + 4, k);
        }
        columns s;
        s.c0 = columns_mul_gather(w + 4, 0) ^ k[0];
        s.c1 = columns_mul_gather(w + 4, 1) ^ k[1];
        s.c2 = columns_mul_gather(w + 4, 2) ^ k[2];
        s.c3 = columns_mul_gather(w + 4, 3) ^ k[3];
        columns_store_words(out, s);
    }
    columns_mul_wipe(w);
}

AESFIT_LOCAL void sbox_columns_mul_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    uint32_t state[8], *w = state; /* two states: one is read, the other written */
    const uint32_t *first = key->schedule;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = first + 4 * key->rounds;
        AESFIT_ORDERED_BARRIER(w);
        columns_put(w, columns_add(columns_load_words(in), columns_get(k)));
        for (;;) {
            AESFIT_ORDERED_BARRIER(w);
            k -= 8;
            columns_mul_round_back(w + 4, w, k + 4);
            AESFIT_ORDERED_BARRIER(w);
            if (k == first)
                break;
            columns_mul_round_back(w, w + 4, k);
        }
        columns s;
        s.c0 = columns_mul_gather_back(w + 4, 0) ^ k[0];
        s.c1 = columns_mul_gather_back(w + 4, 1) ^ k[1];
        s.c2 = columns_mul_gather_back(w + 4, 2) ^ k[2];
        s.c3 = columns_mul_gather_back(w + 4, 3) ^ k[3];
        columns_store_words(out, s);
    }
    columns_mul_wipe(w);
}

#ifndef AESFIT_BOUND
static const aesfit_table sbox_columns_mul_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(sbox_columns_mul,
             (.summary = "sbox_columns with four bytes doubled by a multiplication",
              .source = "Gladman's columns (CHES 2002, section 4)",
              .needs = "a multiply of one cycle",
              .table_count = sizeof sbox_columns_mul_tables / sizeof sbox_columns_mul_tables[0],
              .tables = sbox_columns_mul_tables),
             .properties = 0,
             .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
