/* SPDX-License-Identifier: MIT */
/* From reset to main().
 * Source: The RISC-V Instruction Set Manual, volume II (privileged, 20211203), 3.1.7: mtvec holds
 * the address of the trap handler, a multiple of 4.  The linker script gives no
 * __global_pointer$, so nothing is addressed from gp and it needs no value. */
#include "board.h"
#include <stdint.h>

int main(void);

/* Symbols of the linker script; those named bytes are sizes, which their addresses tell. */
extern char data_start[], data_load[], data_bytes[], bss_start[], bss_bytes[], stack_top[];

void start(void) __attribute__((naked, section(".start")));
_Noreturn void reset(void);

/* The first instructions: there is no stack yet. */
void start(void)
{
    __asm__("la sp, stack_top\n\t"
            "j reset");
}

__attribute__((aligned(4))) static void unexpected(void)
{
    print("FAIL  unexpected trap\n");
    leave(1);
}

void reset(void)
{
    __asm__ volatile(".option push\n\t"
                     ".option arch, +zicsr\n\t"
                     "csrw mtvec, %0\n\t"
                     ".option pop"
                     :
                     : "r"(unexpected));
    memcpy(data_start, data_load, (uintptr_t)data_bytes);
    memset(bss_start, 0, (uintptr_t)bss_bytes);
    leave(main());
}
