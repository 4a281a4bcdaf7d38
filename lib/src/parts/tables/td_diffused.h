/* SPDX-License-Identifier: MIT */
/* td_diffused[4 x + R]: InvSubBytes and InvMixColumns of a byte in row R.  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_TD_DIFFUSED_H
#define AESFIT_TABLES_TD_DIFFUSED_H

#include "td_words.h"
#include "table_entry.h"

static const uint32_t td_diffused[1024] = {TD_WORDS(TABLE_ROWS)};

#endif
