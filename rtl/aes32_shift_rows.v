// SPDX-License-Identifier: MIT
// The state of aes32 and ShiftRows: four shift registers of bytes, one for each row, with taps.
//
// A column enters every cycle, and in the same cycle four bytes leave, one of each row, which are
// the next column that SubBytes wants.  While column s of a round's result enters (slot_i = s), the
// bytes of column c = s + 1 of the following step leave; row r of it was in column c + r of the
// state (c - r for the inverse), which entered d cycles ago:
//             d for c = 0, 1, 2, 3           inverse
//   row 0     3 3 3 3                        3 3 3 3
//   row 1     2 2 2 6                        0 4 4 4
//   row 2     1 1 5 5                        1 1 5 5
//   row 3     0 4 4 4                        2 2 2 6
// d = 0 is the column that is entering, so that a round of four columns takes four cycles.
//
// Interface: at a rising edge with en_i high, a column enters (row 0 highest): word_i with load_i
// high, else result_i.  bytes_o depends on it within the cycle: through word_i, or through
// late_bytes_i, which is rows 1 and 3 of result_i but for a last round, and may settle late, since
// one level of logic follows.  With bypass_i high, bytes_o is word_i.
//
// Cycles: none between a column and the bytes that need it.
// Cost: 160 flip-flops, the least that hold a state and the columns that replace it; about 100
// look-up tables of four inputs.
// Source: FIPS 197, 5.1.2 and 5.3.1; P. Chodowiec, K. Gaj, Very Compact FPGA Implementation of the
// AES Algorithm, CHES 2003, for shift registers in place of an addressed state.

`default_nettype none

module aes32_shift_rows (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire [ 1:0] slot_i,
    input  wire        inverse_i,
    input  wire        load_i,
    input  wire        bypass_i,
    input  wire [31:0] word_i,
    input  wire [31:0] result_i,
    input  wire [15:0] late_bytes_i,
    output wire [31:0] bytes_o
);

  // Byte d - 1 from the right entered d cycles ago.
  reg [23:0] row0_q;
  reg [47:0] row1_q;
  reg [39:0] row2_q;
  reg [47:0] row3_q;

  // As AND and OR, which Yosys maps smaller than a multiplexer of sums.
  wire [31:0] column = (word_i & {32{load_i}}) | (result_i & ~{32{load_i}});

  always @(posedge clk_i) begin
    if (en_i) begin
      row0_q <= {row0_q[15:0], column[31:24]};
      row1_q <= {row1_q[39:0], column[23:16]};
      row2_q <= {row2_q[31:0], column[15:8]};
      row3_q <= {row3_q[39:0], column[7:0]};
    end
  end

  function [7:0] choose;
    input [1:0] choice;
    input [31:0] from;
    choose = choice[1] ? (choice[0] ? from[31:24] : from[23:16])
                       : (choice[0] ? from[15:8] : from[7:0]);
  endfunction

  wire begins = slot_i == 2'd3;
  wire wraps = slot_i == 2'd2;
  wire far = slot_i == 2'd1 || slot_i == 2'd2;
  wire [1:0] choice1 = {inverse_i, inverse_i ? begins : wraps} | {2{bypass_i}};
  wire [1:0] choice2 = {bypass_i, far};
  wire [1:0] choice3 = {!inverse_i, inverse_i ? wraps : begins} | {2{bypass_i}};
  wire [7:0] row1 = choose(choice1, {word_i[23:16], row1_q[31:24], row1_q[47:40], row1_q[15:8]});
  wire [7:0] row2 = choose(choice2, {word_i[15:8], word_i[15:8], row2_q[39:32], row2_q[7:0]});
  wire [7:0] row3 = choose(choice3, {word_i[7:0], row3_q[31:24], row3_q[47:40], row3_q[15:8]});

  wire late = begins && !load_i && !bypass_i;
  assign bytes_o = {
    bypass_i ? word_i[31:24] : row0_q[23:16],
    late && inverse_i ? late_bytes_i[15:8] : row1,
    row2,
    late && !inverse_i ? late_bytes_i[7:0] : row3
  };

endmodule

`default_nettype wire
