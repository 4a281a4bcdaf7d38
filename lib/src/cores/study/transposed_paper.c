/* SPDX-License-Identifier: MIT */
/* transposed_paper: a word per row, every operation as the paper prints it.
 *
 * Idea: that of `transposed`, without what the library does better: MixColumns doubles all four
 * rows, InvMixColumns adds each multiple to each row, the key schedule sums over a row with three
 * shifts.  A block is loaded as four words, transposed, and transposed back at the end.
 * Source: Bertoni et al., Efficient Software Implementation of AES on 32-Bit Platforms (CHES
 * 2002): table 1, sections 3.1, 3.2 and 4.  The second group of its key schedule reads the new
 * words: as printed, with the old ones, the answers of FIPS 197 do not come out.  Its words have
 * column 0 in the high byte, ours in the low one: its right shifts are left shifts here.
 * Cost per middle round: 16 S-box reads; MixColumns 16 XOR, 4 doublings; InvMixColumns 27 XOR,
 * 7 doublings.  Per block: two transpositions of 12 XOR, 4 AND, 8 shifts.  Per round key of 128
 * bits: 4 S-box reads, 17 XOR, 16 shifts.
 * Constant-time: no; table addresses depend on secrets.
 *
 * An experiment defines AESFIT_DATA_TRANSPOSED (steps/transposed_printed.h). */
#define AESFIT_AS_PRINTED
#include "../../parts/steps/transposed_keys.h"
#include "../../parts/steps/transposed_printed.h"

enum { transposed_paper_lanes = 1 };

/* schedule: four rows per round key. */
AESFIT_LOCAL void transposed_paper_expand_key(aesfit_key *key, const uint8_t *bytes,
                                              unsigned directions)
{
    uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
    (void)directions;
    if (key->key_words != 4) {
        transposed_expand_long(k, bytes, key->key_words, key->rounds);
        return;
    }
    transposed_rows a = printed_transpose(printed_load_words(bytes));
    transposed_put(k, a);
    for (unsigned step = 0; k != last; step++) {
        a = transposed_step(a, step);
        transposed_put(k += 4, a);
    }
}

AESFIT_LOCAL void transposed_paper_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
        transposed_rows s = transposed_add(printed_load(in), transposed_get(k));
        while ((k += 4) != last)
            s = transposed_add(printed_mix(transposed_sub_shift(s)), transposed_get(k));
        s = transposed_add(transposed_sub_shift(s), transposed_get(k));
        printed_store(out, s);
    }
}

AESFIT_LOCAL void transposed_paper_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                           size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *first = key->schedule, *k = first + 4 * key->rounds;
        transposed_rows s = transposed_add(printed_load(in), transposed_get(k));
        while ((k -= 4) != first)
            s = printed_inv_mix(transposed_add(transposed_inv_sub_shift(s), transposed_get(k)));
        s = transposed_add(transposed_inv_sub_shift(s), transposed_get(k));
        printed_store(out, s);
    }
}

#ifndef AESFIT_BOUND
static const aesfit_table transposed_paper_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(
    transposed_paper,
    (.summary = "transposed with every operation as printed: 4 doublings, 7 back, block transposed",
     .source = "Bertoni et al., CHES 2002, table 1, sections 3.1, 3.2 and 4", .needs = "",
     .table_count = sizeof transposed_paper_tables / sizeof transposed_paper_tables[0],
     .tables = transposed_paper_tables),
    .properties = AESFIT_STUDY | AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
#undef AESFIT_AS_PRINTED
