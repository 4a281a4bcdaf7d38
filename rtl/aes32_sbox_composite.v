// SPDX-License-Identifier: MIT
// SubBytes or its inverse of four bytes: inversion in the composite field GF((2^4)^2).
//
// A byte is carried into the composite field by a linear layer, inverted there, and carried back by
// another; the affine map is merged with the layer behind the inversion (forward) or before it
// (inverse), so that both directions share one inverter.  With elements a y + b over GF(2^4),
// y^2 = y + NU:
//   norm = a^2 NU + a b + b^2,  inverse = (a / norm) y + (a + b) / norm.
// An inversion in GF(2^4) is four functions of four bits, and is x^14.
//
// Ports and timing are those of aes32_sbox_table: word_i and inverse_i are sampled at a rising edge
// with en_i high, word_o holds the result from then on.  The register stands behind the logic.
//
// Cycles: 1, a word every cycle.
// Cost: no RAM; a fraction of the logic of aes32_sbox_logic, on longer paths.
// Source: Satoh, Morioka, Takano, Munetoh, A Compact Rijndael Hardware Architecture, ASIACRYPT
// 2001, for the idea; the matrices are derived by tools/make_verilog_tables.py.

`default_nettype none

module aes32_sbox_composite (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire        inverse_i,
    input  wire [31:0] word_i,
    output reg  [31:0] word_o
);

  `include "aes32_sbox_fields.vh"

  function [7:0] layer;
    input [63:0] rows;
    input [7:0] x;
    layer = {
      ^(rows[63:56] & x),
      ^(rows[55:48] & x),
      ^(rows[47:40] & x),
      ^(rows[39:32] & x),
      ^(rows[31:24] & x),
      ^(rows[23:16] & x),
      ^(rows[15:8] & x),
      ^(rows[7:0] & x)
    };
  endfunction

  // Times x modulo x^4 + x + 1.
  function [3:0] double;
    input [3:0] a;
    double = {a[2:0], 1'b0} ^ {2'b00, a[3], a[3]};
  endfunction

  function [3:0] product;
    input [3:0] a;
    input [3:0] b;
    product = ({4{b[0]}} & a)
            ^ ({4{b[1]}} & double(a))
            ^ ({4{b[2]}} & double(double(a)))
            ^ ({4{b[3]}} & double(double(double(a))));
  endfunction

  function [3:0] square;
    input [3:0] a;
    square = product(a, a);
  endfunction

  // x^14 = x^2 x^4 x^8.
  function [3:0] inverted;
    input [3:0] a;
    inverted = product(square(a), product(square(square(a)), square(square(square(a)))));
  endfunction

  function [7:0] invert;
    input [7:0] x;
    reg [3:0] a, b, over_norm;
    begin
      a = x[7:4];
      b = x[3:0];
      over_norm = inverted(product(square(a), NU) ^ product(a, b) ^ square(b));
      invert = {product(a, over_norm), product(a ^ b, over_norm)};
    end
  endfunction

  function [7:0] substitute;
    input inverse;
    input [7:0] x;
    reg [7:0] inverted_byte;
    begin
      inverted_byte = invert(inverse ? layer(ENTER_INVERSE, x ^ 8'h63) : layer(ENTER_FORWARD, x));
      substitute = inverse ? layer(LEAVE_INVERSE, inverted_byte)
                           : layer(LEAVE_FORWARD, inverted_byte) ^ 8'h63;
    end
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
