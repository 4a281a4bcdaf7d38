// SPDX-License-Identifier: MIT
// The ROM that a processor starts in: makes one call after another, as letters ask for.
//
// A call's letters: pairs of an address and a word that is stored there first, then a zero; values
// of sp, gp and a0 to a7; the function.  What it returns is written to the mailbox.
`default_nettype none

module caller (
    input wire [4:0] address,  // in words
    output reg [31:0] instruction
);
    always @*
        case (address)
            5'h00: instruction = 32'h8000_02b7;  // lui t0, 0x80000
            5'h01: instruction = 32'h0002_a303;  // lw t1, 0(t0)
            5'h02: instruction = 32'h0003_0863;  // beqz t1, .+16
            5'h03: instruction = 32'h0002_a383;  // lw t2, 0(t0)
            5'h04: instruction = 32'h0073_2023;  // sw t2, 0(t1)
            5'h05: instruction = 32'hff1f_f06f;  // j .-16
            5'h06: instruction = 32'h0002_a103;  // lw sp, 0(t0)
            5'h07: instruction = 32'h0002_a183;  // lw gp, 0(t0)
            5'h08: instruction = 32'h0002_a503;  // lw a0, 0(t0)
            5'h09: instruction = 32'h0002_a583;  // lw a1, 0(t0)
            5'h0a: instruction = 32'h0002_a603;  // lw a2, 0(t0)
            5'h0b: instruction = 32'h0002_a683;  // lw a3, 0(t0)
            5'h0c: instruction = 32'h0002_a703;  // lw a4, 0(t0)
            5'h0d: instruction = 32'h0002_a783;  // lw a5, 0(t0)
            5'h0e: instruction = 32'h0002_a803;  // lw a6, 0(t0)
            5'h0f: instruction = 32'h0002_a883;  // lw a7, 0(t0)
            5'h10: instruction = 32'h0002_a303;  // lw t1, 0(t0)
            5'h11: instruction = 32'h0003_00e7;  // jalr t1
            5'h12: instruction = 32'h8000_02b7;  // lui t0, 0x80000
            5'h13: instruction = 32'h00a2_a023;  // sw a0, 0(t0)
            5'h14: instruction = 32'hfb5f_f06f;  // j .-76
            default: instruction = 32'h0000_0013;  // nop
        endcase
endmodule
`default_nettype wire
