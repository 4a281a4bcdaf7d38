/* SPDX-License-Identifier: MIT */
/* te_diffused[4 x + R]: SubBytes and MixColumns of a byte in row R.  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_TE_DIFFUSED_H
#define AESFIT_TABLES_TE_DIFFUSED_H

#include "te_words.h"
#include "table_entry.h"

static const uint32_t te_diffused[1024] = {TE_WORDS(TABLE_ROWS)};

#endif
