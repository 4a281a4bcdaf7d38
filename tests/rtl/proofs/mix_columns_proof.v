// SPDX-License-Identifier: MIT
// What differs, for a state, between the forms of MixColumns, between those of its inverse, and
// between a state and what the inverse makes of it after MixColumns: nothing, so all bits are 0.
`default_nettype none

module mix_columns_proof (
    input  wire [127:0] state,
    output wire [639:0] differs
);
  wire [127:0] rows = transposed(state);
  wire [127:0] standard, inverse, back, by_rows, inverse_by_rows, by_row, inverse_by_row;

  // Byte 4 c + r of the one is byte 4 r + c of the other; its own inverse.
  function [127:0] transposed;
    input [127:0] words;
    integer r, c;
    for (r = 0; r < 4; r = r + 1)
      for (c = 0; c < 4; c = c + 1) transposed[8*(4*r+c)+:8] = words[8*(4*c+r)+:8];
  endfunction

  aes_mix_columns_standard u_standard (.columns_i(state), .columns_o(standard));
  aes_inv_mix_columns_standard u_inverse (.columns_i(state), .columns_o(inverse));
  aes_inv_mix_columns_standard u_back (.columns_i(standard), .columns_o(back));
  aes_mix_columns_transposed u_rows (.rows_i(rows), .rows_o(by_rows));
  aes_inv_mix_columns_transposed u_inverse_rows (.rows_i(rows), .rows_o(inverse_by_rows));

  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : gen_row
      // Row n comes first when the rows above it have gone round; row 0 is the highest word.
      wire [255:0] twice = {rows, rows} << (32 * n);
      aes_mix_row_transposed u_row (
          .rows_i(twice[255:128]), .row_o(by_row[32*(3-n)+:32])
      );
      aes_inv_mix_row_transposed u_inverse_row (
          .rows_i(twice[255:128]), .row_o(inverse_by_row[32*(3-n)+:32])
      );
    end
  endgenerate

  assign differs = {
    transposed(by_rows) ^ standard,
    by_row ^ by_rows,
    transposed(inverse_by_rows) ^ inverse,
    inverse_by_row ^ inverse_by_rows,
    back ^ state
  };

endmodule

`default_nettype wire
