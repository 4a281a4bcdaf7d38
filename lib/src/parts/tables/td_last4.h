/* SPDX-License-Identifier: MIT */
/* td_lastR[x]: the inverse S-box, in the byte of row R.  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_TD_LAST4_H
#define AESFIT_TABLES_TD_LAST4_H

#include "inv_sbox_bytes.h"
#include "table_entry.h"

static const uint32_t td_last0[256] = {INV_SBOX_BYTES(TABLE_ENTRY)};
static const uint32_t td_last1[256] = {INV_SBOX_BYTES(TABLE_ROTL8)};
static const uint32_t td_last2[256] = {INV_SBOX_BYTES(TABLE_ROTL16)};
static const uint32_t td_last3[256] = {INV_SBOX_BYTES(TABLE_ROTL24)};

#endif
