// SPDX-License-Identifier: MIT
// Prints what the handshakes of aes32x2 do in each cycle, for the timing diagram of rtl/README.md.
//
// After reset a key (of 4 words, or 88 round keys) and four blocks are offered without a pause; the
// third word of output is not taken for some cycles, and the key is erased at last.
// Prints: "CYCLE LEVELS", those before the rising edge, in the order of the ports in $display.
`timescale 1 ns / 1 ps

module aes32x2_waves_tb;
  parameter KEY_EXPANSION = 1;
  localparam KeyWords = KEY_EXPANSION != 0 ? 4 : 88, DataWords = 16, Untaken = 2;
  localparam Blocks = KEY_EXPANSION != 0 ? 128 : 220;  // about when the first is taken
  localparam ResetCycles = 3, TakenAgain = Blocks + 96, EraseCycle = Blocks + 110;
  localparam LastCycle = EraseCycle + 132;

  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0, key_valid = 1'b0, data_valid = 1'b0, take = 1'b1, erase = 1'b0;
  wire key_ready, data_ready, given_valid;
  wire [31:0] given;
  integer cycle = 0, key_words = 0, data_words = 0, given_words = 0;

  aes32x2 #(
      .KEY_EXPANSION(KEY_EXPANSION)
  ) dut (
      .clk_i       (clk),
      .rst_ni      (rst_n),
      .erase_i     (erase),
      .key_i       (32'd0),
      .key_valid_i (key_valid),
      .key_ready_o (key_ready),
      .key_bits_i  (2'd0),
      .data_i      (32'd0),
      .data_valid_i(data_valid),
      .data_ready_o(data_ready),
      .decrypt_i   (1'b0),
      .data_o      (given),
      .data_valid_o(given_valid),
      .data_ready_i(take)
  );

  always @(negedge clk) begin
    rst_n = cycle >= ResetCycles;
    key_valid = rst_n && key_words < KeyWords;
    data_valid = rst_n && !key_valid && data_words < DataWords;
    take = given_words != Untaken || cycle >= TakenAgain;
    erase = cycle == EraseCycle;
    #4;
    $display("%0d %b%b%b%b%b%b%b", cycle, key_valid, key_ready, data_valid, data_ready,
             given_valid, take, erase);
    if (key_valid && key_ready) key_words = key_words + 1;
    if (data_valid && data_ready) data_words = data_words + 1;
    if (given_valid && take) given_words = given_words + 1;
    cycle = cycle + 1;
    if (cycle > LastCycle) $finish;
  end

endmodule
