/* SPDX-License-Identifier: MIT */
/* sbox_inverses: one table of 256 bytes for both directions.
 *
 * Idea: S-box and inverse S-box share the inversion in the field (FIPS 197, 5.1.1 and 5.3.2).  That
 * is the table; the affine map, which comes after it in encryption and is undone before it in
 * decryption, is computed on four bytes at once.  Rounds and key schedule are those of
 * `sbox_columns`.
 * Source: Doomun et al., AES-CBC Software Execution Optimization, section 6, name as future work
 * tables for SubBytes and InvSubBytes "exploiting similarities between encryption and decryption";
 * this is our reading of it.
 * Cost per round: 16 reads of the table; 4 affine maps of 3 rotations of bytes and 4 XOR;
 * MixColumns 12 XOR, 4 doublings, 8 rotations; InvMixColumns 20 XOR, 12 doublings, 12 rotations.
 * Constant-time: no; table addresses depend on secrets. */
#include "../../parts/steps/column_keys.h"
#include "../../parts/steps/columns_rounds.h"
#include "../../parts/steps/field.h"
#include "../../parts/steps/field_inverse.h"
#include "../../parts/steps/packed_bytes.h"
#include "../../parts/steps/read.h"
#include "../../parts/tables/inverses.h"

enum { sbox_inverses_lanes = 1 };

/* Inverses in the field of row r of the r-th argument.  4 reads, 3 OR. */
AESFIT_INLINE uint32_t sbox_inverses_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    a = byte_of(a, 0);
    b = byte_of(b, 1);
    c = byte_of(c, 2);
    d = byte_of(d, 3);
    READ_FOUR(inverses, a, b, c, d);
    return pack_bytes(a, b, c, d);
}

/* Called, not inlined: the table is shared to save memory. */
AESFIT_NOINLINE AESFIT_LOCAL uint32_t sbox_inverses_affine(uint32_t x)
{
    return affine4(x);
}

AESFIT_NOINLINE AESFIT_LOCAL uint32_t sbox_inverses_inv_affine(uint32_t x)
{
    return inv_affine4(x);
}

AESFIT_INLINE columns sbox_inverses_sub_shift(columns s)
{
    return columns_map(columns_gather(s, sbox_inverses_column), sbox_inverses_affine);
}

AESFIT_INLINE columns sbox_inverses_inv_sub_shift(columns s)
{
    return columns_gather_back(columns_map(s, sbox_inverses_inv_affine), sbox_inverses_column);
}

AESFIT_INLINE uint32_t sbox_inverses_word(uint32_t x, uint32_t constant)
{
    return sbox_inverses_affine(sbox_inverses_column(x, x, x, x)) ^ constant;
}

AESFIT_LOCAL void sbox_inverses_expand_key(aesfit_key *key, const uint8_t *bytes,
                                           unsigned directions)
{
    (void)directions; /* both use the same round keys */
    column_keys_expand(key->schedule, bytes, key->key_words, key->rounds, sbox_inverses_word);
}

AESFIT_LOCAL void sbox_inverses_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
    columns_encrypt(key, out, in, blocks, sbox_inverses_sub_shift, mix_column);
}

AESFIT_LOCAL void sbox_inverses_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
    columns_decrypt(key, out, in, blocks, sbox_inverses_inv_sub_shift, inv_mix_column);
}

#ifndef AESFIT_BOUND
static const aesfit_table sbox_inverses_tables[] = {
    {"inverses", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inverses", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"inverses", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(
    sbox_inverses,
    (.summary = "sbox_columns with one table of field inverses for both directions",
     .source = "Doomun et al., AES-CBC Software Execution Optimization, section 6, future work",
     .needs = "", .table_count = sizeof sbox_inverses_tables / sizeof sbox_inverses_tables[0],
     .tables = sbox_inverses_tables),
    .properties = AESFIT_STUDY | AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
