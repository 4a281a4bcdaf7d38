# SPDX-License-Identifier: MIT
"""Every way to address memory, by instruction set, for test_tracer_accesses.py.

Each function gets the address of 256 bytes of zeros.
"""

ARM = {
    "single": "add r1, r0, #64; mov r2, #8; ldr r3, [r1]; ldr r3, [r1, #4]; str r3, [r1, #-4];"
    "ldr r3, [r1, r2]; str r3, [r1, -r2]; ldrb r3, [r1, #3]; strb r3, [r1, -r2]; bx lr",
    "shifted": "add r1, r0, #64; mov r2, #8; mov r12, #128; ldr r3, [r1, r2, lsl #2];"
    "ldr r3, [r1, r12, lsr #4]; ldr r3, [r1, r12, asr #3]; ldr r3, [r1, -r12, ror #2];"
    "ldr r3, [r1, r2, lsr #32]; ldr r3, [r1, r2, asr #32]; mvn r12, #0;"
    "ldrb r3, [r1, r12, asr #32]; ldrb r3, [r1, r12, asr #2]; bx lr",
    "with_carry": "add r1, r0, #64; mov r2, #8; sub r12, r1, #0x80000000; cmp r0, r0;"
    "ldr r3, [r12, r2, rrx]; cmn r2, #0; ldr r3, [r1, r2, rrx]; bx lr",
    "updating": "add r1, r0, #64; mov r2, #8; ldr r3, [r1], #4; str r3, [r1], #-4;"
    "ldr r3, [r1, #4]!; str r3, [r1, #-4]!; ldr r3, [r1], r2; ldr r3, [r1, -r2]!;"
    "ldr r3, [r1], r2, lsl #1; ldrh r3, [r1], #-2; strh r3, [r1, r2]!; bx lr",
    "half": "add r1, r0, #64; mov r2, #8; ldrh r3, [r1, #0xf2 - 0xe0]; ldrh r3, [r1, -r2];"
    "ldrsb r3, [r1, #-3]; ldrsb r3, [r1, r2]; ldrsh r3, [r1, #34]; strh r3, [r1, #-2];"
    "strh r3, [r1, r2]; bx lr",
    "many": "push {r4-r7}; add r1, r0, #64; ldmia r1, {r2, r3}; ldmib r1, {r2, r3, r12};"
    "ldmda r1, {r2}; ldmdb r1, {r2-r5}; stmia r1!, {r2, r3}; stmib r1!, {r2, r3};"
    "stmda r1!, {r2, r3, r12}; stmdb r1!, {r2}; pop {r4-r7}; bx lr",
    "others": "ldr r3, 1f; ldrh r3, 1f; swp r3, r2, [r0]; swpb r3, r2, [r0]; cmp r0, #0;"
    "ldreq r3, [r0]; ldrne r3, [r0, #8]; push {r0}; pop {r0}; bx lr; 1: .word 7",
}

_INDEXED = ("str", "strh", "strb", "ldrsb", "ldr", "ldrh", "ldrb", "ldrsh")

THUMB1 = {
    "single": "adds r0, #64; movs r2, #8;" + "".join(f"{n} r3, [r0, r2];" for n in _INDEXED)
    + "ldr r3, [r0, #124]; str r3, [r0, #4]; ldrb r3, [r0, #31]; strb r3, [r0, #1];"
    "ldrh r3, [r0, #62]; strh r3, [r0, #2]; bx lr",
    "stacked": "push {r4, lr}; sub sp, #16; str r3, [sp, #12]; ldr r3, [sp, #12];"
    "add sp, #16; pop {r4, pc}",
    "many": "ldmia r0!, {r1, r2, r3}; stmia r0!, {r1, r3}; ldmia r0, {r0, r1}; bx lr",
    "literal": "ldr r3, 1f; nop; ldr r3, 1f; bx lr; .balign 4; 1: .word 7",
}  # fmt: skip

