/* SPDX-License-Identifier: MIT */
/* te_lastR[x]: the S-box, in the byte of row R.  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_TE_LAST4_H
#define AESFIT_TABLES_TE_LAST4_H

#include "sbox_bytes.h"
#include "table_entry.h"

static const uint32_t te_last0[256] = {SBOX_BYTES(TABLE_ENTRY)};
static const uint32_t te_last1[256] = {SBOX_BYTES(TABLE_ROTL8)};
static const uint32_t te_last2[256] = {SBOX_BYTES(TABLE_ROTL16)};
static const uint32_t te_last3[256] = {SBOX_BYTES(TABLE_ROTL24)};

#endif
