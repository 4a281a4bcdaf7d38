/* SPDX-License-Identifier: MIT */
/* Text and the exit code go to the debugger or emulator, by semihosting.
 * Source: Arm, Semihosting for AArch32 and AArch64, 2020Q4: the operation's number in r0, its
 * argument in r1, BKPT 0xAB on M-profile processors. With nobody attached BKPT is a HardFault:
 * for a product put a UART here. */
#include "board.h"
#include <stdint.h>

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, ADP_STOPPED_APPLICATION_EXIT = 0x20026 };

static void semihosting(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void print(const char *text)
{
    semihosting(SYS_WRITE0, text);
}

void leave(int code)
{
    const uint32_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, (uint32_t)code};
    for (;;)
        semihosting(SYS_EXIT_EXTENDED, block);
}
