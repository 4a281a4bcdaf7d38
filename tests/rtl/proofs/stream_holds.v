// SPDX-License-Identifier: MIT
// A word of output that waits for its taker stays as it is, whatever else happens: CORE (a macro) is
// aes32 or aes32x2.
`default_nettype none

module stream_holds (
    input wire        clk,
    input wire        rst_n,
    input wire        erase,
    input wire [31:0] word,
    input wire [31:0] key,
    input wire        key_valid,
    input wire [ 1:0] key_bits,
    input wire        data_valid,
    input wire        decrypt,
    input wire        take
);
  wire [31:0] given;
  wire given_valid;

  `CORE dut (
      .clk_i       (clk),
      .rst_ni      (rst_n),
      .erase_i     (erase),
      .key_i       (key),
      .key_valid_i (key_valid),
      .key_bits_i  (key_bits),
      .data_i      (word),
      .data_valid_i(data_valid),
      .decrypt_i   (decrypt),
      .data_o      (given),
      .data_valid_o(given_valid),
      .data_ready_i(take)
  );

  reg [1:0] resets = 2'd0;  // power-on: rst_n is low at two edges
  reg waits = 1'b0;  // a word that was not taken, and nothing dropped it
  reg [31:0] kept;
  always @(posedge clk) begin
    resets <= {resets[0], 1'b1};
    waits  <= given_valid && !take && rst_n && !erase;
    kept  <= given;
  end

  always @* assume (resets[1] || !rst_n);
  always @* if (waits) assert (given_valid && given == kept);

endmodule

`default_nettype wire
