# SPDX-License-Identifier: MIT
# The masked AND of masked_and.s on RV32.
# a0, a1: shares of a; a2, a3: shares of b; a4: the random word; a5: where the second share of the
# result goes; the first is returned.
# With CLEARED defined, the result register of PicoRV32 is cleared too where it would show a secret.
    .macro clear
    .ifdef CLEARED
    and t6, t6, t6
    .endif
    .endm
    .text
    .global masked_and
    .type masked_and, @function
masked_and:
    li t6, 0
    and t0, a0, a3
    xor t0, t0, a4          # a0 b1 + r
    clear
    and t1, a0, a2
    xor t1, t1, t0          # a0 b0 + (a0 b1 + r)
    and t6, t6, t6          # or the first latch would take a1 after a0 b0
    and t0, a1, a2
    xor t0, t0, a4          # a1 b0 + r
    clear
    and t2, a1, a3
    xor t2, t2, t0          # a1 b1 + (a1 b0 + r)
    sw t2, 0(a5)
    clear
    mv a0, t1
    ret
    .size masked_and, . - masked_and
