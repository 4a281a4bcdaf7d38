/* SPDX-License-Identifier: MIT */
/* sbox_columns_dsp: sbox_columns with four bytes doubled by the instructions UADD8 and SEL.
 *
 * Idea: UADD8 doubles four bytes and keeps what falls out of each in a flag of its own, by which
 * SEL takes each byte reduced or as it is.  InvMixColumns doubles the equal halves of two columns
 * in one word.  A middle round is written in assembly (steps/columns_dsp.h); where the
 * instructions are missing, the same steps in plain C stand in.
 * Source: Gladman's columns as in sbox_columns.c; Arm DDI 0403, A7.7 (UADD8, SEL, PKHBT, PKHTB).
 * That they suit AES is seen in published cycle counts of such code for Cortex-M4 and M7.
 * Cost per middle round: 16 S-box reads; MixColumns 12 XOR, 4 doublings of 3 instructions, 8
 * rotations; InvMixColumns 20 XOR, 8 doublings, 12 rotations, 6 packings of halves.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/column_keys.h"
#include "../parts/steps/columns_dsp.h"
#include "../parts/steps/sub_word.h"

enum { sbox_columns_dsp_lanes = 1 };

AESFIT_LOCAL void sbox_columns_dsp_expand_key(aesfit_key *key, const uint8_t *bytes,
                                              unsigned directions)
{
    (void)directions;
    column_keys_expand(key->schedule, bytes, key->key_words, key->rounds, sub_word);
}

AESFIT_INLINE columns sbox_columns_dsp_back(columns s, const uint32_t *k)
{
    s = columns_dsp_add(columns_dsp_inv_sub_shift(s), k);
    inv_mix_columns_dsp(&s.c0, &s.c1);
    inv_mix_columns_dsp(&s.c2, &s.c3);
    return s;
}

AESFIT_LOCAL void sbox_columns_dsp_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    const uint32_t *last = key->schedule + 4 * key->rounds;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule;
        columns s = columns_dsp_add(columns_load(in), k);
        k += 4;
        do
            s = columns_dsp_round(s, &k);
        while (k != last);
        s = columns_dsp_sub_shift(s);
        columns_store(out, columns_dsp_add(s, k));
    }
}

AESFIT_LOCAL void sbox_columns_dsp_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    const uint32_t *first = key->schedule;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = first + 4 * key->rounds;
        columns s = columns_dsp_add(columns_load(in), k);
        for (;;) {
            k -= 8;
            s = sbox_columns_dsp_back(s, k + 4);
            if (k == first)
                break;
            s = sbox_columns_dsp_back(s, k);
        }
        s = columns_dsp_inv_sub_shift(s);
        columns_store(out, columns_dsp_add(s, k));
    }
}

#ifndef AESFIT_BOUND
static const aesfit_table sbox_columns_dsp_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(sbox_columns_dsp,
             (.summary = "sbox_columns with four bytes doubled by UADD8 and SEL",
              .source = "Gladman's columns (CHES 2002, section 4); Arm DDI 0403, A7.7 (UADD8, SEL)",
              .needs = "UADD8 and SEL",
              .table_count = sizeof sbox_columns_dsp_tables / sizeof sbox_columns_dsp_tables[0],
              .tables = sbox_columns_dsp_tables),
             .properties = 0, /* to decrypt, two rounds an iteration: no study rounds */
             .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
