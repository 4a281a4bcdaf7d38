/* SPDX-License-Identifier: MIT */
/* A product modulo 2^255 - 19: 100 long multiplications. */
#include "field_25519.h"

void field_product(field *out, const field *a, const field *b);

void field_product(field *out, const field *a, const field *b)
{
    field_multiply(out, a, b);
}
