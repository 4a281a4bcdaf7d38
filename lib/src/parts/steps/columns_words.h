/* SPDX-License-Identifier: MIT */
/* A block as four columns, loaded and stored by whole words where the address allows it: for
 * processors that load no word from any other address, where four bytes and three shifts make one.
 */
#ifndef AESFIT_STEPS_COLUMNS_WORDS_H
#define AESFIT_STEPS_COLUMNS_WORDS_H

#include "columns.h"

/* A word of memory is a column, row 0 in the low byte. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !BYTES_ANY_ALIGNMENT
#define COLUMNS_WORDS 1
#else
#define COLUMNS_WORDS 0
#endif

AESFIT_INLINE columns columns_load_words(const uint8_t *in)
{
    columns s;
    if (!COLUMNS_WORDS || !words_at(in, in))
        return columns_load(in);
    s.c0 = load_word(in);
    s.c1 = load_word(in + 4);
    s.c2 = load_word(in + 8);
    s.c3 = load_word(in + 12);
    return s;
}

AESFIT_INLINE void columns_store_words(uint8_t *out, columns s)
{
    if (!COLUMNS_WORDS || !words_at(out, out)) {
        columns_store(out, s);
        return;
    }
    store_word(out, s.c0);
    store_word(out + 4, s.c1);
    store_word(out + 8, s.c2);
    store_word(out + 12, s.c3);
}

#undef COLUMNS_WORDS

#endif
