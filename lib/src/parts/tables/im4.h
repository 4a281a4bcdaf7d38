/* SPDX-License-Identifier: MIT */
/* imR[x]: InvMixColumns of a byte in row R.  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_IM4_H
#define AESFIT_TABLES_IM4_H

#include "im_words.h"
#include "table_entry.h"

static const uint32_t im0[256] = {IM_WORDS(TABLE_ENTRY)};
static const uint32_t im1[256] = {IM_WORDS(TABLE_ROTL8)};
static const uint32_t im2[256] = {IM_WORDS(TABLE_ROTL16)};
static const uint32_t im3[256] = {IM_WORDS(TABLE_ROTL24)};

#endif
