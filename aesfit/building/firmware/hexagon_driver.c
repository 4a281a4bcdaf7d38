/* SPDX-License-Identifier: MIT */
/* The program around an image on Hexagon: it obeys rigs/hexagon/machine.py over a pipe.
 *
 * A command is nine words: what to do, two words, and six arguments.
 *   0  read    address, bytes             answers with the bytes
 *   1  write   address, bytes             the bytes follow
 *   2  call    function, stack, arguments answers with what was returned
 *   3  map     address, bytes             answers with the address, when there was room
 * It ends with the pipe.  Everything here lies in sections .harness.*, as the rig's own. */
#include <stddef.h>
#include <stdint.h>

enum { DRIVER_READ, DRIVER_WRITE, DRIVER_CALL, DRIVER_MAP };

/* Numbers that all newer ports of Linux share (asm-generic/unistd.h). */
enum { SYS_READ = 63, SYS_WRITE = 64, SYS_EXIT_GROUP = 94, SYS_MMAP2 = 222 };
enum { PROT_READ_WRITE = 3, MAP_PRIVATE_FIXED_ANONYMOUS = 0x32 };

typedef struct {
    uint32_t what, a, b, arguments[6];
} driver_command;

#define DRIVER_OWN __attribute__((section(".harness.driver")))

void _start(void);
void rig_serve(void);
uint32_t rig_call(uint32_t function, uint32_t stack, const uint32_t *arguments);

/* rig_call puts the arguments where the ABI wants them and changes to the callee's stack.  The
 * packet at rig_call_enter is the call alone: the plugin counts from the next one to the return. */
__asm__(".section .harness.start, \"ax\", @progbits\n"
        ".globl _start\n"
        "_start: { jump rig_serve }\n"
        ".globl rig_call\n"
        "rig_call: { allocframe(#8) }\n"
        "{ memd(r29 + #0) = r17:16 }\n"
        "{ r28 = r0; r16 = r29; r29 = r1; r6 = r2 }\n"
        "{ r0 = memw(r6 + #0); r1 = memw(r6 + #4) }\n"
        "{ r2 = memw(r6 + #8); r3 = memw(r6 + #12) }\n"
        "{ r4 = memw(r6 + #16); r5 = memw(r6 + #20) }\n"
        ".globl rig_call_enter\n"
        "rig_call_enter: { callr r28 }\n"
        ".globl rig_call_leave\n"
        "rig_call_leave: { r29 = r16 }\n"
        "{ r17:16 = memd(r29 + #0) }\n"
        "{ dealloc_return }\n"
        ".previous\n");

DRIVER_OWN static uint32_t driver_system(uint32_t number, uint32_t a, uint32_t b, uint32_t c,
                                         uint32_t d, uint32_t e)
{
    register uint32_t r0 __asm__("r0") = a;
    register uint32_t r1 __asm__("r1") = b;
    register uint32_t r2 __asm__("r2") = c;
    register uint32_t r3 __asm__("r3") = d;
    register uint32_t r4 __asm__("r4") = e;
    register uint32_t r5 __asm__("r5") = 0;
    register uint32_t r6 __asm__("r6") = number;
    __asm__ volatile("trap0(#1)"
                     : "+r"(r0)
                     : "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6)
                     : "memory");
    return r0;
}

/* All bytes in or out; at the pipe's end the program ends. */
DRIVER_OWN static void driver_move(uint32_t number, uint32_t address, uint32_t bytes)
{
    uint32_t pipe = number == SYS_READ ? 0 : 1;
    while (bytes > 0) {
        uint32_t moved = driver_system(number, pipe, address, bytes, 0, 0);
        if (moved == 0 || moved > bytes)
            (void)driver_system(SYS_EXIT_GROUP, 0, 0, 0, 0, 0);
        address += moved;
        bytes -= moved;
    }
}

DRIVER_OWN static void driver_answer(uint32_t word)
{
    driver_move(SYS_WRITE, (uint32_t)(uintptr_t)&word, sizeof word);
}

DRIVER_OWN void rig_serve(void)
{
    driver_command c;
    for (;;) {
        driver_move(SYS_READ, (uint32_t)(uintptr_t)&c, sizeof c);
        if (c.what == DRIVER_READ)
            driver_move(SYS_WRITE, c.a, c.b);
        else if (c.what == DRIVER_WRITE)
            driver_move(SYS_READ, c.a, c.b);
        else if (c.what == DRIVER_CALL)
            driver_answer(rig_call(c.a, c.b, c.arguments));
        else
            driver_answer(driver_system(SYS_MMAP2, c.a, c.b, PROT_READ_WRITE,
                                        MAP_PRIVATE_FIXED_ANONYMOUS, 0xffffffff));
    }
}
