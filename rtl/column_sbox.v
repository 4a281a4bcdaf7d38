// SPDX-License-Identifier: MIT
// One column of a round from four bytes: an S-box module, then mix_column.
//
// SBOX chooses the S-box: 0 sbox_table, 1 sbox_logic, 2 sbox_composite.
//
// Interface: at a rising edge with en_i high, bytes_i (row 0 highest) and inverse_i are sampled;
// mixed_o and unmixed_o, the column without MixColumns, hold until the next such edge.
// column_table has the same ports and timing.
//
// Cycles: 1, a column every cycle; the whole of MixColumns or its inverse stands behind the
// S-box's register.
// Cost: the S-box module and mix_column.
// Source: FIPS 197, 5.1 and 5.3.

module column_sbox #(
    parameter SBOX = 0
) (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire        inverse_i,
    input  wire [31:0] bytes_i,
    output wire [31:0] mixed_o,
    output wire [31:0] unmixed_o
);

  generate
    if (SBOX == 0) begin : gen_table
      sbox_table u_sbox (
          .clk_i    (clk_i),
          .en_i     (en_i),
          .inverse_i(inverse_i),
          .word_i   (bytes_i),
          .word_o   (unmixed_o)
      );
    end else if (SBOX == 1) begin : gen_logic
      sbox_logic u_sbox (
          .clk_i    (clk_i),
          .en_i     (en_i),
          .inverse_i(inverse_i),
          .word_i   (bytes_i),
          .word_o   (unmixed_o)
      );
    end else begin : gen_composite
      sbox_composite u_sbox (
          .clk_i    (clk_i),
          .en_i     (en_i),
          .inverse_i(inverse_i),
          .word_i   (bytes_i),
          .word_o   (unmixed_o)
      );
    end
  endgenerate

  reg inverse_q;
  always @(posedge clk_i) begin
    if (en_i) inverse_q <= inverse_i;
  end

  mix_column u_mix (
      .inverse_i(inverse_q),
      .column_i (unmixed_o),
      .column_o (mixed_o)
  );

endmodule
