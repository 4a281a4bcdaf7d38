/* SPDX-License-Identifier: MIT */
/* fixslice: bit-sliced, two blocks at once, no tables, constant-time.
 *
 * Idea: the state lies as eight words of one bit of each byte (parts/steps/bitslice.h), the S-box
 * is a circuit (parts/steps/sbox_circuit.h).  ShiftRows is never done: after r rounds row i stands
 * i r columns to the right of where it belongs, and MixColumns of round r finds the next row r
 * columns on.  ShiftRows has period 4, so there are four forms of MixColumns.  At the end the
 * rows are off by 10, 12 or 14 times i columns, 0 or 2 i: one exchange of nibbles in rows 1, 3.
 * Source: Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4.  The layout,
 * the key schedule and decryption are ours.
 * Cost: per round and two blocks, encryption 110 gates, 27, 75, 51 or 75 operations of MixColumns
 * (ARM, where shifts are free; round 0, 1, 2, 3 modulo 4), 8 of the round key; decryption adds 21
 * or 45.  A single block costs as much as two.
 * Constant-time: yes, in key schedule, encryption and decryption; no multiplication. */
#include "../parts/steps/fixslice_keys.h"
#include "../parts/steps/fixslice_rounds.h"

enum { fixslice_lanes = 2 };

AESFIT_LOCAL void fixslice_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    (void)directions;
    fixslice_keys_expand(key, bytes);
}

AESFIT_LOCAL void fixslice_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    fixslice_encrypt_pairs(key, out, in, blocks);
}

AESFIT_LOCAL void fixslice_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    fixslice_decrypt_pairs(key, out, in, blocks);
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(fixslice,
             (.summary = "constant-time, bit-sliced: two blocks at once, no tables",
              .source = "Adomnicai and Peyrin, Fixslicing AES-like Ciphers, TCHES 2021, section 4",
              .needs = ""),
             .properties = AESFIT_CONSTANT_TIME,
             .round_key_bytes = {{352, 352, 352}, {416, 416, 416}, {480, 480, 480}});
#endif
