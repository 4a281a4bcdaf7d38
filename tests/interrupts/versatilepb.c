/* SPDX-License-Identifier: MIT */
/* Arm Versatile/PB with ARM926EJ-S: the first timer interrupts, by way of the vectored interrupt
 * controller.  An interrupt has a stack pointer and a link register of its own.
 * Sources: ARM Architecture Reference Manual (DDI 0100I), A2.6; Versatile/PB User Guide (DUI 0225),
 * memory map, interrupts; SP804 timer (DDI 0271), PL190 controller (DDI 0181), registers. */
#include "board.h"

#define TIMER_LOAD (*(volatile uint32_t *)0x101e2000u)
#define TIMER_CONTROL (*(volatile uint32_t *)0x101e2008u)
#define TIMER_CLEAR (*(volatile uint32_t *)0x101e200cu)
#define VIC_ENABLE (*(volatile uint32_t *)0x10140010u)
enum { ENABLE = 0x80, PERIODIC = 0x40, INTERRUPTS = 0x20, BITS_32 = 0x02, TIMER_LINE = 1 << 4 };
enum { TICK_NS = 1000 }; /* 1 MHz */

void ticked(uintptr_t at);
void start(void);

uintptr_t semihosting(uintptr_t operation, const void *argument)
{
    register uintptr_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("svc 0x123456" : "+r"(r0) : "r"(r1) : "memory", "lr");
    return r0;
}

void timer_stop(void)
{
    TIMER_CONTROL = 0;
    TIMER_CLEAR = 1;
}

/* What came while the handler ran is dropped. */
void timer_start(unsigned instructions)
{
    timer_stop();
    TIMER_LOAD = instructions * INSTRUCTION_NS / TICK_NS;
    TIMER_CONTROL = ENABLE | PERIODIC | INTERRUPTS | BITS_32;
    VIC_ENABLE = TIMER_LINE;
}

__attribute__((used)) void ticked(uintptr_t at)
{
    timer_start(interrupted(at));
}

/* In the interrupt's mode; 0xd3 and 0xd2 are the modes SVC and IRQ with interrupts off. */
__attribute__((naked, used)) static void tick(void)
{
    __asm__ volatile("sub lr, lr, #4\n\t"
                     "stmfd sp!, {r0-r3, r12, lr}\n\t"
                     "msr cpsr_c, #0xd3\n\t"
                     "mov r1, sp\n\t"
                     "msr cpsr_c, #0xd2\n\t"
                     "mov r2, %0\n\t"
                     "0:\n\t"
                     "str r2, [r1, #-4]!\n\t"
                     "subs r2, r2, #1\n\t"
                     "bne 0b\n\t"
                     "ldr r0, [sp, #20]\n\t"
                     "bl ticked\n\t"
                     "ldmfd sp!, {r0-r3, r12, pc}^\n\t"
                     :
                     : "i"(CLOBBERED_WORDS));
}

/* The vectors: reset, undefined instruction, SVC, aborts, none, IRQ, FIQ. */
__attribute__((naked, section(".first"), used)) void start(void)
{
    __asm__ volatile("b 0f\n\t"
                     "b unexpected\n\t"
                     "b unexpected\n\t"
                     "b unexpected\n\t"
                     "b unexpected\n\t"
                     "b unexpected\n\t"
                     "b tick\n\t"
                     "b unexpected\n\t"
                     "0:\n\t"
                     "msr cpsr_c, #0xd2\n\t"
                     "ldr sp, =interrupt_stack_top\n\t"
                     "msr cpsr_c, #0x53\n\t" /* SVC, interrupts on */
                     "ldr sp, =stack_top\n\t"
                     "bl main\n\t"
                     "b leave\n\t"
                     ".ltorg\n\t");
}
