// SPDX-License-Identifier: MIT
// InvMixColumns of a state by columns, 128 bits wide: four aes_inv_mix_column_standard;
// combinational.
//
// columns_i and columns_o: column 0 in the highest word, row 0 in the highest byte of each.
//
// Cycles: 0.
// Cost: 48 doublings and 128 sums of bytes.
// Source: Bertoni et al., CHES 2002, section 4, the standard representation of the state.
`default_nettype none

module aes_inv_mix_columns_standard (
    input  wire [127:0] columns_i,
    output wire [127:0] columns_o
);

  genvar c;
  generate
    for (c = 0; c < 4; c = c + 1) begin : gen_column
      aes_inv_mix_column_standard u_column (
          .column_i(columns_i[32*c+:32]),
          .column_o(columns_o[32*c+:32])
      );
    end
  endgenerate

endmodule

`default_nettype wire
