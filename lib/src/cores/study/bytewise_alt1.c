/* SPDX-License-Identifier: MIT */
/* bytewise_alt1: bytewise with the inner loops unrolled in every other round.
 *
 * Idea: round 1 uses the steps with unrolled and merged inner loops, round 2 the plain ones,
 * and so on: a trade between code size and time.
 * Source: Doomun et al., AES-CBC Software Execution Optimization, sections 4 and 5, "partially
 * optimised with alternate rounds" (Opt1).  The paper does not say which rounds: that the
 * first round is an optimised one, and that the key expansion stays plain is our reading.
 * Published: 13 % less encryption time than unoptimised.
 * Cost: table reads as bytewise: per middle round 16 of the S-box and 32 products (64 when
 * decrypting); the code of both forms.
 * Constant-time: no; table addresses depend on secrets. */
#include "../../parts/steps/bytewise_alternate.h"

enum {
    bytewise_alt1_lanes = 1,
    bytewise_alt1_run = 1 /* rounds of one form before those of the other */
};

AESFIT_LOCAL void bytewise_alt1_expand_key(aesfit_key *key, const uint8_t *bytes,
                                           unsigned directions)
{
    (void)directions; /* both use the same round keys */
    plain_key_expansion(key, bytes);
}

AESFIT_LOCAL void bytewise_alt1_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
    alternate_encrypt(key, out, in, blocks, bytewise_alt1_run);
}

AESFIT_LOCAL void bytewise_alt1_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
    alternate_decrypt(key, out, in, blocks, bytewise_alt1_run);
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(
    bytewise_alt1,
    (.summary = "bytewise with inner loops unrolled and merged in every other round",
     .source = "Doomun et al., AES-CBC Software Execution Optimization, sections 4 and 5, Opt1",
     .needs = "", .table_count = sizeof bytewise_tables / sizeof bytewise_tables[0],
     .tables = bytewise_tables),
    .properties = AESFIT_STUDY | AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
