// SPDX-License-Identifier: MIT
// One column of a round from four bytes: an S-box module, then aes32_mix_column.
//
// SBOX chooses the S-box: "table", "logic" or "composite", for aes32_sbox_table, aes32_sbox_logic
// or aes32_sbox_composite.  With any other value elaboration fails, because it asks for a module
// that does not exist; that module's name lists the values.
//
// Interface: at a rising edge with en_i high, bytes_i (row 0 highest) and inverse_i are sampled;
// mixed_o and unmixed_o, the column without MixColumns, hold until the next such edge.
// aes32_column_table has the same ports and timing.
//
// Cycles: 1, a column every cycle; the whole of MixColumns or its inverse stands behind the
// S-box's register.
// Cost: the S-box module and aes32_mix_column.
// Source: FIPS 197, 5.1 and 5.3.

`default_nettype none

module aes32_column_sbox #(
    parameter [8*13-1:0] SBOX = "table"
) (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire        inverse_i,
    input  wire [31:0] bytes_i,
    output wire [31:0] mixed_o,
    output wire [31:0] unmixed_o
);

  generate
    if (SBOX == "table") begin : gen_table
      aes32_sbox_table u_sbox (
          .clk_i    (clk_i),
          .en_i     (en_i),
          .inverse_i(inverse_i),
          .word_i   (bytes_i),
          .word_o   (unmixed_o)
      );
    end else if (SBOX == "logic") begin : gen_logic
      aes32_sbox_logic u_sbox (
          .clk_i    (clk_i),
          .en_i     (en_i),
          .inverse_i(inverse_i),
          .word_i   (bytes_i),
          .word_o   (unmixed_o)
      );
    end else if (SBOX == "composite") begin : gen_composite
      aes32_sbox_composite u_sbox (
          .clk_i    (clk_i),
          .en_i     (en_i),
          .inverse_i(inverse_i),
          .word_i   (bytes_i),
          .word_o   (unmixed_o)
      );
    end else begin : gen_unknown
      SBOX_must_be_column_table_or_table_or_logic_or_composite u_error ();
    end
  endgenerate

  reg inverse_q;
  always @(posedge clk_i) begin
    if (en_i) inverse_q <= inverse_i;
  end

  aes32_mix_column u_mix (
      .inverse_i(inverse_q),
      .column_i (unmixed_o),
      .column_o (mixed_o)
  );

endmodule

`default_nettype wire
