// SPDX-License-Identifier: MIT
// Instructions for AES on words of four bytes, as a co-processor of PicoRV32 (PCPI).
//
// They are of type R with the opcode custom-1 (0101011); funct3 says which:
//   0  double and add: rd = 2 rs1 + rs2, each byte in GF(2^8)
//   1  S-box word: rd = SubBytes of a word; funct7 is a number of bytes
//   2  the same with the inverse S-box
// The S-box word is the upper half of rs2 over the lower half of rs1, rotated right by 0 to 3
// bytes.  A register given twice is a whole word: SubWord, RotWord in one, or a row of ShiftRows.
// Two registers bring together a column of ShiftRows.
//
// Interface: that of PicoRV32's PCPI ports with ENABLE_PCPI; others' instructions are left alone.
// DOUBLE, SUB: 0 leaves an instruction out, and PicoRV32 traps at it.
//
// Cycles: to double, ready in the cycle that asks; an S-box word, in the cycle after it.
// Cost: 4 doublings, 4 sums and a rotation of bytes; the RAM blocks of the S-box module.
// Source: Bertoni et al., CHES 2002, section 5, asks for such instructions; section 3.1 has the
// method of double and add.  Encodings are ours.
`default_nettype none

module pcpi_aes #(
    parameter DOUBLE = 1,
    parameter SUB = 1
) (
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

  wire ours = valid_i && insn_i[6:0] == 7'b0101011;
  wire doubles = DOUBLE != 0 && ours && insn_i[14:12] == 3'd0;
  wire looks = SUB != 0 && ours && (insn_i[14:12] == 3'd1 || insn_i[14:12] == 3'd2);

  wire [31:0] doubled = {
    double(rs1_i[31:24]), double(rs1_i[23:16]), double(rs1_i[15:8]), double(rs1_i[7:0])
  } ^ rs2_i;

  reg looked_q;
  always @(posedge clk_i) looked_q <= rst_ni && looks && !looked_q;

  wire [31:0] substituted;
  generate
    if (SUB != 0) begin : gen_sub
      wire [31:0] joined = {rs2_i[31:16], rs1_i[15:0]};
      wire [31:0] by_one = insn_i[25] ? {joined[7:0], joined[31:8]} : joined;
      aes32_sbox_table u_sbox (
          .clk_i    (clk_i),
          .en_i     (looks),
          .inverse_i(insn_i[13]),
          .word_i   (insn_i[26] ? {by_one[15:0], by_one[31:16]} : by_one),
          .word_o   (substituted)
      );
    end else begin : gen_no_sub
      assign substituted = 32'b0;
    end
  endgenerate

  assign wait_o = doubles || looks;
  assign ready_o = doubles || (looks && looked_q);
  assign wr_o = ready_o;
  assign rd_o = looks ? substituted : doubled;

endmodule
`default_nettype wire
