/* SPDX-License-Identifier: MIT */
/* The processor's cycles, modulo CYCLES_MASK + 1.  A debugger that halts stops them too.
 * Sources: Armv7-M Architecture Reference Manual (DDI 0403E), C1.6.5 and C1.8: DEMCR and DWT;
 * Armv6-M Architecture Reference Manual (DDI 0419E), B3.3: SysTick, which counts down. */
#ifndef CYCLES_H
#define CYCLES_H

#include <stdint.h>

#if __ARM_ARCH == 6
#define CYCLES_MASK 0xffffffu
#define SYST_CSR (*(volatile uint32_t *)0xe000e010u) /* bit 0: on; bit 2: clock of the core */
#define SYST_RVR (*(volatile uint32_t *)0xe000e014u)
#define SYST_CVR (*(volatile uint32_t *)0xe000e018u)

static inline uint32_t cycles(void)
{
    if ((SYST_CSR & 1u) == 0) {
        SYST_RVR = CYCLES_MASK;
        SYST_CVR = 0;
        SYST_CSR = 5;
    }
    return CYCLES_MASK - SYST_CVR;
}
#else
#define CYCLES_MASK 0xffffffffu
#define DEMCR (*(volatile uint32_t *)0xe000edfcu)    /* bit 24, TRCENA: the DWT runs */
#define DWT_CTRL (*(volatile uint32_t *)0xe0001000u) /* bit 0, CYCCNTENA */
#define DWT_CYCCNT (*(volatile uint32_t *)0xe0001004u)

static inline uint32_t cycles(void)
{
    DEMCR |= 1u << 24;
    DWT_CTRL |= 1u;
    return DWT_CYCCNT;
}
#endif

#endif
