// SPDX-License-Identifier: MIT
// MixColumns of one row of four columns; combinational.
//
// A 32-bit word of the transposed state is a row, and a row of the result needs all four rows: the
// module is 32 bits wide where it writes, and 128 where it reads.
// rows_i: rows r, r + 1, r + 2, r + 3 modulo 4, r in the highest word; row_o: row r.  MixColumns
// is the same for each r, so that a state in a shift register of rows passes in four evaluations.
//
// Cycles: 0; a state takes four evaluations.
// Cost: 4 doublings and 16 sums of bytes, as a column takes.
// Source: Bertoni et al., CHES 2002, section 3.1; with the two doublings of a row as one.
`default_nettype none

module aes_mix_row_transposed (
    input  wire [127:0] rows_i,
    output wire [31:0] row_o
);

  localparam COLUMNS = 4;
  localparam BITS = 8 * COLUMNS;

  function [BITS-1:0] double;
    input [BITS-1:0] row;
    integer n;
    for (n = 0; n < COLUMNS; n = n + 1)
      double[8*n+:8] = {row[8*n+:7], 1'b0} ^ (8'h1b & {8{row[8*n+7]}});
  endfunction

  wire [31:0] x0 = rows_i[127:96];
  wire [31:0] x1 = rows_i[95:64];
  wire [31:0] x2 = rows_i[63:32];
  wire [31:0] x3 = rows_i[31:0];

  assign row_o = double(x0 ^ x1) ^ x1 ^ x2 ^ x3;

endmodule

`default_nettype wire