THUMB2 = {
    "wide": "add r1, r0, #64; movs r2, #8; ldr.w r3, [r1, #160]; str.w r3, [r1, #12];"
    "ldr r3, [r1, #-4]; str r3, [r1, #-8]; ldrb.w r3, [r1, #33]; ldrsb.w r3, [r1, #-1];"
    "ldrsh.w r3, [r1, #66]; strh.w r3, [r1, #-6]; strb.w r3, [r1, #-7]; bx lr",
    "scaled": "add r1, r0, #64; movs r2, #8; ldr.w r3, [r1, r2, lsl #3];"
    "str.w r3, [r1, r2, lsl #2]; ldrb.w r3, [r1, r2, lsl #1]; ldrsh.w r3, [r1, r2]; bx lr",
    "updating": "add r1, r0, #64; ldr r3, [r1], #4; str r3, [r1], #-4; ldr r3, [r1, #8]!;"
    "strb r3, [r1, #-8]!; ldrh r3, [r1], #2; ldrsb r3, [r1, #-2]!; bx lr",
    "double": "add r1, r0, #64; ldrd r2, r3, [r1, #-8]; strd r2, r3, [r1, #16];"
    "ldrd r2, r3, [r1], #8; strd r2, r3, [r1, #-8]!; ldrd r2, r3, 1f; bx lr; .balign 4;"
    "1: .word 7, 8",
    "lists": "push.w {r4-r8, lr}; add r1, r0, #64; ldmdb r1, {r2-r5}; stmdb r1!, {r2, r3};"
    "ldmia.w r1!, {r2, r8}; stmia.w r1, {r2, r8}; push.w {r8}; pop.w {r8}; pop.w {r4-r8, pc}",
    "pc_relative": "nop; ldr.w r3, 1f; ldrb.w r3, 1f; ldrsh.w r3, 1f; bx lr; .balign 4; 1: .word 7",
    "unprivileged": "ldrt r3, [r0, #4]; strbt r3, [r0, #5]; ldrht r3, [r0, #6]; bx lr",
    "hints": "pld [r0, #8]; pld [r0, #-8]; nop; ldr r3, [r0]; bx lr",
    "exclusive": "ldrex r1, [r0, #8]; strex r2, r1, [r0, #8]; ldrexb r1, [r0];"
    "strexb r2, r1, [r0]; ldrexh r1, [r0]; strexh r2, r1, [r0]; bx lr",
    "byte_table": "movs r2, #1; tbb [pc, r2]; 1: .byte (2f - 1b) / 2, (3f - 1b) / 2;"
    "2: nop; 3: bx lr",
    "half_table": "movs r2, #1; nop; tbh [pc, r2, lsl #1]; 1: .hword (2f - 1b) / 2, (3f - 1b) / 2;"
    "2: nop; 3: bx lr",
    "tables_elsewhere": "movs r2, #4; tbb [r0, r2]; tbh [r0, r2, lsl #1]; bx lr",
    "under_it": "cmp r0, #0; itte ne; ldrne r3, [r0, #4]; strne.w r3, [r0, #8];"
    "ldreq r3, [r0, #12]; ldr r3, [r0, #16]; bx lr",
}

ORDERED = {
    "ordered": "lda r1, [r0]; ldah r1, [r0]; ldab r1, [r0]; stl r1, [r0]; stlh r1, [r0];"
    "stlb r1, [r0]; ldaex r1, [r0]; stlex r2, r1, [r0]; ldaexh r1, [r0]; stlexh r2, r1, [r0];"
    "ldaexb r1, [r0]; stlexb r2, r1, [r0]; bx lr",
}

FLOAT = {
    "float": "add r1, r0, #64; vldr s0, [r1, #8]; vstr s0, [r1, #-8]; vldr d0, [r1, #16];"
    "vstr d0, [r1]; vldmia r1, {s0-s2}; vldmia r1!, {d0-d1}; vstmdb r1!, {s4-s7};"
    "vstmdb r1!, {d2}; vpush {d0-d2}; vpop {d0-d2}; vmov r2, r3, d0; vldr s0, 1f; bx lr;"
    ".balign 4; 1: .word 7",
}

RISCV = {
    "base": "addi a0, a0, 64; lb t0, -1(a0); lbu t0, 3(a0); lh t0, -2(a0); lhu t0, 6(a0);"
    "lw t0, -64(a0); lw t0, 124(a0); sb t0, -33(a0); sh t0, 34(a0); sw t0, -4(a0);"
    "sw t0, 96(a0); ret",
    "stack": "addi sp, sp, -112; sw ra, 108(sp); sw t0, 4(sp); lw t0, 64(sp); lw ra, 108(sp);"
    "addi sp, sp, 112; ret",
    "short": ".option push; .option rvc; c.lw a1, 4(a0); c.lw a2, 64(a0); c.sw a1, 120(a0);"
    "c.addi16sp sp, -256; c.swsp ra, 12(sp); c.swsp a1, 240(sp); c.lwsp a2, 36(sp);"
    "c.lwsp a1, 240(sp); c.lwsp ra, 12(sp); c.addi16sp sp, 256; .option pop; ret",
}

ATOMIC = {
    "atomic": ".insn r 0x2f, 2, 8, a3, a0, x0; .insn r 0x2f, 2, 12, a4, a0, a3;"
    ".insn r 0x2f, 2, 0, a3, a0, a4; .insn r 0x2f, 2, 4, a3, a0, a4; ret",
}
"""LR.W, SC.W, AMOADD.W and AMOSWAP.W, which not every assembler's processor has."""
