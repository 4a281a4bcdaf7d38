/* SPDX-License-Identifier: MIT */
/* td_last[x]: the inverse S-box, a word each.  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_TD_LAST_H
#define AESFIT_TABLES_TD_LAST_H

#include "inv_sbox_bytes.h"
#include "table_entry.h"

static const uint32_t td_last[256] = {INV_SBOX_BYTES(TABLE_ENTRY)};

#endif
