/* SPDX-License-Identifier: MIT */
/* tdR[x]: InvSubBytes and InvMixColumns of a byte in row R.  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_TD4_H
#define AESFIT_TABLES_TD4_H

#include "td_words.h"
#include "table_entry.h"

static const uint32_t td0[256] = {TD_WORDS(TABLE_ENTRY)};
static const uint32_t td1[256] = {TD_WORDS(TABLE_ROTL8)};
static const uint32_t td2[256] = {TD_WORDS(TABLE_ROTL16)};
static const uint32_t td3[256] = {TD_WORDS(TABLE_ROTL24)};

#endif
