/* SPDX-License-Identifier: MIT */
/* te_last[x]: the S-box, a word each.  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_TE_LAST_H
#define AESFIT_TABLES_TE_LAST_H

#include "sbox_bytes.h"
#include "table_entry.h"

static const uint32_t te_last[256] = {SBOX_BYTES(TABLE_ENTRY)};

#endif
