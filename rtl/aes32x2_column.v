// SPDX-License-Identifier: MIT
// SubBytes and MixColumns of a column, or their inverses, in three stages of a column each.
//
// Interface: at a rising edge with step_i high, bytes_i (row 0 highest) and inverse_i are sampled;
// three such edges later mixed_o ^ unmixed_o is the column: mixed_o if neither last_i nor first_i
// was high at the third edge, unmixed_o (without MixColumns) if last_i was, and else both are zero.
// A sum needs no multiplexer: registers hold zero while their value is not wanted.
// The S-box reads bytes_i ^ look_i.  key_i, word_i and given_i are added to what it gave, before
// MixColumns; column_o is that sum, and column_q_o a register behind it that clear_i makes zero.
//
// With E, O and T for the sums of the even rows, the odd rows and all, row 0 of the result is
//   2 (c0 + c1) + c2 + O  +  for the inverse 4 E + 8 T
// and the other rows are likewise.  The inverse's polynomial is that of MixColumns times
// 04 x^2 + 05 (see aes32_mix_column); 4 E and 4 O, after MixColumns, add 4 E + 8 T and 4 O + 8 T.
//
// Cycles: 3, a column every cycle; behind the S-box's RAM stands a register, or one look-up table
// and a register.
// Cost: aes32_sbox_table, about 92 look-up tables of four inputs, 129 flip-flops; 32 more if look_i
// is in use, and 32 if any of the three words is.
// Source: FIPS 197, 5.1 and 5.3.

`default_nettype none

module aes32x2_column (
    input  wire        clk_i,
    input  wire        step_i,
    input  wire [31:0] bytes_i,
    input  wire        inverse_i,
    input  wire [31:0] look_i,
    input  wire [31:0] key_i,
    input  wire [31:0] word_i,
    input  wire [31:0] given_i,
    input  wire        clear_i,
    output wire [31:0] column_o,
    output wire [31:0] column_q_o,
    input  wire        first_i,
    input  wire        last_i,
    output reg  [31:0] mixed_o,
    output reg  [31:0] unmixed_o
);

  function [7:0] double;
    input [7:0] a;
    double = {a[6:0], 1'b0} ^ (8'h1b & {8{a[7]}});
  endfunction

  wire [31:0] substituted;

  aes32_sbox_table u_sbox (
      .clk_i    (clk_i),
      .en_i     (step_i),
      .inverse_i(inverse_i),
      .word_i   (bytes_i ^ look_i),
      .word_o   (substituted)
  );

  wire [31:0] column = substituted ^ key_i ^ word_i ^ given_i;
  assign column_o = column;

  // The column, and sums of four bits at most that MixColumns needs; zero if only the inverse does.
  wire [7:0] even = column[31:24] ^ column[15:8];
  wire [7:0] odd = column[23:16] ^ column[7:0];

  reg inverse_q;
  reg [31:0] column_q;
  assign column_q_o = column_q;
  reg [7:0] even_q, odd_q, inverse_even_q, inverse_odd_q;

  always @(posedge clk_i) begin
    if (step_i) begin
      inverse_q <= inverse_i;
      column_q <= column;
      if (clear_i) column_q <= 32'd0;
      even_q <= even;
      odd_q <= odd;
      inverse_even_q <= even;
      inverse_odd_q <= odd;
      if (!inverse_q) begin
        inverse_even_q <= 8'd0;
        inverse_odd_q <= 8'd0;
      end
    end
  end

  wire [7:0] eightfold = double(double(double(inverse_even_q ^ inverse_odd_q)));
  wire [7:0] to_even = odd_q ^ double(double(inverse_even_q)) ^ eightfold;
  wire [7:0] to_odd = even_q ^ double(double(inverse_odd_q)) ^ eightfold;

  // Row by row from the lowest, the byte at A, beside the row below (the byte at B), which it is
  // doubled with, and the one after it (at C).
  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : gen_row
      localparam A = 8 * n, B = 8 * ((n + 3) % 4), C = 8 * ((n + 2) % 4);
      wire carried = column_q[A+7] ^ column_q[B+7];
      wire [7:0] doubled = {
        column_q[A+4+:3] ^ column_q[B+4+:3],
        column_q[A+2+:2] ^ column_q[B+2+:2] ^ {2{carried}},
        column_q[A+1] ^ column_q[B+1],
        column_q[A] ^ column_q[B] ^ carried,
        column_q[A+7] ^ column_q[B+7]
      };

      always @(posedge clk_i) begin
        if (step_i) begin
          mixed_o[A+:8] <= doubled ^ column_q[C+:8] ^ (n % 2 == 1 ? to_even : to_odd);
          if (first_i || last_i) mixed_o[A+:8] <= 8'd0;
        end
      end
    end
  endgenerate

  always @(posedge clk_i) begin
    if (step_i) begin
      unmixed_o <= column_q;
      if (!last_i) unmixed_o <= 32'd0;
    end
  end

endmodule

`default_nettype wire
