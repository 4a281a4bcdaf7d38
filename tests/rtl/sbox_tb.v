// SPDX-License-Identifier: MIT
// Gives every byte to every lane of the three S-box modules, in both directions, and prints
// "sbox MODULE INVERSE INPUT OUTPUT" (words; modules 0 table, 1 logic, 2 composite); "error ..."
// when a module forgets its output while en_i is low.
`timescale 1 ns / 1 ps

module sbox_tb;
  reg clk = 1'b0;
  always #5 clk = !clk;

  reg en = 1'b1, inverse;
  reg [31:0] word;
  wire [31:0] from_table, from_logic, from_composite;

  aes32_sbox_table u_table (
      .clk_i(clk), .en_i(en), .inverse_i(inverse), .word_i(word), .word_o(from_table)
  );
  aes32_sbox_logic u_logic (
      .clk_i(clk), .en_i(en), .inverse_i(inverse), .word_i(word), .word_o(from_logic)
  );
  aes32_sbox_composite u_composite (
      .clk_i(clk), .en_i(en), .inverse_i(inverse), .word_i(word), .word_o(from_composite)
  );

  integer x;
  reg [31:0] asked;
  reg [95:0] kept;

  initial begin
    for (x = 0; x < 512; x = x + 1) begin
      inverse = x[8];
      word = {x[7:0], x[7:0] + 8'd64, x[7:0] + 8'd128, x[7:0] + 8'd192};
      asked = word;
      @(negedge clk);
      $display("sbox 0 %b %h %h", inverse, word, from_table);
      $display("sbox 1 %b %h %h", inverse, word, from_logic);
      $display("sbox 2 %b %h %h", inverse, word, from_composite);
      kept = {from_table, from_logic, from_composite};
      en = 1'b0;
      word = ~word;
      inverse = !inverse;
      @(negedge clk);
      if (kept !== {from_table, from_logic, from_composite}) $display("error not kept");
      en = 1'b1;
    end
    $finish;
  end

endmodule
