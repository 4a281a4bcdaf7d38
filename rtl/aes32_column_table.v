// SPDX-License-Identifier: MIT
// One column of a round from four bytes: SubBytes and MixColumns, or their inverses, by tables.
//
// An entry of a table is what a byte of row 0 contributes to a column: the S-box's value times the
// first column of the MixColumns matrix.  The tables of the other rows are the same, turned.
// The last round wants the S-box's value alone: it is the sum of the four bytes of an entry, since
// 02 + 01 + 01 + 03 = 0e + 09 + 0d + 0b = 01, so that no further table is needed.
//
// Interface: at a rising edge with en_i high, bytes_i (row 0 highest) and inverse_i are sampled;
// mixed_o and unmixed_o, the column without MixColumns, hold until the next such edge.
// aes32_column_sbox has the same ports and timing.
//
// Cycles: 1, a column every cycle; one level of logic stands behind the RAM.
// Cost: 64 look-up tables of four inputs; 2 KiB of ROM with four read ports: two RAMB16, four
// DP16KD, or sixteen RAMs of an iCE40.
// Source: J. Daemen, V. Rijmen, The Design of Rijndael, 4.2; the sum of the bytes is ours.

`default_nettype none

module aes32_column_table (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire        inverse_i,
    input  wire [31:0] bytes_i,
    output wire [31:0] mixed_o,
    output wire [31:0] unmixed_o
);

  `include "aes32_sbox.vh"

  function [7:0] double;
    input [7:0] a;
    double = {a[6:0], 1'b0} ^ (8'h1b & {8{a[7]}});
  endfunction

  function [31:0] encryption;
    input [7:0] s;
    encryption = {double(s), s, s, double(s) ^ s};
  endfunction

  function [31:0] decryption;
    input [7:0] s;
    reg [7:0] s2, s4, s8;
    begin
      s2 = double(s);
      s4 = double(s2);
      s8 = double(s4);
      decryption = {s8 ^ s4 ^ s2, s8 ^ s, s8 ^ s4 ^ s, s8 ^ s2 ^ s};
    end
  endfunction

  (* rom_style = "block" *)
  reg [31:0] rom [0:511];

  integer i;
  initial begin
    for (i = 0; i < 256; i = i + 1) begin
      rom[i] = encryption(SBOX[8*i+:8]);
      rom[256+i] = decryption(INVERSE_SBOX[8*i+:8]);
    end
  end

  reg [31:0] row0, row1, row2, row3;
  always @(posedge clk_i) begin
    if (en_i) begin
      row0 <= rom[{inverse_i, bytes_i[31:24]}];
      row1 <= rom[{inverse_i, bytes_i[23:16]}];
      row2 <= rom[{inverse_i, bytes_i[15:8]}];
      row3 <= rom[{inverse_i, bytes_i[7:0]}];
    end
  end

  function [7:0] sum;
    input [31:0] entry;
    sum = entry[31:24] ^ entry[23:16] ^ entry[15:8] ^ entry[7:0];
  endfunction

  assign mixed_o = row0
                 ^ {row1[7:0], row1[31:8]}
                 ^ {row2[15:0], row2[31:16]}
                 ^ {row3[23:0], row3[31:24]};
  assign unmixed_o = {sum(row0), sum(row1), sum(row2), sum(row3)};

endmodule

`default_nettype wire
