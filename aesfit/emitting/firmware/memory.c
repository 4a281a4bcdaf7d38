/* SPDX-License-Identifier: MIT */
/* All that AES needs of a libc, byte by byte. With a libc (-lc) leave this file out. */
#include "board.h"

void *memcpy(void *to, const void *from, size_t bytes)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    while (bytes-- > 0)
        *t++ = *f++;
    return to;
}

void *memset(void *to, int byte, size_t bytes)
{
    unsigned char *t = to;
    while (bytes-- > 0)
        *t++ = (unsigned char)byte;
    return to;
}
