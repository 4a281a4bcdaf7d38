/* SPDX-License-Identifier: MIT */
/* A board of QEMU, with the one timer that interrupts.  Its handler writes over all that an
 * interrupt may: the memory below the stack pointer, and what the processor or the handler itself
 * restores. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

enum { CLOBBERED_WORDS = 64 }; /* below the stack pointer of what is interrupted */

/* QEMU, -icount shift=10: an instruction takes 1024 ns of the machine's time, more than a tick of
 * any of the timers, so that an interrupt comes exactly between two given instructions. */
enum { INSTRUCTION_NS = 1024 };

void timer_start(unsigned instructions); /* interrupts after so many, and a few of the board */
void timer_stop(void);                   /* no interrupt comes from here on */

/* By semihosting (Arm, Semihosting for AArch32 and AArch64, 2020Q4; RISC-V has the same calls). */
uintptr_t semihosting(uintptr_t operation, const void *argument);

/* What the boards call. */
int main(void);
unsigned interrupted(uintptr_t at); /* by the handler, with the address; instructions to the next */
_Noreturn void leave(int code);
_Noreturn void unexpected(void); /* any other exception */

#endif
