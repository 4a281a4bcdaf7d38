/* SPDX-License-Identifier: MIT */
/* Moves by 8 bytes inside one buffer, for formats that put a field before the data: the ranges
 * overlap, which memcpy does not allow.  to and from may also be unrelated buffers.  Without
 * AESFIT_BARRIER() compilers would know the loops, and call memmove. */
#ifndef AESFIT_PARTS_MOVE_H
#define AESFIT_PARTS_MOVE_H

#include "bytes.h"
#include "wipe.h"

/* to = from or from + 8: from the end. */
AESFIT_INLINE void move_up8(uint8_t *to, const uint8_t *from, size_t bytes)
{
    uint8_t piece[8];
    for (; bytes >= 8; bytes -= 8) {
        memcpy(piece, from + bytes - 8, 8);
        memcpy(to + bytes - 8, piece, 8);
        AESFIT_BARRIER(bytes);
    }
    for (size_t i = 0; i < bytes; i++) {
        to[i] = from[i];
        AESFIT_BARRIER(i);
    }
    wipe(piece, sizeof piece);
}

/* to = from or from - 8: from the start. */
AESFIT_INLINE void move_down8(uint8_t *to, const uint8_t *from, size_t bytes)
{
    uint8_t piece[8];
    for (; bytes >= 8; bytes -= 8, to += 8, from += 8) {
        memcpy(piece, from, 8);
        memcpy(to, piece, 8);
        AESFIT_BARRIER(bytes);
    }
    for (size_t i = 0; i < bytes; i++) {
        to[i] = from[i];
        AESFIT_BARRIER(i);
    }
    wipe(piece, sizeof piece);
}

#endif
