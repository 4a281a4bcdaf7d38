// SPDX-License-Identifier: MIT
// SubBytes or its inverse of four bytes: the tables as logic, left to the synthesiser.
//
// Ports and timing are those of aes32_sbox_table: word_i and inverse_i are sampled at a rising edge
// with en_i high, word_o holds the result from then on.  The register stands behind the logic.
//
// Cycles: 1, a word every cycle.
// Cost: eight functions of eight bits, twice, for each byte; the largest of the three, with the
// shortest paths where look-up tables can be joined by multiplexers.
// Source: FIPS 197, figures 7 and 14.

`default_nettype none

module aes32_sbox_logic (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire        inverse_i,
    input  wire [31:0] word_i,
    output reg  [31:0] word_o
);

  `include "aes32_sbox.vh"

  function [7:0] substitute;
    input inverse;
    input [7:0] x;
    substitute = inverse ? INVERSE_SBOX[8*x+:8] : SBOX[8*x+:8];
  endfunction

  always @(posedge clk_i) begin
    if (en_i) begin
      word_o[31:24] <= substitute(inverse_i, word_i[31:24]);
      word_o[23:16] <= substitute(inverse_i, word_i[23:16]);
      word_o[15:8]  <= substitute(inverse_i, word_i[15:8]);
      word_o[7:0]   <= substitute(inverse_i, word_i[7:0]);
    end
  end

endmodule

`default_nettype wire
