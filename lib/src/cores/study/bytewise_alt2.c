/* SPDX-License-Identifier: MIT */
/* bytewise_alt2: bytewise with the inner loops unrolled in two rounds of every four.
 *
 * Idea: rounds 1 and 2 use the steps with unrolled and merged inner loops, rounds 3 and 4 the
 * plain ones, and so on.
 * Source: Doomun et al., AES-CBC Software Execution Optimization, sections 4 and 5, "partially
 * optimised with two alternate rounds" (Opt2).  The paper does not say which rounds: that the
 * first two rounds are optimised ones, and that the key expansion stays plain is our reading.
 * Published: 12 % less encryption time than unoptimised.
 * Cost: table reads as bytewise: per middle round 16 of the S-box and 32 products (64 when
 * decrypting); the code of both forms.
 * Constant-time: no; table addresses depend on secrets. */
#include "../../parts/steps/bytewise_alternate.h"

enum {
    bytewise_alt2_lanes = 1,
    bytewise_alt2_run = 2 /* rounds of one form before those of the other */
};

AESFIT_LOCAL void bytewise_alt2_expand_key(aesfit_key *key, const uint8_t *bytes,
                                           unsigned directions)
{
    (void)directions; /* both use the same round keys */
    plain_key_expansion(key, bytes);
}

AESFIT_LOCAL void bytewise_alt2_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
    alternate_encrypt(key, out, in, blocks, bytewise_alt2_run);
}

AESFIT_LOCAL void bytewise_alt2_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
    alternate_decrypt(key, out, in, blocks, bytewise_alt2_run);
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(
    bytewise_alt2,
    (.summary = "bytewise with inner loops unrolled and merged in two of every four rounds",
     .source = "Doomun et al., AES-CBC Software Execution Optimization, sections 4 and 5, Opt2",
     .needs = "", .table_count = sizeof bytewise_tables / sizeof bytewise_tables[0],
     .tables = bytewise_tables),
    .properties = AESFIT_STUDY | AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
