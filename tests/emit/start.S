/* SPDX-License-Identifier: MIT */
/* Start of a program without a libc, and Linux system calls, for every machine that is emulated by
 * qemu-user: exit, read and write have the numbers of the machine's own table. */

/* FUNCTION(name): a global function starts. */
#if defined(__thumb__)
#define FUNCTION(name) .globl name; .thumb_func; .type name, %function; name:
#elif defined(__arm__)
#define FUNCTION(name) .globl name; .type name, %function; name:
#else
#define FUNCTION(name) .globl name; .type name, @function; name:
#endif

.text

#if defined(__arm__)
.syntax unified
.macro SYSTEM number
    push {r7, lr}
    movs r7, #\number
    svc 0
    pop {r7, pc}
.endm
FUNCTION(_start)
    bl driver_main
    movs r7, #1
    svc 0
FUNCTION(driver_read)
    SYSTEM 3
FUNCTION(driver_write)
    SYSTEM 4

#elif defined(__aarch64__)
.macro SYSTEM number
    mov x8, #\number
    svc 0
    ret
.endm
FUNCTION(_start)
    bl driver_main
    mov x8, #93
    svc 0
FUNCTION(driver_read)
    SYSTEM 63
FUNCTION(driver_write)
    SYSTEM 64

#elif defined(__riscv)
.macro SYSTEM number
    li a7, \number
    ecall
    ret
.endm
FUNCTION(_start)
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    call driver_main
    li a7, 93
    ecall
FUNCTION(driver_read)
    SYSTEM 63
FUNCTION(driver_write)
    SYSTEM 64

#elif defined(__powerpc__)
.macro SYSTEM number
    li 0, \number
    sc
    blr
.endm
FUNCTION(_start)
    li 0, 0
    stwu 1, -16(1)
    stw 0, 0(1)
    bl driver_main
    li 0, 1
    sc
FUNCTION(driver_read)
    SYSTEM 3
FUNCTION(driver_write)
    SYSTEM 4

#elif defined(__mips__)
.macro SYSTEM number
    li $v0, \number
    syscall
    jr $ra
.endm
FUNCTION(_start)
    addiu $sp, $sp, -16 /* where a function may store its first four arguments */
    jal driver_main
    move $a0, $v0
    li $v0, 4001
    syscall
FUNCTION(driver_read)
    SYSTEM 4003
FUNCTION(driver_write)
    SYSTEM 4004

#else
#error "no system calls are known for this machine"
#endif
