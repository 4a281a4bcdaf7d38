/* SPDX-License-Identifier: MIT */
/* SubBytes on packed columns, from S-boxes that hold a byte in a word of its own: for machines
 * that read words faster than bytes.  Otherwise as sub_word.h. */
#ifndef AESFIT_STEPS_SUB_WORD_WIDE_H
#define AESFIT_STEPS_SUB_WORD_WIDE_H

#include "../../core.h"
#include "packed_bytes.h"
#include "read.h"
#include "../tables/td_last.h"
#include "../tables/te_last.h"

AESFIT_INLINE uint32_t sub_column_wide(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ_HELD(te_last, word_index(a, 0)) | READ_HELD(te_last, word_index(b, 1)) << 8 |
           READ_HELD(te_last, word_index(c, 2)) << 16 | READ_HELD(te_last, word_index(d, 3)) << 24;
}

AESFIT_INLINE uint32_t inv_sub_column_wide(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ_HELD(td_last, word_index(a, 0)) | READ_HELD(td_last, word_index(b, 1)) << 8 |
           READ_HELD(td_last, word_index(c, 2)) << 16 | READ_HELD(td_last, word_index(d, 3)) << 24;
}

AESFIT_INLINE uint32_t sub_word_wide(uint32_t x, uint32_t constant)
{
    return sub_column_wide(x, x, x, x) ^ constant;
}

#endif
