// SPDX-License-Identifier: MIT
// The AES instructions of RISC-V's scalar cryptography 1.0 for RV32 (Zkne and Zknd), as a
// co-processor of PicoRV32 (PCPI).
//
// They are of type R with the opcode OP (0110011) and funct3 0; funct7 is bs, which names a byte of
// rs2, over 5 bits that say which:
//   10001  aes32esi   rd = rs1 ^ the byte's S-box value in its place
//   10011  aes32esmi  rd = rs1 ^ its share of a column of MixColumns, rotated to its place
//   10101  aes32dsi   as aes32esi, with the inverse S-box
//   10111  aes32dsmi  as aes32esmi, with the inverse S-box and InvMixColumns
//
// Interface: that of PicoRV32's PCPI ports with ENABLE_PCPI; others' instructions are left alone.
//
// Cycles: ready in the cycle after the one that asks.
// Cost: 143 look-up tables of an iCE40 and a RAM block, for a byte's S-box and its inverse.
// Source: RISC-V Cryptography Extensions, volume I, 1.0.0, sections 3.1 to 3.4.
`default_nettype none

module pcpi_zkn (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        valid_i,
    // Registers are named by bits that PicoRV32 has decoded already.
    // verilator lint_off UNUSED
    input  wire [31:0] insn_i,
    // verilator lint_on UNUSED
    input  wire [31:0] rs1_i,
    input  wire [31:0] rs2_i,
    output wire        wr_o,
    output wire [31:0] rd_o,
    output wire        wait_o,
    output wire        ready_o
);

  function [7:0] double;
    input [7:0] a;
    double = {a[6:0], 1'b0} ^ (8'h1b & {8{a[7]}});
  endfunction

  wire ours = valid_i && insn_i[6:0] == 7'b0110011 && insn_i[14:12] == 3'd0
      && {insn_i[29:28], insn_i[25]} == 3'b101;
  wire mixes = insn_i[26];
  wire inverse = insn_i[27];
  wire [1:0] place = insn_i[31:30];

  reg looked_q;
  always @(posedge clk_i) looked_q <= rst_ni && ours && !looked_q;

  wire [31:0] substituted;
  wire [7:0] s = substituted[7:0];
  // Of four S-boxes one is used, and synthesis drops the others.
  // verilator lint_off UNUSED
  wire [23:0] others = substituted[31:8];
  // verilator lint_on UNUSED
  aes32_sbox_table u_sbox (
      .clk_i    (clk_i),
      .en_i     (ours),
      .inverse_i(inverse),
      .word_i   ({24'd0, rs2_i[{place, 3'd0}+:8]}),
      .word_o   (substituted)
  );

  // 2 and 3 times; in the inverse 14, 9, 13 and 11 times.
  wire [7:0] s2 = double(s);
  wire [7:0] s4 = double(s2) & {8{inverse}};
  wire [7:0] s8 = double(double(s2)) & {8{inverse}};
  wire [31:0] mixed = {s8 ^ s2 ^ s, s8 ^ s4 ^ s, s8 ^ s, s8 ^ s4 ^ s2};
  wire [31:0] share = mixes ? mixed : {24'd0, s};
  wire [31:0] by_one = place[0] ? {share[23:0], share[31:24]} : share;

  assign wait_o = ours;
  assign ready_o = ours && looked_q;
  assign wr_o = ready_o;
  assign rd_o = rs1_i ^ (place[1] ? {by_one[15:0], by_one[31:16]} : by_one);

endmodule
`default_nettype wire
