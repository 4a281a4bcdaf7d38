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
#include "../parts/steps/transposed_rounds.h"

enum { transposed_lanes = 1 };

AESFIT_LOCAL void transposed_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    (void)directions;
    transposed_keys_expand(key, bytes);
}

AESFIT_LOCAL void transposed_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                     size_t blocks)
{
    transposed_encrypt_blocks(key, out, in, blocks);
}

#if AESFIT_KEEP_COUNTERS
/* The share in column 0 of row 3, which the last byte reaches in the first round. */
AESFIT_INLINE uint32_t transposed_last(const uint32_t *k, const uint8_t counter[16])
{
    return mix_column((uint32_t)READ(sbox, counter[15] ^ k[3] >> 24) << 24);
}

/* kept: column 0 after the first round, row 0 in the low byte, and the rows that enter MixColumns
 * in the second. */
AESFIT_COLD AESFIT_LOCAL void transposed_prepare_counter(const aesfit_key *key,
                                                         uint32_t kept[AESFIT_COUNTER_WORDS],
                                                         const uint8_t counter[16])
{
    const uint32_t *k = key->schedule;
    transposed_rows s = transposed_add(transposed_load(counter), transposed_get(k));
    s = transposed_add(transposed_mix(transposed_sub_shift(s)), transposed_get(k + 4));
    kept[0] = pack_bytes((uint8_t)s.r0, (uint8_t)s.r1, (uint8_t)s.r2, (uint8_t)s.r3);
    kept[0] ^= transposed_last(k, counter);
    s = transposed_sub_shift(s);
    kept[1] = s.r0 & 0xffffff00u;
    kept[2] = s.r1 & 0x00ffffffu;
    kept[3] = s.r2 & 0xff00ffffu;
    kept[4] = s.r3 & 0xffff00ffu;
}

AESFIT_LOCAL void transposed_encrypt_counter(const aesfit_key *key, uint8_t out[16],
                                             const uint32_t kept[AESFIT_COUNTER_WORDS],
                                             const uint8_t counter[16])
{
    const uint32_t *k = key->schedule;
    uint32_t x = kept[0] ^ transposed_last(k, counter);
    uint32_t row0 = byte_of(x, 0), row1 = byte_of(x, 1), row2 = byte_of(x, 2), row3 = byte_of(x, 3);
    transposed_rows s = transposed_get(kept + 1);
    READ_FOUR(sbox, row0, row1, row2, row3);
    s.r0 |= row0;
    s.r1 |= row1 << 24;
    s.r2 |= row2 << 16;
    s.r3 |= row3 << 8;
    s = transposed_add(transposed_mix(s), transposed_get(k + 8));
    transposed_store(out, transposed_rounds(s, k + 8, k + 4 * key->rounds));
}
#endif

AESFIT_LOCAL void transposed_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                     size_t blocks)
{
    transposed_decrypt_blocks(key, out, in, blocks);
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
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}},
    COUNTER_STEPS(transposed));
#endif
