/* SPDX-License-Identifier: MIT */
/* QEMU's RISC-V machine "virt": the timer of the core-local interruptor (CLINT).  The handler keeps
 * the registers that a call may change on a stack of its own.
 * Sources: The RISC-V Instruction Set Manual, volume II (privileged, 20211203), 3.1.6 to 3.2.1;
 * SiFive FE310-G002 Manual, chapter 9 (CLINT). */
#include "board.h"

#define MTIMECMP ((volatile uint32_t *)0x02004000u)
#define MTIME (*(volatile uint32_t *)0x0200bff8u)
enum { TICK_NS = 100 }; /* 10 MHz; the upper half of the time stays 0 here */

void start(void);
void ticked(uintptr_t at, uint32_t cause);

uintptr_t semihosting(uintptr_t operation, const void *argument)
{
    register uintptr_t a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = argument;
    __asm__ volatile(".option push\n\t"
                     ".option norvc\n\t"
                     ".balign 16\n\t"
                     "slli x0, x0, 0x1f\n\t"
                     "ebreak\n\t"
                     "srai x0, x0, 7\n\t"
                     ".option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return a0;
}

void timer_start(unsigned instructions)
{
    MTIMECMP[1] = 0;
    MTIMECMP[0] = MTIME + instructions * INSTRUCTION_NS / TICK_NS;
}

void timer_stop(void)
{
    MTIMECMP[1] = 0xffffffffu;
}

__attribute__((used)) void ticked(uintptr_t at, uint32_t cause)
{
    if (cause != 0x80000007u) /* the machine's timer */
        unexpected();
    timer_start(interrupted(at));
}

__attribute__((naked, aligned(4), used)) static void trap(void)
{
    __asm__ volatile(".option push\n\t"
                     ".option arch, +zicsr\n\t"
                     "csrrw sp, mscratch, sp\n\t"
                     "addi sp, sp, -64\n\t"
                     "sw ra, 0(sp)\n\t"
                     "sw t0, 4(sp)\n\t"
                     "sw t1, 8(sp)\n\t"
                     "sw t2, 12(sp)\n\t"
                     "sw t3, 16(sp)\n\t"
                     "sw t4, 20(sp)\n\t"
                     "sw t5, 24(sp)\n\t"
                     "sw t6, 28(sp)\n\t"
                     "sw a0, 32(sp)\n\t"
                     "sw a1, 36(sp)\n\t"
                     "sw a2, 40(sp)\n\t"
                     "sw a3, 44(sp)\n\t"
                     "sw a4, 48(sp)\n\t"
                     "sw a5, 52(sp)\n\t"
                     "sw a6, 56(sp)\n\t"
                     "sw a7, 60(sp)\n\t"
                     "csrr t0, mscratch\n\t"
                     "li t1, %0\n\t"
                     "0:\n\t"
                     "addi t0, t0, -4\n\t"
                     "sw t1, 0(t0)\n\t"
                     "addi t1, t1, -1\n\t"
                     "bnez t1, 0b\n\t"
                     "csrr a0, mepc\n\t"
                     "csrr a1, mcause\n\t"
                     "call ticked\n\t"
                     "lw ra, 0(sp)\n\t"
                     "lw t0, 4(sp)\n\t"
                     "lw t1, 8(sp)\n\t"
                     "lw t2, 12(sp)\n\t"
                     "lw t3, 16(sp)\n\t"
                     "lw t4, 20(sp)\n\t"
                     "lw t5, 24(sp)\n\t"
                     "lw t6, 28(sp)\n\t"
                     "lw a0, 32(sp)\n\t"
                     "lw a1, 36(sp)\n\t"
                     "lw a2, 40(sp)\n\t"
                     "lw a3, 44(sp)\n\t"
                     "lw a4, 48(sp)\n\t"
                     "lw a5, 52(sp)\n\t"
                     "lw a6, 56(sp)\n\t"
                     "lw a7, 60(sp)\n\t"
                     "addi sp, sp, 64\n\t"
                     "csrrw sp, mscratch, sp\n\t"
                     "mret\n\t"
                     ".option pop\n\t"
                     :
                     : "i"(CLOBBERED_WORDS));
}

__attribute__((naked, section(".first"), used)) void start(void)
{
    __asm__ volatile(".option push\n\t"
                     ".option arch, +zicsr\n\t"
                     "la sp, stack_top\n\t"
                     "la t0, interrupt_stack_top\n\t"
                     "csrw mscratch, t0\n\t"
                     "la t0, trap\n\t"
                     "csrw mtvec, t0\n\t"
                     "li t0, -1\n\t"
                     "la t1, 0x02004004\n\t"
                     "sw t0, 0(t1)\n\t" /* no interrupt yet */
                     "li t0, 0x80\n\t"
                     "csrw mie, t0\n\t" /* of the timer */
                     "csrsi mstatus, 8\n\t"
                     "call main\n\t"
                     "tail leave\n\t"
                     ".option pop\n\t");
}
