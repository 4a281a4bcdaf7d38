/* SPDX-License-Identifier: MIT */
/* Unsigned division for Hexagon, which has no instruction for it: what gcc's own library brings to
 * the other platforms.  One bit of the quotient in each step; what nobody calls is not linked. */
#include <stdint.h>

uint32_t __hexagon_udivsi3(uint32_t dividend, uint32_t divisor);
uint32_t __hexagon_umodsi3(uint32_t dividend, uint32_t divisor);

typedef struct {
    uint32_t quotient, remainder;
} division;

static inline division divide(uint32_t dividend, uint32_t divisor)
{
    division d = {0, 0};
    for (int bit = 31; bit >= 0; bit--) {
        uint32_t carry = d.remainder >> 31;
        d.remainder = d.remainder << 1 | (dividend >> bit & 1);
        d.quotient <<= 1;
        if (carry || d.remainder >= divisor) {
            d.remainder -= divisor;
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
