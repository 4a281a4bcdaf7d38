/* SPDX-License-Identifier: MIT */
/* GHASH with shifts and masks on 32-bit words: no table, no multiplication.
 *
 * Idea: Karatsuba's method twice leaves 9 products of 32 x 32 bits without carries; each adds the
 * 32 shifts of one factor, masked by the bits of the other.  parts/ghash_words.h has the rest.
 * Source: SP 800-38D, 6.3 and 6.4; Karatsuba and Ofman 1962.
 * Cost: per block 9 x 32 masks and 9 x 63 AND and XOR, about 150 other operations; the key is 36
 * bytes.
 * Constant-time: yes, on every processor. */
#include "../parts/ghash_words.h"
#include "../parts/mask.h"
#include "ghash.h"

/* out[0] and out[9] become the lower and the higher word.  A function of its own: the loop around
 * it would take registers from it. */
AESFIT_NOINLINE AESFIT_LOCAL void shift32_multiply(uint32_t *out, uint32_t a, uint32_t b)
{
    uint32_t mask = mask32_of(b, 0), low = a & mask, high = 0;
#define SHIFT32_BIT(i)                                                                             \
    mask = ordered_barrier(mask32_of(b, i));                                                       \
    low = ordered_barrier(low ^ ((a << (i)) & mask));                                              \
    high = ordered_barrier(high ^ ((a >> (32 - (i))) & mask));
#define SHIFT32_FOUR_BITS(i) SHIFT32_BIT(i) SHIFT32_BIT(i + 1) SHIFT32_BIT(i + 2) SHIFT32_BIT(i + 3)
    SHIFT32_BIT(1)
    SHIFT32_BIT(2)
    SHIFT32_BIT(3)
    SHIFT32_FOUR_BITS(4)
    SHIFT32_FOUR_BITS(8)
    SHIFT32_FOUR_BITS(12)
    SHIFT32_FOUR_BITS(16)
    SHIFT32_FOUR_BITS(20)
    SHIFT32_FOUR_BITS(24)
    SHIFT32_FOUR_BITS(28)
#undef SHIFT32_FOUR_BITS
#undef SHIFT32_BIT
    out[0] = low;
    out[GHASH_WORDS_HIGH] = high;
}

AESFIT_LOCAL void shift32_products(uint32_t work[GHASH_WORDS_WORK],
                                   const uint32_t key[GHASH_WORDS_KEY])
{
    for (const uint32_t *end = key + GHASH_WORDS_KEY; key != end; key++, work++)
        shift32_multiply(work, *work, *key);
}

AESFIT_LOCAL void shift32_init(uint32_t *state, const uint8_t h[16])
{
    ghash_words_init(state, h);
}

AESFIT_LOCAL void shift32_update(const uint32_t *state, uint8_t y[16], const uint8_t *in,
                                 size_t blocks)
{
    ghash_words_update(shift32_products, state, y, in, blocks);
}

#ifndef AESFIT_BOUND_GHASH
const aesfit_ghash aesfit_ghash_shift32 = {
    .name = "shift32",
    .summary = "shifts and masks on 32-bit words, constant-time on every processor",
    .source = "SP 800-38D, 6.3; Karatsuba and Ofman 1962",
    .needs = "",
    .properties = AESFIT_CONSTANT_TIME,
    .key_bytes = 4 * GHASH_WORDS_KEY,
    .table_bytes = 0,
    .supported = NULL,
    .init = shift32_init,
    .update = shift32_update,
};
#endif
