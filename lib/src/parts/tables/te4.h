/* SPDX-License-Identifier: MIT */
/* teR[x]: SubBytes and MixColumns of a byte in row R.  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_TE4_H
#define AESFIT_TABLES_TE4_H

#include "te_words.h"
#include "table_entry.h"

static const uint32_t te0[256] = {TE_WORDS(TABLE_ENTRY)};
static const uint32_t te1[256] = {TE_WORDS(TABLE_ROTL8)};
static const uint32_t te2[256] = {TE_WORDS(TABLE_ROTL16)};
static const uint32_t te3[256] = {TE_WORDS(TABLE_ROTL24)};

#endif
