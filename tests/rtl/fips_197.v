// SPDX-License-Identifier: MIT
// What benches take from FIPS 197, and not from a core's tables: products by the polynomial (4.2),
// the S-box as an inverse and an affine map (5.1.1).  Called through an instance.
`timescale 1 ns / 1 ps

module fips_197;

  function [7:0] product;
    input [7:0] a;
    input [7:0] b;
    integer bit_number;
    begin
      product = 8'd0;
      for (bit_number = 7; bit_number >= 0; bit_number = bit_number - 1)
        product = {product[6:0], 1'b0} ^ (8'h1b & {8{product[7]}}) ^ (a & {8{b[bit_number]}});
    end
  endfunction

  // The inverse is the power of 254, and that of 0 is 0.
  function [7:0] sbox;
    input [7:0] x;
    integer power;
    reg [7:0] y;
    begin
      y = x;
      for (power = 1; power < 7; power = power + 1) y = product(product(y, y), x);
      y = product(y, y);
      sbox = y ^ {y[6:0], y[7]} ^ {y[5:0], y[7:6]} ^ {y[4:0], y[7:5]} ^ {y[3:0], y[7:4]} ^ 8'h63;
    end
  endfunction

endmodule
