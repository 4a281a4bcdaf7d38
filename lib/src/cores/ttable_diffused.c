/* SPDX-License-Identifier: MIT */
/* ttable_diffused: ttable4 in one table, whose words of the four rows of an index are neighbours.
 *
 * Idea: a byte times 16 leads to four words, of which its row takes one by a constant offset.  So
 * nothing is rotated, and one address serves all rows, where four tables need four.  The words of
 * a row also stand in one bank of a RAM that is striped over 2 or 4 banks by words (RP2040), so
 * that no look-up of one secret meets another master's access more often than that of another.
 * For that reason nothing reads an S-box: where MixColumns is missing, encryption and key schedule
 * cut the byte out of a word, and decryption's last round undoes InvMixColumns by MixColumns.
 * Source: the layout is published as "d4T", with cycles for Cortex-M0, by jnk0le, cortexm-AES;
 * decryption: FIPS 197, 5.3.5.
 * Cost per block (AES-128): 160 word reads, no rotations; to decrypt 4 MixColumns of a column.
 * Memory per direction: 4 KiB; decryption keys need the table of encryption.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/columns_words.h"
#include "../parts/steps/field.h"
#include "../parts/steps/ttable.h"
#include "../parts/steps/ttable_diffused.h"

enum { ttable_diffused_lanes = 1 };

AESFIT_LOCAL void ttable_diffused_expand_key(aesfit_key *key, const uint8_t *bytes,
                                             unsigned directions)
{
    ttable_expand_key(key, bytes, directions, diffused_sub_word, BOUND_INVERSE(inv_mix_column));
}

AESFIT_LOCAL void ttable_diffused_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
        columns s = columns_add(columns_load_words(in), columns_get(k));
        while ((k += 4) != last)
            s = diffused_round(s, columns_get(k));
        columns_store_words(out, columns_add(columns_gather(s, diffused_last), columns_get(k)));
    }
}

AESFIT_LOCAL void ttable_diffused_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
    const uint32_t *first = key->schedule;
    if ((key->directions & AESFIT_ENCRYPT) != 0)
        first += 4 * (key->rounds + 1u);
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = first + 4 * key->rounds;
        columns s = columns_add(columns_load_words(in), columns_get(k));
        while ((k -= 4) != first)
            s = diffused_round_back(s, columns_get(k));
        s = columns_map(diffused_round_back(s, columns_zero()), mix_column);
        columns_store_words(out, columns_add(s, columns_get(k)));
    }
}

#ifndef AESFIT_BOUND
static const aesfit_table ttable_diffused_tables[] = {
    {"te_diffused", 4096, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"td_diffused", 4096, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"te_diffused", 4096, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(
    ttable_diffused,
    (.summary = "four tables of words in one, words of an index side by side: no rotations",
     .source = "jnk0le, cortexm-AES, d4T (layout); FIPS 197, 5.3.5", .needs = "",
     .table_count = sizeof ttable_diffused_tables / sizeof ttable_diffused_tables[0],
     .tables = ttable_diffused_tables),
    .properties = 0, .round_key_bytes = {{176, 176, 352}, {208, 208, 416}, {240, 240, 480}});
#endif
