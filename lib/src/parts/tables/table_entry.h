/* SPDX-License-Identifier: MIT */
/* What becomes of each number of a list: the entry of a table, as it is or rotated left. */
#ifndef AESFIT_TABLES_TABLE_ENTRY_H
#define AESFIT_TABLES_TABLE_ENTRY_H

#include <stdint.h>

#define TABLE_ENTRY(x) x,
#define TABLE_ROTL8(x) ((uint32_t)(x) << 8 | (uint32_t)(x) >> 24),
#define TABLE_ROTL16(x) ((uint32_t)(x) << 16 | (uint32_t)(x) >> 16),
#define TABLE_ROTL24(x) ((uint32_t)(x) << 24 | (uint32_t)(x) >> 8),
#define TABLE_ROWS(x) TABLE_ENTRY(x) TABLE_ROTL8(x) TABLE_ROTL16(x) TABLE_ROTL24(x)

#endif
