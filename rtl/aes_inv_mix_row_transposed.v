// SPDX-License-Identifier: MIT
// InvMixColumns of one row of four columns; combinational.
//
// A 32-bit word of the transposed state is a row, and a row of the result needs all four rows: the
// module is 32 bits wide where it writes, and 128 where it reads.
// rows_i: rows r, r + 1, r + 2, r + 3 modulo 4, r in the highest word; row_o: row r.  MixColumns
// is the same for each r, so that a state in a shift register of rows passes in four evaluations.
// What four rows share in 128 bits has to be computed for each row here, so the multiples are
// nested: y = x1 + x2 + x3 + 2 (x0 + x1 + 2 (x0 + x2 + 2 (x0 + x1 + x2 + x3))).
//
// Cycles: 0; a state takes four evaluations.
// Cost: 12 doublings and 32 sums of bytes, as a column takes.
// Source: Bertoni et al., CHES 2002, section 3.1, for one row; the nesting is Horner's.
`default_nettype none

module aes_inv_mix_row_transposed (
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

  wire [31:0] others = x1 ^ x2 ^ x3;

  assign row_o = others ^ double(x0 ^ x1 ^ double(x0 ^ x2 ^ double(x0 ^ others)));

endmodule

`default_nettype wire
