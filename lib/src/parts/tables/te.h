/* SPDX-License-Identifier: MIT */
/* te[x]: SubBytes and MixColumns of a byte in row 0.  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_TE_H
#define AESFIT_TABLES_TE_H

#include "te_words.h"
#include "table_entry.h"

static const uint32_t te[256] = {TE_WORDS(TABLE_ENTRY)};

#endif
