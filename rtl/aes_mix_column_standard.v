// SPDX-License-Identifier: MIT
// MixColumns of one column as Gladman's C computes it, 32 bits wide; combinational.
//
// With the column as a word x and its rotations, which are wires here:
//   y = 2 x + (x + 2 x) rotated by one row + x rotated by two rows + x rotated by three rows.
// column_i and column_o: row 0 in the highest byte, as in FIPS 197 written out.
//
// Cycles: 0; a state takes four evaluations.
// Cost: 4 doublings and 16 sums of bytes.
// Source: Bertoni et al., CHES 2002, section 4: of a column 4 sums, 1 doubling, 3 rotations.
`default_nettype none

module aes_mix_column_standard (
    input  wire [31:0] column_i,
    output wire [31:0] column_o
);

  function [7:0] double;
    input [7:0] a;
    double = {a[6:0], 1'b0} ^ (8'h1b & {8{a[7]}});
  endfunction

  wire [31:0] x = column_i;
  wire [31:0] twice = {double(x[31:24]), double(x[23:16]), double(x[15:8]), double(x[7:0])};
  wire [31:0] thrice = x ^ twice;

  assign column_o = twice ^ {thrice[23:0], thrice[31:24]} ^ {x[15:0], x[31:16]}
                  ^ {x[7:0], x[31:8]};

endmodule

`default_nettype wire
