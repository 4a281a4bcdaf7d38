// SPDX-License-Identifier: MIT
// Drives aes32x2 from a file of commands, and says PASS or FAIL; see stream_driver.
//
// After erasing all key words, both states and the output register must be zero.
// NETLIST, for a synthesised core, leaves parameters, and the look into the core, away.
`timescale 1 ns / 1 ps

module aes32x2_tb;
  parameter KEY_EXPANSION = 1, STATE_IN_LUTS = 0;
  localparam StateBits = KEY_EXPANSION != 0 ? 4 : 3;
  localparam KeyWords = KEY_EXPANSION != 0 ? 64 : 128;

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
  aes32x2 dut (
`else
  aes32x2 #(
      .KEY_EXPANSION(KEY_EXPANSION),
      .STATE_IN_LUTS(STATE_IN_LUTS)
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
  // The core's memories: a word of its keys, and one byte of four of its states.
  wire [6:0] at = n[6:0];
  wire [31:0] key_left, state_left;

  generate
    if (KEY_EXPANSION != 0) begin : gen_short
      assign key_left = dut.u_keys.gen_expand.u_words.gen_block.words[at[5:0]];
    end else begin : gen_long
      assign key_left = dut.u_keys.gen_load.u_words.gen_block.words[at];
    end
    if (STATE_IN_LUTS != 0) begin : gen_small
      assign state_left = {
        dut.u_state.gen_row[0].u_row.gen_small.words[at[StateBits-1:0]],
        dut.u_state.gen_row[1].u_row.gen_small.words[at[StateBits-1:0]],
        dut.u_state.gen_row[2].u_row.gen_small.words[at[StateBits-1:0]],
        dut.u_state.gen_row[3].u_row.gen_small.words[at[StateBits-1:0]]
      };
    end else begin : gen_block
      assign state_left = {
        dut.u_state.gen_row[0].u_row.gen_block.words[at[StateBits-1:0]],
        dut.u_state.gen_row[1].u_row.gen_block.words[at[StateBits-1:0]],
        dut.u_state.gen_row[2].u_row.gen_block.words[at[StateBits-1:0]],
        dut.u_state.gen_row[3].u_row.gen_block.words[at[StateBits-1:0]]
      };
    end
  endgenerate

  always @(posedge erased) begin
    #1 remains = given !== 32'd0;
    for (n = 0; n < KeyWords; n = n + 1)
    #0 if (key_left !== 32'd0) remains = 1'b1;
    for (n = 0; n < 1 << StateBits; n = n + 1)
    #0 if (state_left !== 32'd0) remains = 1'b1;
  end
`endif

endmodule
