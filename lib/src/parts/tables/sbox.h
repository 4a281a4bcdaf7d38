/* SPDX-License-Identifier: MIT */
/* The S-box (FIPS 197, 5.1.1).  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_SBOX_H
#define AESFIT_TABLES_SBOX_H

#include "sbox_bytes.h"
#include "table_entry.h"

static const uint8_t sbox[256] = {SBOX_BYTES(TABLE_ENTRY)};

#endif
