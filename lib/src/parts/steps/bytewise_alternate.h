/* SPDX-License-Identifier: MIT */
/* Rounds in two alternating forms: `run` rounds with unrolled inner loops, `run` plain ones, and so
 * on.  `run` (1 or 2) is a constant of the core that calls. */
#ifndef AESFIT_STEPS_BYTEWISE_ALTERNATE_H
#define AESFIT_STEPS_BYTEWISE_ALTERNATE_H

#include "bytewise_unrolled.h"

/* Rounds count from 1; decryption undoes each round in the form that made it. */
AESFIT_INLINE int alternate_is_unrolled(unsigned round, unsigned run)
{
    return (round - 1) % (2 * run) < run;
}

AESFIT_INLINE void alternate_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                     size_t blocks, unsigned run)
{
    bytewise_state s;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint8_t *rk = (const uint8_t *)key->schedule;
        plain_load(&s, in);
        plain_add_round_key(&s, rk);
        for (unsigned round = 1; round < key->rounds; round++) {
            rk += 16;
            if (alternate_is_unrolled(round, run))
                unrolled_round(&s, rk);
            else
                plain_round(&s, rk);
        }
        rk += 16;
        if (alternate_is_unrolled(key->rounds, run))
            unrolled_last_round(&s, rk);
        else
            plain_last_round(&s, rk);
        plain_store(out, &s);
    }
    wipe(&s, sizeof s);
}

AESFIT_INLINE void alternate_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                     size_t blocks, unsigned run)
{
    bytewise_state s;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint8_t *rk = (const uint8_t *)key->schedule + 16u * key->rounds;
        plain_load(&s, in);
        if (alternate_is_unrolled(key->rounds, run))
            unrolled_inv_last_round(&s, rk);
        else
            plain_inv_last_round(&s, rk);
        for (unsigned round = key->rounds - 1u; round > 0; round--) {
            rk -= 16;
            if (alternate_is_unrolled(round, run))
                unrolled_inv_round(&s, rk);
            else
                plain_inv_round(&s, rk);
        }
        plain_add_round_key(&s, rk - 16);
        plain_store(out, &s);
    }
    wipe(&s, sizeof s);
}

#endif
