// SPDX-License-Identifier: MIT
// SubBytes and MixColumns of a column, or their inverses, in three stages of a column each.
//
// Interface: at a rising edge with step_i high, bytes_i (row 0 highest) and inverse_i are sampled;
// three such edges later mixed_o ^ unmixed_o is the column: mixed_o if neither last_i nor first_i
// was high at the third edge, unmixed_o (without MixColumns) if last_i was, and else both are zero.
// A sum needs no multiplexer: registers hold zero while their value is not wanted.
//
// With E, O and T for the sums of the even rows, the odd rows and all, row 0 of the result is
//   2 (c0 + c1) + c2 + O  +  for the inverse 4 E + 8 T
// and the other rows are likewise.  The inverse's polynomial is that of MixColumns times
// 04 x^2 + 05 (see mix_column); 4 E and 4 O, after MixColumns, add 4 E + 8 T and 4 O + 8 T.
//
// Cycles: 3, a column every cycle; behind the S-box's RAM stands a register, or one look-up table
// and a register.
// Cost: sbox_table, about 92 look-up tables of four inputs, 141 flip-flops.
// Source: FIPS 197, 5.1 and 5.3.

module aes32x2_column (
    input  wire        clk_i,
    input  wire        step_i,
    input  wire [31:0] bytes_i,
    input  wire        inverse_i,
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

  sbox_table u_sbox (
      .clk_i    (clk_i),
      .en_i     (step_i),
      .inverse_i(inverse_i),
      .word_i   (bytes_i),
      .word_o   (substituted)
  );

  // The column, and sums of four bits at most that MixColumns needs; zero if only the inverse does.
  wire [7:0] even = substituted[31:24] ^ substituted[15:8];
  wire [7:0] odd = substituted[23:16] ^ substituted[7:0];

  reg inverse_q;
  reg [31:0] column_q;
  reg [7:0] even_q, odd_q, inverse_even_q, inverse_odd_q;

  always @(posedge clk_i) begin
    if (step_i) begin
      inverse_q <= inverse_i;
      column_q <= substituted;
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
  // doubled with, and the one after it (at C).  Bits 4, 3 and 1 of a double take in the highest
  // bit that leaves, and are prepared a cycle before.
  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : gen_row
      localparam A = 8 * n, B = 8 * ((n + 3) % 4), C = 8 * ((n + 2) % 4);
      reg [2:0] carried_q;
      wire [7:0] doubled = {
        column_q[A+4+:3] ^ column_q[B+4+:3],
        carried_q[2:1],
        column_q[A+1] ^ column_q[B+1],
        carried_q[0],
        column_q[A+7] ^ column_q[B+7]
      };

      always @(posedge clk_i) begin
        if (step_i) begin
          carried_q <= {substituted[A+2+:2], substituted[A]}
                     ^ {substituted[B+2+:2], substituted[B]}
                     ^ {3{substituted[A+7] ^ substituted[B+7]}};
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
