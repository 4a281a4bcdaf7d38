/* SPDX-License-Identifier: MIT */
/* td[x]: InvSubBytes and InvMixColumns of a byte in row 0.  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_TD_H
#define AESFIT_TABLES_TD_H

#include "td_words.h"
#include "table_entry.h"

static const uint32_t td[256] = {TD_WORDS(TABLE_ENTRY)};

#endif
