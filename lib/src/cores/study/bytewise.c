/* SPDX-License-Identifier: MIT */
/* bytewise: FIPS 197 as written.
 *
 * Idea: every transformation is two nested loops over the 4 x 4 state; the S-boxes and the field
 * products by 02, 03, 09, 0b, 0d, 0e are tables of 256 bytes.
 * Source: Doomun et al., AES-CBC Software Execution Optimization, sections 4 and 5, unoptimised.
 * Cost: per middle round 16 S-box reads and 32 product reads (64 when decrypting).
 * Constant-time: no; table addresses depend on secrets.
 *
 * The simplest core of all, and so the reference that the tests compare the others with. */
#include "../../parts/steps/bytewise_plain.h"

enum { bytewise_lanes = 1 };

AESFIT_LOCAL void bytewise_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    (void)directions; /* both use the same round keys */
    plain_key_expansion(key, bytes);
}

AESFIT_LOCAL void bytewise_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    bytewise_state s;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint8_t *rk = (const uint8_t *)key->schedule;
        plain_load(&s, in);
        plain_add_round_key(&s, rk);
        for (unsigned round = 1; round < key->rounds; round++)
            plain_round(&s, rk += 16);
        plain_last_round(&s, rk + 16);
        plain_store(out, &s);
    }
    wipe(&s, sizeof s);
}

AESFIT_LOCAL void bytewise_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    bytewise_state s;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint8_t *rk = (const uint8_t *)key->schedule + 16u * key->rounds;
        plain_load(&s, in);
        plain_inv_last_round(&s, rk);
        for (unsigned round = key->rounds - 1u; round > 0; round--)
            plain_inv_round(&s, rk -= 16);
        plain_add_round_key(&s, rk - 16);
        plain_store(out, &s);
    }
    wipe(&s, sizeof s);
}

#ifndef AESFIT_BOUND
CORE_OBJECTS(
    bytewise,
    (.summary = "FIPS 197 as written: loops over bytes, field products from tables",
     .source =
         "Doomun et al., AES-CBC Software Execution Optimization, sections 4 and 5, unoptimised",
     .needs = "", .table_count = sizeof bytewise_tables / sizeof bytewise_tables[0],
     .tables = bytewise_tables),
    .properties = AESFIT_STUDY | AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
