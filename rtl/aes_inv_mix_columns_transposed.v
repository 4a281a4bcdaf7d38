// SPDX-License-Identifier: MIT
// InvMixColumns of a state by rows, 128 bits wide: the seven steps of the transposed form;
// combinational.
//
// MixColumns, then 4 times the sum of rows 0 and 2 and of rows 1 and 3, then 8 times the sum of
// all: rows share these, so that three doublings serve all four.
// rows_i and rows_o: row 0 in the highest word, column 0 in the highest byte of each.
// COLUMNS, from 1 on, is the bytes of a row: 4 for a state.  With 1 it is one column, 32 bits wide:
// what the steps are worth to a column, for its rotations cost nothing in wires.
//
// Cycles: 0.
// Cost: 7 doublings and 27 sums of rows, that is COLUMNS times as many of bytes.
// Source: Bertoni et al., CHES 2002, section 3.1, below table 1.
`default_nettype none

module aes_inv_mix_columns_transposed #(
    parameter COLUMNS = 4
) (
    input  wire [32*COLUMNS-1:0] rows_i,
    output wire [32*COLUMNS-1:0] rows_o
);

  localparam BITS = 8 * COLUMNS;

  function [BITS-1:0] double;
    input [BITS-1:0] row;
    integer n;
    for (n = 0; n < COLUMNS; n = n + 1)
      double[8*n+:8] = {row[8*n+:7], 1'b0} ^ (8'h1b & {8{row[8*n+7]}});
  endfunction

  wire [BITS-1:0] x0 = rows_i[3*BITS+:BITS];
  wire [BITS-1:0] x1 = rows_i[2*BITS+:BITS];
  wire [BITS-1:0] x2 = rows_i[BITS+:BITS];
  wire [BITS-1:0] x3 = rows_i[0+:BITS];

  wire [BITS-1:0] twice0 = double(x0);
  wire [BITS-1:0] twice1 = double(x1);
  wire [BITS-1:0] twice2 = double(x2);
  wire [BITS-1:0] twice3 = double(x3);

  wire [BITS-1:0] even = double(twice0 ^ twice2);
  wire [BITS-1:0] odd = double(twice1 ^ twice3);
  wire [BITS-1:0] all = double(even ^ odd);

  assign rows_o = {
    x1 ^ x2 ^ x3 ^ twice0 ^ twice1 ^ even ^ all,
    x2 ^ x3 ^ x0 ^ twice1 ^ twice2 ^ odd ^ all,
    x3 ^ x0 ^ x1 ^ twice2 ^ twice3 ^ even ^ all,
    x0 ^ x1 ^ x2 ^ twice3 ^ twice0 ^ odd ^ all
  };

endmodule

`default_nettype wire
