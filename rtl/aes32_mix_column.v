// SPDX-License-Identifier: MIT
// MixColumns or its inverse of one column; combinational.
//
// The inverse is MixColumns after a small multiplication that only it needs: its polynomial is
//   0b x^3 + 0d x^2 + 09 x + 0e = (03 x^3 + x^2 + x + 02)(04 x^2 + 05)  modulo x^4 + 1,
// so rows 0 and 2 get 04 times their sum added, rows 1 and 3 likewise.
// Row 0 is in the highest byte, as in FIPS 197 written out.
//
// Cycles: 0.
// Cost: about 100 look-up tables of four inputs, half of them for the inverse.
// Source: FIPS 197, 5.1.3 and 5.3.3.

`default_nettype none

module aes32_mix_column (
    input  wire        inverse_i,
    input  wire [31:0] column_i,
    output wire [31:0] column_o
);

  function [7:0] double;
    input [7:0] a;
    double = {a[6:0], 1'b0} ^ (8'h1b & {8{a[7]}});
  endfunction

  wire [7:0] even = column_i[31:24] ^ column_i[15:8];
  wire [7:0] odd = column_i[23:16] ^ column_i[7:0];
  wire [7:0] even4 = double(double(even)) & {8{inverse_i}};
  wire [7:0] odd4 = double(double(odd)) & {8{inverse_i}};

  wire [7:0] a0 = column_i[31:24] ^ even4;
  wire [7:0] a1 = column_i[23:16] ^ odd4;
  wire [7:0] a2 = column_i[15:8] ^ even4;
  wire [7:0] a3 = column_i[7:0] ^ odd4;

  // 2 a + 3 b + c + d = a + (a + b + c + d) + 2 (a + b).
  wire [7:0] sum = a0 ^ a1 ^ a2 ^ a3;
  assign column_o = {
    a0 ^ sum ^ double(a0 ^ a1),
    a1 ^ sum ^ double(a1 ^ a2),
    a2 ^ sum ^ double(a2 ^ a3),
    a3 ^ sum ^ double(a3 ^ a0)
  };

endmodule

`default_nettype wire
