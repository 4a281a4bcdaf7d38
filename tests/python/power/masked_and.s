@ SPDX-License-Identifier: MIT
@ A masked AND of two shares and a random word (domain-oriented masking, Gross and others 2016).
@ r0, r1: shares of a; r2, r3: shares of b; on the stack the random word and where the second share
@ of the result goes; the first is returned.
    .syntax unified
    .thumb
    .text
    .global masked_and
    .type masked_and, %function
    .thumb_func
masked_and:
    push {r4, r5, r6, r7}
    ldr r12, [sp, #16]
    ldr r7, [sp, #20]
    mov r6, #0
    and.w r4, r0, r3
    eor.w r4, r4, r12       @ a0 b1 + r, with other operands between b1 and b0
    and.w r5, r0, r2
    eor.w r5, r5, r4        @ a0 b0 + (a0 b1 + r)
    and.w r6, r6, r6        @ or the first latch would take a1 after a0 b0
    and.w r4, r1, r2
    eor.w r4, r4, r12       @ a1 b0 + r
    and.w r12, r1, r3
    eor.w r12, r12, r4      @ a1 b1 + (a1 b0 + r)
    str.w r12, [r7]
    mov r0, r5
    pop {r4, r5, r6, r7}
    bx lr
    .size masked_and, . - masked_and
