// SPDX-License-Identifier: MIT
// SubBytes or its inverse of four bytes: the tables in synchronous block RAM.
//
// Interface: in a cycle with en_i high, word_i and inverse_i are sampled at the rising edge, and
// word_o holds the result from then on until the next edge with en_i high.
// aes32_sbox_logic and aes32_sbox_composite have the same ports and timing.
//
// Cycles: 1, a word every cycle.
// Cost: no logic; 512 bytes of ROM with four read ports, which are two RAMB16 or DP16KD (two ports
// each) or four RAMs of an iCE40 (one port each).
// Source: FIPS 197, figures 7 and 14.

`default_nettype none

module aes32_sbox_table (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire        inverse_i,
    input  wire [31:0] word_i,
    output reg  [31:0] word_o
);

  `include "aes32_sbox.vh"

  (* rom_style = "block" *)
  reg [7:0] rom [0:511];

  integer i;
  initial begin
    for (i = 0; i < 256; i = i + 1) begin
      rom[i] = SBOX[8*i+:8];
      rom[256+i] = INVERSE_SBOX[8*i+:8];
    end
  end

  always @(posedge clk_i) begin
    if (en_i) begin
      word_o[31:24] <= rom[{inverse_i, word_i[31:24]}];
      word_o[23:16] <= rom[{inverse_i, word_i[23:16]}];
      word_o[15:8]  <= rom[{inverse_i, word_i[15:8]}];
      word_o[7:0]   <= rom[{inverse_i, word_i[7:0]}];
    end
  end

endmodule

`default_nettype wire
