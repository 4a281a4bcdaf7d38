/* SPDX-License-Identifier: MIT */
/* From reset to main().
 * Source: Armv7-M Architecture Reference Manual (DDI 0403E), B1.5.2 and B1.5.3: at address 0
 * stands the initial stack pointer, then the handlers of exceptions 1 (reset) to 15 (SysTick),
 * then those of interrupts, of which this firmware enables none. */
#include "board.h"
#include <stdint.h>

int main(void);

/* Symbols of the linker script; those named bytes are sizes, which their addresses tell. */
extern char data_start[], data_load[], data_bytes[], bss_start[], bss_bytes[], stack_top[];

_Noreturn void reset(void)
{
    memcpy(data_start, data_load, (uintptr_t)data_bytes);
    memset(bss_start, 0, (uintptr_t)bss_bytes);
    leave(main());
}

static void unexpected(void)
{
    print("FAIL  unexpected exception\n");
    leave(1);
}

typedef void handler(void);

static const struct {
    void *stack;
    handler *handlers[15];
} vectors __attribute__((section(".vectors"), used)) = {
    stack_top,
    {reset, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected,
     unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected},
};
