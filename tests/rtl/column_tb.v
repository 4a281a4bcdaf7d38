// SPDX-License-Identifier: MIT
// Gives random bytes to aes32_mix_column and to both column modules, and prints
// "mix INVERSE INPUT OUTPUT" and "column MODULE INVERSE UNMIXED INPUT OUTPUT" (0 aes32_column_table;
// 1, 2, 3 aes32_column_sbox with "table", "logic", "composite"); "error ..." when a module forgets
// its column while en_i is low.
`timescale 1 ns / 1 ps

module column_tb;
  reg clk = 1'b0;
  always #5 clk = !clk;

  reg en, inverse, unmixed;
  reg [31:0] word;
  wire [31:0] mixed;
  wire [127:0] mixed_columns, unmixed_columns;
  wire [127:0] columns = unmixed ? unmixed_columns : mixed_columns;

  aes32_mix_column u_mix (.inverse_i(inverse), .column_i(word), .column_o(mixed));
  aes32_column_table u_table (
      .clk_i(clk), .en_i(en), .inverse_i(inverse), .bytes_i(word),
      .mixed_o(mixed_columns[31:0]), .unmixed_o(unmixed_columns[31:0])
  );

  genvar g;
  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_sbox
      aes32_column_sbox #(.SBOX(g == 0 ? "table" : g == 1 ? "logic" : "composite")) u_sbox (
          .clk_i(clk), .en_i(en), .inverse_i(inverse), .bytes_i(word),
          .mixed_o(mixed_columns[32*(g+1)+:32]), .unmixed_o(unmixed_columns[32*(g+1)+:32])
      );
    end
  endgenerate

  integer n, m;
  reg [127:0] kept;
  reg [31:0] asked;

  initial begin
    unmixed = 1'b0;
    for (n = 0; n < 400; n = n + 1) begin
      en = 1'b1;
      inverse = n[0];
      word = $random;
      asked = word;
      #1 $display("mix %b %h %h", inverse, word, mixed);
      @(negedge clk);
      for (m = 0; m < 8; m = m + 1) begin
        unmixed = m[2];
        #0.1 $display("column %0d %b %b %h %h", m[1:0], inverse, unmixed, asked,
                      columns[32*m[1:0]+:32]);
      end
      kept = columns;
      en = 1'b0;
      word = ~word;
      inverse = !inverse;
      @(negedge clk);
      if (kept !== columns) $display("error not kept");
    end
    $finish;
  end

endmodule
