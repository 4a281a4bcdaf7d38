/* SPDX-License-Identifier: MIT */
/* Arm MPS2 with Cortex-M3 (AN385) or M4 (AN386): SysTick interrupts.  On entry the processor stores
 * r0-r3, r12, lr, pc and the flags below the stack pointer, and takes them back on return.
 * Source: Armv7-M Architecture Reference Manual (DDI 0403E), B1.5.6 to B1.5.8, B3.3. */
#include "board.h"

#define SYST_CSR (*(volatile uint32_t *)0xe000e010u)
#define SYST_RVR (*(volatile uint32_t *)0xe000e014u)
#define SYST_CVR (*(volatile uint32_t *)0xe000e018u)
#define ICSR (*(volatile uint32_t *)0xe000ed04u)
enum { CSR_ENABLE = 1, CSR_TICKINT = 2, CSR_CLKSOURCE = 4, ICSR_PENDSTCLR = 1 << 25 };
enum { TICK_NS = 40 };    /* 25 MHz (DAI 0385, clocks) */
enum { START_TICKS = 3 }; /* to load the counter, and from 1 to 0: at most */

extern char stack_top[];
unsigned ticked(const uint32_t *frame);

uintptr_t semihosting(uintptr_t operation, const void *argument)
{
    register uintptr_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void timer_stop(void)
{
    SYST_CSR = 0;
    ICSR = ICSR_PENDSTCLR;
}

/* What came while the handler ran is dropped. */
void timer_start(unsigned instructions)
{
    timer_stop();
    SYST_RVR = instructions * INSTRUCTION_NS / TICK_NS - START_TICKS;
    SYST_CVR = 0;
    SYST_CSR = CSR_ENABLE | CSR_TICKINT | CSR_CLKSOURCE;
}

/* r0, r1, r2, r3, r12, lr, pc, xpsr */
__attribute__((used)) unsigned ticked(const uint32_t *frame)
{
    timer_start(interrupted(frame[6]));
    return 0;
}

__attribute__((naked)) static void tick(void)
{
    __asm__ volatile("mrs r0, msp\n\t"
                     "mov r1, r0\n\t"
                     "mov r2, %0\n\t"
                     "0:\n\t"
                     "str r2, [r1, #-4]!\n\t"
                     "subs r2, r2, #1\n\t"
                     "bne 0b\n\t"
                     "push {r4, lr}\n\t"
                     "bl ticked\n\t"
                     "mvn r0, #0\n\t"
                     "mov r1, r0\n\t"
                     "mov r2, r0\n\t"
                     "mov r3, r0\n\t"
                     "mov r12, r0\n\t"
                     "msr apsr_nzcvq, r0\n\t"
                     "pop {r4, pc}\n\t"
                     :
                     : "i"(CLOBBERED_WORDS));
}

static void reset(void)
{
    leave(main());
}

typedef void handler(void);

static const struct {
    void *stack;
    handler *handlers[15];
} vectors __attribute__((section(".first"), used)) = {
    stack_top,
    {reset, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected,
     unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, tick},
};
