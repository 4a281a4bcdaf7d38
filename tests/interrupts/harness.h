/* SPDX-License-Identifier: MIT */
/* What programs under interrupts share: interrupts between two calls, counted where they come
 * inside the code of inside_begin to inside_end. Exit codes: 0 good, 1 a wrong answer under
 * interrupts, 2 too few of them, 3 another exception, 4 a wrong answer without any. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stddef.h>
#include <stdint.h>

void disturb_begin(void); /* interrupts come from here on */
void disturb_end(void);

unsigned inside(void);    /* how many came inside so far */
unsigned addresses(void); /* at how many different addresses */

int equal(const uint8_t *a, const uint8_t *b, size_t bytes);
void print(const char *name, unsigned number);

#endif
