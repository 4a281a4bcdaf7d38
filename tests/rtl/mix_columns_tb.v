// SPDX-License-Identifier: MIT
// Gives states to every form of MixColumns and InvMixColumns: 0, each bit alone, random ones, and at
// last that of FIPS 197, appendix B, round 1.
// Prints "mix INVERSE STATE STANDARD TRANSPOSED COLUMN ROW" by columns, column 0 first: of the
// modules for a state, of the transposed form on one column after the other, and of that for one
// row after the other.  At last "PASS", with how many states were compared, or "FAIL": all forms are
// equal, InvMixColumns takes MixColumns back, and the published state becomes what is published.
`timescale 1 ns / 1 ps

module mix_columns_tb;
  reg  [127:0] state;
  wire [127:0] rows = transposed(state);
  wire [127:0] standard [0:1], by_rows [0:1], by_column [0:1], by_row [0:1];

  // Byte 4 c + r of the one is byte 4 r + c of the other; its own inverse.
  function [127:0] transposed;
    input [127:0] words;
    integer r, c;
    for (r = 0; r < 4; r = r + 1)
      for (c = 0; c < 4; c = c + 1)
        transposed[8*(4*r+c)+:8] = words[8*(4*c+r)+:8];
  endfunction

  aes_mix_columns_standard u_standard (.columns_i(state), .columns_o(standard[0]));
  aes_inv_mix_columns_standard u_inv_standard (.columns_i(state), .columns_o(standard[1]));
  aes_mix_columns_transposed u_transposed (.rows_i(rows), .rows_o(by_rows[0]));
  aes_inv_mix_columns_transposed u_inv_transposed (.rows_i(rows), .rows_o(by_rows[1]));

  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : gen_word
      aes_mix_columns_transposed #(.COLUMNS(1)) u_column (
          .rows_i(state[32*n+:32]), .rows_o(by_column[0][32*n+:32])
      );
      aes_inv_mix_columns_transposed #(.COLUMNS(1)) u_inv_column (
          .rows_i(state[32*n+:32]), .rows_o(by_column[1][32*n+:32])
      );
      // Row n comes first when the rows above it have gone round; row 0 is the highest word.
      wire [255:0] twice = {rows, rows} << (32 * n);
      aes_mix_row_transposed u_row (
          .rows_i(twice[255:128]), .row_o(by_row[0][32*(3-n)+:32])
      );
      aes_inv_mix_row_transposed u_inv_row (
          .rows_i(twice[255:128]), .row_o(by_row[1][32*(3-n)+:32])
      );
    end
  endgenerate

  wire [127:0] back;
  aes_inv_mix_columns_standard u_back (.columns_i(standard[0]), .columns_o(back));

  localparam [127:0] Published = 128'hd4bf5d30e0b452aeb84111f11e2798e5;
  localparam [127:0] PublishedMixed = 128'h046681e5e0cb199a48f8d37a2806264c;

  reg over = 1'b0;
  task fail;
    input [8*32-1:0] why;
    begin
      if (!over) $display("FAIL at %h:%0s", state, why);
      over = 1'b1;
      $finish;
    end
  endtask

  integer k, i, seed;
  initial begin
    seed = 1;
    for (k = 0; k < 258; k = k + 1) begin
      state = k < 128 ? 128'b1 << k : 128'b0;
      if (k > 128) state = {$random(seed), $random(seed), $random(seed), $random(seed)};
      if (k == 257) state = Published;
      #1;
      for (i = 0; i < 2; i = i + 1) begin
        $display("mix %0d %h %h %h %h %h", i, state, standard[i], transposed(by_rows[i]),
                 by_column[i], transposed(by_row[i]));
        if (transposed(by_rows[i]) !== standard[i]) fail(" the transposed form");
        if (by_column[i] !== standard[i]) fail(" a transposed column");
        if (transposed(by_row[i]) !== standard[i]) fail(" a transposed row");
      end
      if (back !== state) fail(" there and back");
    end
    if (standard[0] !== PublishedMixed) fail(" the published state");
    if (!over) $display("PASS %0d states", k);
    $finish;
  end

endmodule
