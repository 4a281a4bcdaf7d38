/* SPDX-License-Identifier: MIT */
/* tableless: the S-box computed by inversion in the field, no table, constant-time.
 *
 * Idea: SubBytes follows its definition (FIPS 197, 5.1.1): every byte is inverted in GF(2^8) and
 * goes through the affine map, four bytes of a column at once.  The inverse is the power 254, by
 * four products and seven squares.  The state lies by columns, as in `sbox_columns`.
 * Source: Bertoni et al., About the Performances of AES in Embedded Systems with Cache Memory,
 * section 3: the version without tables, about one order of magnitude slower, which the paper sets
 * aside.  It does not say how that one inverts; the chain of powers is ours.
 * Cost per round: 4 words of SubBytes at 4 products (7 doublings, 8 masks, 8 AND, 7 XOR each), 7
 * squares (12 AND, 7 XOR, 4 SUB) and an affine map; ShiftRows 16 AND, 12 OR; MixColumns 12 XOR,
 * 4 doublings, 8 rotations; InvMixColumns 20 XOR, 12 doublings, 12 rotations.
 * Constant-time: yes, in key schedule, encryption and decryption; no multiplication. */
#include "../../parts/steps/column_keys.h"
#include "../../parts/steps/columns_rounds.h"
#include "../../parts/steps/field.h"
#include "../../parts/steps/field_inverse.h"

enum { tableless_lanes = 1 };

/* SubBytes of a column; called, not inlined: it is hundreds of instructions. */
AESFIT_NOINLINE AESFIT_LOCAL uint32_t tableless_sub(uint32_t x)
{
    return affine4(invert4(x));
}

AESFIT_NOINLINE AESFIT_LOCAL uint32_t tableless_inv_sub(uint32_t x)
{
    return invert4(inv_affine4(x));
}

AESFIT_INLINE uint32_t tableless_sub_word(uint32_t x, uint32_t constant)
{
    return tableless_sub(x) ^ constant;
}

/* Row r of the r-th argument.  4 AND, 3 OR. */
AESFIT_INLINE uint32_t tableless_gather(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (a & 0xffu) | (b & 0xff00u) | (c & 0xff0000u) | (d & 0xff000000u);
}

AESFIT_INLINE columns tableless_sub_shift(columns s)
{
    return columns_gather(columns_map(s, tableless_sub), tableless_gather);
}

AESFIT_INLINE columns tableless_inv_sub_shift(columns s)
{
    return columns_gather_back(columns_map(s, tableless_inv_sub), tableless_gather);
}

AESFIT_LOCAL void tableless_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    (void)directions;
    column_keys_expand(key->schedule, bytes, key->key_words, key->rounds, tableless_sub_word);
}

AESFIT_LOCAL void tableless_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                    size_t blocks)
{
    columns_encrypt(key, out, in, blocks, tableless_sub_shift, mix_column);
}

AESFIT_LOCAL void tableless_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                    size_t blocks)
{
    columns_decrypt(key, out, in, blocks, tableless_inv_sub_shift, inv_mix_column);
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(
    tableless,
    (.summary = "constant-time, a word per column, S-box by inversion in the field: no tables",
     .source = "FIPS 197, 5.1.1; Bertoni et al., ISCAS 2003, section 3 (the version set aside)",
     .needs = ""),
    .properties = AESFIT_CONSTANT_TIME | AESFIT_STUDY | AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
