/* SPDX-License-Identifier: MIT */
/* equivalent_inverse: whole-state byte steps, 32-bit column steps, equivalent inverse cipher.
 *
 * Idea: SubBytes and ShiftRows work on all 128 bits of the state at once; MixColumns and
 * AddRoundKey take 32 bits, a column, at a time.  Decryption is the equivalent inverse cipher
 * (FIPS 197, 5.3.5): the same sequence of steps with its own round keys, which are InvMixColumns
 * of the encryption ones but for the first and the last.  Both sets of round keys are always
 * generated together, once per connection, and lie one behind the other, each in its order of use.
 * Source: Parikh and Patel, Performance Evaluation of AES Algorithm on Various Development
 * Platforms, "Pure Software Implementation of AES in FPGA" (128-bit keys; the longer ones follow).
 * Cost: per middle round 16 S-box reads and 4 columns of MixColumns: 3 XOR, 2 rotations and a
 * packed doubling each (5, 3 and 3 when decrypting).  Key expansion does the work of both
 * directions.
 * Constant-time: no; table addresses depend on secrets. */
#include "../../parts/bytes.h"
#include "../../parts/steps/column_keys.h"
#include "../../parts/steps/field.h"
#include "../../parts/steps/sub_word.h"
#include "../../parts/wipe.h"

enum { equivalent_inverse_lanes = 1 };

/* schedule: 4 (rounds + 1) columns of round keys to encrypt with, then as many to decrypt with,
 * last round first. */
AESFIT_LOCAL void equivalent_inverse_expand_key(aesfit_key *key, const uint8_t *bytes,
                                                unsigned directions)
{
    unsigned words = 4u * (key->rounds + 1u);
    const uint32_t *w = key->schedule;
    uint32_t *inverse = key->schedule + words;
    (void)directions; /* always both */
    column_keys_expand(key->schedule, bytes, key->key_words, key->rounds, sub_word);
    for (unsigned i = 0; i < words; i++) {
        uint32_t k = w[words - 4 - i / 4 * 4 + i % 4];
        inverse[i] = i < 4 || i >= words - 4 ? k : inv_mix_column(k);
    }
}

/* The state lies in the order of the input, column by column.  SubBytes takes it from s to t,
 * ShiftRows from t back to s. */
AESFIT_LOCAL void equivalent_inverse_sub_bytes(uint8_t t[16], const uint8_t s[16])
{
    for (unsigned i = 0; i < 16; i++)
        t[i] = READ(sbox, s[i]);
}

AESFIT_LOCAL void equivalent_inverse_inv_sub_bytes(uint8_t t[16], const uint8_t s[16])
{
    for (unsigned i = 0; i < 16; i++)
        t[i] = READ(inv_sbox, s[i]);
}

/* Row r of column c comes from column c + r. */
AESFIT_LOCAL void equivalent_inverse_shift_rows(uint8_t s[16], const uint8_t t[16])
{
    for (unsigned i = 0; i < 16; i++)
        s[i] = t[(i + 4 * (i % 4)) % 16];
}

/* Row r of column c comes from column c - r. */
AESFIT_LOCAL void equivalent_inverse_inv_shift_rows(uint8_t s[16], const uint8_t t[16])
{
    for (unsigned i = 0; i < 16; i++)
        s[i] = t[(i + 12 * (i % 4)) % 16];
}

/* AddRoundKey from `in` to `out`, which may be the same, a column at a time. */
AESFIT_INLINE void equivalent_inverse_add(uint8_t *out, const uint8_t *in, const uint32_t *k)
{
    for (unsigned c = 0; c < 4; c++)
        store32_le(out + 4 * c, load32_le(in + 4 * c) ^ k[c]);
}

AESFIT_LOCAL void equivalent_inverse_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             size_t blocks)
{
    uint8_t s[16], t[16];
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule;
        equivalent_inverse_add(s, in, k);
        for (unsigned round = 1; round < key->rounds; round++) {
            equivalent_inverse_sub_bytes(t, s);
            equivalent_inverse_shift_rows(s, t);
            k += 4;
            for (unsigned c = 0; c < 4; c++)
                store32_le(s + 4 * c, mix_column(load32_le(s + 4 * c)) ^ k[c]);
        }
        equivalent_inverse_sub_bytes(t, s);
        equivalent_inverse_shift_rows(s, t);
        equivalent_inverse_add(out, s, k + 4);
    }
    wipe(s, sizeof s);
    wipe(t, sizeof t);
}

AESFIT_LOCAL void equivalent_inverse_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                             size_t blocks)
{
    uint8_t s[16], t[16];
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule + 4u * (key->rounds + 1u);
        equivalent_inverse_add(s, in, k);
        for (unsigned round = 1; round < key->rounds; round++) {
            equivalent_inverse_inv_sub_bytes(t, s);
            equivalent_inverse_inv_shift_rows(s, t);
            k += 4;
            for (unsigned c = 0; c < 4; c++)
                store32_le(s + 4 * c, inv_mix_column(load32_le(s + 4 * c)) ^ k[c]);
        }
        equivalent_inverse_inv_sub_bytes(t, s);
        equivalent_inverse_inv_shift_rows(s, t);
        equivalent_inverse_add(out, s, k + 4);
    }
    wipe(s, sizeof s);
    wipe(t, sizeof t);
}

#ifndef AESFIT_BOUND
static const aesfit_table equivalent_inverse_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(
    equivalent_inverse,
    (.summary = "byte steps on the whole state, column steps on words; equivalent inverse cipher",
     .source = "Parikh and Patel, Performance Evaluation of AES Algorithm on Various Development "
               "Platforms, pure software implementation",
     .needs = "",
     .table_count = sizeof equivalent_inverse_tables / sizeof equivalent_inverse_tables[0],
     .tables = equivalent_inverse_tables),
    .properties = AESFIT_STUDY | AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{352, 352, 352}, {416, 416, 416}, {480, 480, 480}});
#endif
