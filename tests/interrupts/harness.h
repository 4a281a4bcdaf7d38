/* SPDX-License-Identifier: MIT */
/* What programs under interrupts share: interrupts between two calls, counted where they come
 * inside the code of inside_begin to inside_end. Exit codes: 0 good, 1 a wrong answer under
 * interrupts, 2 none of them inside, 3 another exception, 4 a wrong answer without any.
 *
 * The timer starts again at the end of the handler, so that from one interrupt to the next the same
 * number of the interrupted instructions runs, less than PERIOD.  Calls that do the same, with the
 * first interrupt after 1, 2, ... PERIOD instructions, are so interrupted before every instruction
 * that they run. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stddef.h>
#include <stdint.h>

enum { PERIOD = 64 }; /* instructions; a handler ends with less than half as many */

void disturb_begin(unsigned first); /* interrupts come from here on, after `first` instructions */
void disturb_end(void);

unsigned inside(void);      /* how many came inside so far */
void print_addresses(void); /* where: a word for 32 half-words of the code, bit 0 the first */

int equal(const uint8_t *a, const uint8_t *b, size_t bytes);
void print(const char *name, unsigned number);

#endif
