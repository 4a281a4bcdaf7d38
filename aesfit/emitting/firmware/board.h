/* SPDX-License-Identifier: MIT */
/* What main.c needs of a board. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>

void print(const char *text);
_Noreturn void leave(int code); /* ends the program: 0 is good */

/* Without a libc, memory.c has these two; gcc and the drop-in call them. */
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);

#endif
