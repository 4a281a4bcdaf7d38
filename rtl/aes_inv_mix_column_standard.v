// SPDX-License-Identifier: MIT
// InvMixColumns of one column as Gladman's C computes it, 32 bits wide; combinational.
//
// With the column as a word x, its multiples and their rotations, which are wires here:
//   9 x = 8 x + x,  y = 2 x + 4 x + 8 x + (2 x + 9 x) rotated by one row
//                     + (4 x + 9 x) rotated by two rows + 9 x rotated by three rows.
// column_i and column_o: row 0 in the highest byte, as in FIPS 197 written out.
//
// Cycles: 0; a state takes four evaluations.
// Cost: 12 doublings and 32 sums of bytes.
// Source: Bertoni et al., CHES 2002, section 4: of a state 12 doublings and 32 sums of words, that
// is 3 and 8 of a column, with 4 intermediate values.
`default_nettype none

module aes_inv_mix_column_standard (
    input  wire [31:0] column_i,
    output wire [31:0] column_o
);

  function [7:0] double;
    input [7:0] a;
    double = {a[6:0], 1'b0} ^ (8'h1b & {8{a[7]}});
  endfunction

  function [31:0] double_each;
    input [31:0] a;
    double_each = {double(a[31:24]), double(a[23:16]), double(a[15:8]), double(a[7:0])};
  endfunction

  wire [31:0] x = column_i;
  wire [31:0] by2 = double_each(x);
  wire [31:0] by4 = double_each(by2);
  wire [31:0] by8 = double_each(by4);
  wire [31:0] by9 = by8 ^ x;
  wire [31:0] by11 = by2 ^ by9;
  wire [31:0] by13 = by4 ^ by9;

  assign column_o = by2 ^ by4 ^ by8 ^ {by11[23:0], by11[31:24]} ^ {by13[15:0], by13[31:16]}
                  ^ {by9[7:0], by9[31:8]};

endmodule

`default_nettype wire
