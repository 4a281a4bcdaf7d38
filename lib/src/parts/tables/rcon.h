/* SPDX-License-Identifier: MIT */
/* Round constants x^0 .. x^9 (FIPS 197, 5.2).  Made by tools/make_tables.py. */
#ifndef AESFIT_TABLES_RCON_H
#define AESFIT_TABLES_RCON_H

#include <stdint.h>

static const uint8_t rcon[10] = {
    0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36,
};

#endif
