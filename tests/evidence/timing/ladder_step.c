/* SPDX-License-Identifier: MIT */
/* A step of the Montgomery ladder of X25519 (RFC 7748, section 5), with its two swaps. */
#include "field_25519.h"

typedef struct {
    field x2, z2, x3, z3;
} ladder;

void ladder_step(ladder *state, const field *x1, uint32_t bit);

void ladder_step(ladder *state, const field *x1, uint32_t bit)
{
    static const field a24 = {{121665}};
    field a, aa, b, bb, e, c, d;
    field_swap(&state->x2, &state->x3, bit & 1);
    field_swap(&state->z2, &state->z3, bit & 1);
    field_add(&a, &state->x2, &state->z2);
    field_subtract(&b, &state->x2, &state->z2);
    field_add(&c, &state->x3, &state->z3);
    field_subtract(&d, &state->x3, &state->z3);
    field_multiply(&aa, &a, &a);
    field_multiply(&bb, &b, &b);
    field_subtract(&e, &aa, &bb);
    field_multiply(&d, &d, &a);
    field_multiply(&c, &c, &b);
    field_add(&state->x3, &d, &c);
    field_multiply(&state->x3, &state->x3, &state->x3);
    field_subtract(&state->z3, &d, &c);
    field_multiply(&state->z3, &state->z3, &state->z3);
    field_multiply(&state->z3, &state->z3, x1);
    field_multiply(&state->x2, &aa, &bb);
    field_multiply(&c, &e, &a24);
    field_add(&c, &c, &aa);
    field_multiply(&state->z2, &e, &c);
    field_swap(&state->x2, &state->x3, bit & 1);
    field_swap(&state->z2, &state->z3, bit & 1);
}
