/* SPDX-License-Identifier: MIT */
/* The inverse S-box (FIPS 197, 5.3.2).  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_INV_SBOX_H
#define AESFIT_TABLES_INV_SBOX_H

#include "inv_sbox_bytes.h"
#include "table_entry.h"

static const uint8_t inv_sbox[256] = {INV_SBOX_BYTES(TABLE_ENTRY)};

#endif
