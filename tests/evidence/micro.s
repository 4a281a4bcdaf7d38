@ SPDX-License-Identifier: MIT
@ Single instructions of the ARM7TDMI, between what they need and a return.  Every function gets
@ r0 (a buffer of 64 bytes, word-aligned), r1, r2 and r3 (values) and may change r0 to r3, r12.
        .syntax unified
        .arm

        .macro micro name
        .balign 4
        .global micro_\name
        .type micro_\name, %function
micro_\name:
        .endm

        micro nothing
        bx lr

        micro data_processing
        add r0, r1, r2
        adcs r0, r1, r2, lsl #3
        sub r3, r0, #255
        sbc r3, r3, r1, asr #31
        rsb r0, r3, r2, ror #8
        rsc r0, r0, r2
        and r0, r0, r1, rrx
        bics r0, r0, #3
        orr r0, r0, r2, lsr #32
        eor r0, r0, #0xff000000
        mvn r0, r0
        cmp r0, r1
        cmn r0, #1
        tst r0, r1, lsl #1
        teq r0, r1
        mov r0, r0
        bx lr

        micro shift_by_register
        mov r12, #7
        add r0, r1, r2, lsl r12
        movs r0, r0, asr r12
        mvn r0, r0, ror r12
        cmp r0, r1, lsr r12
        bx lr

        micro to_pc
        mov r12, #0
        add pc, pc, r12, lsl #2
        mov r0, #1
        mov r0, #2
        mov pc, lr

        micro shift_by_register_to_pc
        mov r12, #0
        mov pc, lr, lsl r12     @ PC itself as an operand would be unpredictable

        micro status
        mrs r0, cpsr
        msr cpsr_f, r1
        mrs r0, cpsr
        and r0, r0, #0xf0000000 @ the mode is none of this test's business
        bx lr

        micro mul
        mul r0, r1, r2
        bx lr

        micro mla
        mla r0, r1, r2, r3
        bx lr

        micro umull
        umull r0, r3, r1, r2
        eor r0, r0, r3
        bx lr

        micro umlal
        umlal r0, r3, r1, r2
        eor r0, r0, r3
        bx lr

        micro smull
        smull r0, r3, r1, r2
        eor r0, r0, r3
        bx lr

        micro smlal
        smlal r0, r3, r1, r2
        eor r0, r0, r3
        bx lr

        micro load_word
        ldr r1, [r0]
        ldr r2, [r0, #4]!
        ldr r3, [r0], #4
        mov r12, #1
        ldr r12, [r0, r12, lsl #2]
        add r0, r1, r12
        bx lr

        micro load_literal
        ldr r0, =0x12345678
        bx lr
        .ltorg

        micro load_parts
        ldrb r1, [r0, #1]
        ldrb r2, [r0], #2
        ldrh r3, [r0]
        ldrsb r12, [r0, #1]
        add r1, r1, r12
        ldrsh r12, [r0, #2]
        add r0, r1, r12
        bx lr

        micro load_pc
        str lr, [sp, #-4]!
        ldr pc, [sp], #4

        micro store
        str r1, [r0]
        str r2, [r0, #4]!
        strb r3, [r0, #5]
        strb r1, [r0], #4
        strh r2, [r0, #2]
        strh r2, [r0, #4]!
        mov r12, #2
        strh r3, [r0], r12
        strh r3, [r0], r12
        str r1, [r0, r12, lsl #2]!
        bx lr

        micro load_multiple
        ldm r0, {r1}
        ldm r0!, {r1, r2}
        ldmib r0, {r1, r2, r3, r12}
        ldmdb r0!, {r1, r2}
        ldmda r0, {r1}
        eor r0, r1, r2
        bx lr

        micro store_multiple
        stm r0, {r1}
        stm r0!, {r1, r2, r3}
        stmib r0!, {r1, r2, r3, lr}
        stmdb r0, {r1, r2}
        stmda r0, {r3}
        bx lr

        micro load_multiple_pc
        push {r4-r11, lr}
        mov r4, r1
        mov r11, r2
        pop {r4-r11, pc}

        micro load_multiple_pc_alone
        stmdb sp!, {lr}
        ldmia sp!, {pc}

        micro swap
        swp r2, r1, [r0]
        swpb r3, r1, [r0]
        add r0, r2, r3
        bx lr

        micro branches
        mov r12, lr
        bl 1f
        b 2f
        mov r0, #1
1:      bx lr
2:      cmp r1, r1
        bne 3f
        beq 4f
3:      mov r0, #2
4:      bx r12

        micro failed_conditions
        cmp r1, r1
        addne r0, r1, r2
        addne r0, r1, r2, lsl r3
        mulne r0, r1, r2
        umullne r0, r3, r1, r2
        ldrne r0, [r0]
        strne r1, [r0]
        ldmne r0, {r1, r2, r3}
        stmne r0, {r1, r2, r3}
        swpne r1, r2, [r0]
        movne pc, lr
        blne micro_nothing
        bxne lr
        addeq r0, r0, #1
        bxeq lr
        mov r0, #0
        bx lr

        micro loop
        mov r0, #0
        mov r12, #10
1:      add r0, r0, r1, ror #7
        subs r12, r12, #1
        bne 1b
        bx lr

        micro jump_table
        and r12, r1, #3
        cmp r12, #2
        addls pc, pc, r12, lsl #2
        b 4f
        b 1f
        b 2f
        b 3f
1:      add r0, r0, #1
2:      add r0, r0, #2
3:      add r0, r0, #4
4:      bx lr
