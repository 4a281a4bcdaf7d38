/* SPDX-License-Identifier: MIT */
/* transposed: one 32-bit word per ROW of the state.
 *
 * Idea: SubBytes and ShiftRows of a row need that row only; MixColumns is three steps on four
 * columns at once without rotations, InvMixColumns seven.  The key schedule is computed on
 * transposed words too, for all key sizes.  Decryption is the straight inverse cipher, on the
 * same round keys.
 * Source: Bertoni et al., Efficient Software Implementation of AES on 32-Bit Platforms (CHES
 * 2002), section 3; "AEST" of Bertoni et al., About the Performances of AES in Embedded Systems
 * with Cache Memory.
 * Cost per middle round: 16 S-box reads; MixColumns 12 XOR, 3 doublings; InvMixColumns 21 XOR,
 * 6 doublings; each one doubling fewer than in the paper.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/transposed_keys.h"

enum { transposed_lanes = 1 };

/* schedule: four rows per round key. */
AESFIT_LOCAL void transposed_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
    (void)directions;
#if (AESFIT_BOUND_KEY_SIZES & 6) != 0
    if (key->key_words != 4) {
        transposed_expand_long(k, bytes, key->key_words, key->rounds);
        return;
    }
#endif
    transposed_rows a = transposed_load(bytes);
    transposed_put(k, a);
    for (unsigned step = 0; k != last; step++) {
        a = transposed_step(a, step);
        transposed_put(k += 4, a);
    }
}

AESFIT_LOCAL void transposed_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                     size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
        transposed_rows s = transposed_add(transposed_load(in), transposed_get(k));
        while ((k += 4) != last) {
            s = transposed_sub_shift(s);
            s = transposed_add(transposed_mix(s), transposed_get(k));
        }
        transposed_store(out, transposed_add(transposed_sub_shift(s), transposed_get(k)));
    }
}

AESFIT_LOCAL void transposed_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                     size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *first = key->schedule, *k = first + 4 * key->rounds;
        transposed_rows s = transposed_add(transposed_load(in), transposed_get(k));
        while ((k -= 4) != first)
            s = transposed_inv_mix(transposed_add(transposed_inv_sub_shift(s), transposed_get(k)));
        transposed_store(out, transposed_add(transposed_inv_sub_shift(s), transposed_get(k)));
    }
}

#ifndef AESFIT_BOUND
static const aesfit_table transposed_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(
    transposed,
    (.summary = "a word per row: S-box only, MixColumns without rotations, few doublings back",
     .source = "Bertoni et al., CHES 2002, section 3", .needs = "",
     .table_count = sizeof transposed_tables / sizeof transposed_tables[0],
     .tables = transposed_tables),
    .properties = AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
