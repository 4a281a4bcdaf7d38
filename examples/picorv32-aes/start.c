/* SPDX-License-Identifier: MIT */
/* From reset to main(): the memory already holds the program with its variables. */
#include "board.h"
#include <stdint.h>

int main(void);

extern char bss_start[], bss_bytes[], stack_top[]; /* of the linker script */

void start(void) __attribute__((naked, section(".start")));
_Noreturn void reset(void);

void start(void)
{
    __asm__("la sp, stack_top\n\t"
            "j reset");
}

void reset(void)
{
    memset(bss_start, 0, (uintptr_t)bss_bytes);
    leave(main());
}
