/* SPDX-License-Identifier: MIT */
/* bytewise_unrolled: bytewise with its inner loops unrolled and merged everywhere.
 *
 * Idea: the four-fold inner loops of every step, of the key expansion too, are written out and
 * copying loops merged; the outer loops of the steps and the loop over the rounds stay.
 * Source: Doomun et al., AES-CBC Software Execution Optimization, sections 4 and 5, "fully
 * optimised" (OptF).
 * Published: 20 % less encryption time than unoptimised at about twice the code.
 * Cost: table reads as bytewise: per middle round 16 of the S-box and 32 products (64 when
 * decrypting).
 * Constant-time: no; table addresses depend on secrets. */
#include "../../parts/steps/bytewise_unrolled.h"

enum { bytewise_unrolled_lanes = 1 };

AESFIT_LOCAL void bytewise_unrolled_expand_key(aesfit_key *key, const uint8_t *bytes,
                                               unsigned directions)
{
    (void)directions; /* both use the same round keys */
    unrolled_key_expansion(key, bytes);
}

AESFIT_LOCAL void bytewise_unrolled_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
    bytewise_state s;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint8_t *rk = (const uint8_t *)key->schedule;
        plain_load(&s, in);
        unrolled_add_round_key(&s, rk);
        for (unsigned round = 1; round < key->rounds; round++)
            unrolled_round(&s, rk += 16);
        unrolled_last_round(&s, rk + 16);
        plain_store(out, &s);
    }
    wipe(&s, sizeof s);
}

AESFIT_LOCAL void bytewise_unrolled_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
    bytewise_state s;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint8_t *rk = (const uint8_t *)key->schedule + 16u * key->rounds;
        plain_load(&s, in);
        unrolled_inv_last_round(&s, rk);
        for (unsigned round = key->rounds - 1u; round > 0; round--)
            unrolled_inv_round(&s, rk -= 16);
        unrolled_add_round_key(&s, rk - 16);
        plain_store(out, &s);
    }
    wipe(&s, sizeof s);
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(
    bytewise_unrolled,
    (.summary =
         "bytewise with inner loops unrolled and merged in every round and the key expansion",
     .source = "Doomun et al., AES-CBC Software Execution Optimization, sections 4 and 5, OptF",
     .needs = "", .table_count = sizeof bytewise_tables / sizeof bytewise_tables[0],
     .tables = bytewise_tables),
    .properties = AESFIT_STUDY | AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
