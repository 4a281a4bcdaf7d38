/* SPDX-License-Identifier: MIT */
/* Two rounds of counter blocks that differ in their last byte alone (prepare_counter in core.h). */
#ifndef AESFIT_STEPS_TTABLE1_COUNTER_H
#define AESFIT_STEPS_TTABLE1_COUNTER_H

#include "columns.h"
#include "ttable1.h"

/* The share in column 0 of row 3, which the last byte reaches in the first round. */
AESFIT_INLINE uint32_t ttable1_counter_last(const uint32_t *k, const uint8_t counter[16])
{
    return rotl32(READ(te, counter[15] ^ k[3] >> 24), 24);
}

/* kept: column 0 after the first round, then the columns after the second, without their shares. */
AESFIT_INLINE void ttable1_counter_keep(const uint32_t *k, uint32_t kept[AESFIT_COUNTER_WORDS],
                                        const uint8_t counter[16])
{
    uint32_t none = READ(te, 0);
    columns s = columns_add(columns_load(counter), columns_get(k));
    s = columns_add(columns_gather(s, ttable1_mix), columns_get(k + 4));
    kept[0] = s.c0 ^ ttable1_counter_last(k, counter);
    s.c0 = 0;
    s = columns_add(columns_gather(s, ttable1_mix), columns_get(k + 8));
    kept[1] = s.c0 ^ none;
    kept[2] = s.c1 ^ rotl32(none, 24);
    kept[3] = s.c2 ^ rotl32(none, 16);
    kept[4] = s.c3 ^ rotl32(none, 8);
}

/* The state after the second round. */
AESFIT_INLINE columns ttable1_counter_second(const uint32_t *k,
                                             const uint32_t kept[AESFIT_COUNTER_WORDS],
                                             const uint8_t counter[16])
{
    uint32_t x = kept[0] ^ ttable1_counter_last(k, counter);
    uint32_t row0 = word_index(x, 0), row1 = word_index(x, 1);
    uint32_t row2 = word_index(x, 2), row3 = word_index(x, 3);
    columns s = columns_get(kept + 1);
    READ_FOUR(te, row0, row1, row2, row3);
    s.c0 ^= row0;
    s.c1 ^= rotl32(row3, 24);
    s.c2 ^= rotl32(row2, 16);
    s.c3 ^= rotl32(row1, 8);
    return s;
}

#endif
