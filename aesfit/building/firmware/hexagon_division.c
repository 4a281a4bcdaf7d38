/* SPDX-License-Identifier: MIT */
/* Unsigned division for Hexagon, which has no instruction for it: what gcc's own library brings to
 * the other platforms.  One step for each bit of the quotient; what nobody calls is not linked. */
#include <stdint.h>

uint32_t __hexagon_udivsi3(uint32_t dividend, uint32_t divisor);
uint32_t __hexagon_umodsi3(uint32_t dividend, uint32_t divisor);

typedef struct {
    uint32_t quotient, remainder;
} division;

static inline division divide(uint32_t dividend, uint32_t divisor)
{
    division d = {0, dividend};
    if (divisor == 0 || divisor > dividend) {
        return d;
    }
    int shift = __builtin_clz(divisor) - __builtin_clz(dividend);
    for (uint32_t part = divisor << shift; shift >= 0; shift--, part >>= 1) {
        d.quotient <<= 1;
        if (d.remainder >= part) {
            d.remainder -= part;
            d.quotient |= 1;
        }
    }
    return d;
}

uint32_t __hexagon_udivsi3(uint32_t dividend, uint32_t divisor)
{
    return divide(dividend, divisor).quotient;
}

uint32_t __hexagon_umodsi3(uint32_t dividend, uint32_t divisor)
{
    return divide(dividend, divisor).remainder;
}
