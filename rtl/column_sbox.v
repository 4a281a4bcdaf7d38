// SPDX-License-Identifier: MIT
// One column of a round from four bytes: an S-box module, then mix_column.
//
// SBOX chooses the S-box: 0 sbox_table, 1 sbox_logic, 2 sbox_composite.
//
// Interface: at a rising edge with en_i high, bytes_i (row 0 highest) and inverse_i are sampled;
// column_o holds the result until the next such edge, unmixed while unmixed_i is high.
// column_table has the same ports and timing.
//
// Cycles: 1, a column every cycle; the whole of MixColumns or its inverse stands behind the
// S-box's register.
// Cost: the S-box module, mix_column, and 32 multiplexers.
// Source: FIPS 197, 5.1 and 5.3.

module column_sbox #(
    parameter SBOX = 0
) (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire        inverse_i,
    input  wire [31:0] bytes_i,
    input  wire        unmixed_i,
    output wire [31:0] column_o
);

  wire [31:0] substituted, mixed;

  generate
    if (SBOX == 0) begin : gen_table
      sbox_table u_sbox (
          .clk_i    (clk_i),
          .en_i     (en_i),
          .inverse_i(inverse_i),
          .word_i   (bytes_i),
          .word_o   (substituted)
      );
    end else if (SBOX == 1) begin : gen_logic
      sbox_logic u_sbox (
          .clk_i    (clk_i),
          .en_i     (en_i),
          .inverse_i(inverse_i),
          .word_i   (bytes_i),
          .word_o   (substituted)
      );
    end else begin : gen_composite
      sbox_composite u_sbox (
          .clk_i    (clk_i),
          .en_i     (en_i),
          .inverse_i(inverse_i),
          .word_i   (bytes_i),
          .word_o   (substituted)
      );
    end
  endgenerate

  reg inverse_q;
  always @(posedge clk_i) begin
    if (en_i) inverse_q <= inverse_i;
  end

  mix_column u_mix (
      .inverse_i(inverse_q),
      .column_i (substituted),
      .column_o (mixed)
  );
  assign column_o = unmixed_i ? substituted : mixed;

endmodule
