// SPDX-License-Identifier: MIT
// Drives aes32 from a file of commands, and says PASS or FAIL; see stream_driver.
//
// After erasing all words of both key RAMs, the state and the output register must be zero.
// NETLIST, for a synthesised core, leaves parameters, and the look into the core, away.
`timescale 1 ns / 1 ps

module aes32_tb;
  parameter KEY_EXPANSION = 1, DECRYPT = 1;
  parameter [8*13-1:0] SBOX = "column_table";
  localparam KeyWords = DECRYPT != 0 ? 128 : 64;

  wire clk, rst_n, erase, key_valid, key_ready, data_valid, data_ready, take, erased;
  wire given_valid;
  wire [31:0] word, given;
  wire [1:0] bits;
  wire decrypt;

  stream_driver #(
      .ERASE_CYCLES(KeyWords)
  ) u_driver (
      .clk_o          (clk),
      .rst_no         (rst_n),
      .erase_o        (erase),
      .word_o         (word),
      .bits_o         (bits),
      .decrypt_o      (decrypt),
      .key_valid_o    (key_valid),
      .key_ready_i    (key_ready),
      .data_valid_o   (data_valid),
      .data_ready_i   (data_ready),
      .counter_valid_o(),
      .counter_ready_i(1'b0),
      .given_i        (given),
      .given_valid_i  (given_valid),
      .take_o         (take),
      .erased_o       (erased),
      .remains_i      (remains)
  );

`ifdef NETLIST
  aes32 dut (
`else
  aes32 #(
      .KEY_EXPANSION(KEY_EXPANSION),
      .DECRYPT(DECRYPT),
      .SBOX(SBOX)
  ) dut (
`endif
      .clk_i       (clk),
      .rst_ni      (rst_n),
      .erase_i     (erase),
      .key_i       (word),
      .key_valid_i (key_valid),
      .key_ready_o (key_ready),
      .key_bits_i  (bits),
      .data_i      (word),
      .data_valid_i(data_valid),
      .data_ready_o(data_ready),
      .decrypt_i   (decrypt),
      .data_o      (given),
      .data_valid_o(given_valid),
      .data_ready_i(take)
  );

  reg remains = 1'b0;
`ifndef NETLIST
  integer n;
  wire [159:0] state = {
    dut.u_state.row0_q, dut.u_state.row1_q, dut.u_state.row2_q, dut.u_state.row3_q
  };
  reg state_left = 1'b0;
  always @(negedge dut.erasing) state_left = state !== 160'd0;  // constants enter after that

  always @(posedge erased) begin
    #1 remains = state_left || given !== 32'd0;
    for (n = 0; n < KeyWords; n = n + 1) begin
      if (dut.u_round_keys.words[n] !== 32'd0 || dut.u_first_keys.words[n] !== 32'd0) remains = 1'b1;
    end
  end
`endif

endmodule
