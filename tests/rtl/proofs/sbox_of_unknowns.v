// SPDX-License-Identifier: MIT
// Stands for aes32_sbox_table where only unknown bits are followed: a byte with an unknown bit
// becomes a byte of unknown bits, and 0 what it becomes in the table.
`default_nettype none

module aes32_sbox_table (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire        inverse_i,
    input  wire [31:0] word_i,
    output reg  [31:0] word_o
);
  wire [7:0] zero = inverse_i ? 8'h52 : 8'h63;

  always @(posedge clk_i)
    if (en_i)
      word_o <= {
        zero ^ {8{^word_i[31:24]}}, zero ^ {8{^word_i[23:16]}}, zero ^ {8{^word_i[15:8]}},
        zero ^ {8{^word_i[7:0]}}
      };

endmodule

`default_nettype wire
