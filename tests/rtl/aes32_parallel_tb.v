// SPDX-License-Identifier: MIT
// Drives aes32_parallel from a file of commands, and says PASS or FAIL; see stream_driver.
//
// After erasing all words of the key RAMs of all cores, and the output, must be zero.
`timescale 1 ns / 1 ps

module aes32_parallel_tb;
  parameter CORES = 2, KEY_EXPANSION = 1, DECRYPT = 1;
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
      .remains_i      (given_left || |key_left)
  );

  aes32_parallel #(
      .CORES(CORES),
      .KEY_EXPANSION(KEY_EXPANSION),
      .DECRYPT(DECRYPT),
      .SBOX(SBOX)
  ) dut (
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

  reg given_left = 1'b0;
  always @(posedge erased) #1 given_left = given !== 32'd0;

  reg [CORES-1:0] key_left = 0;
  genvar g;
  generate
    for (g = 0; g < CORES; g = g + 1) begin : gen_core
      integer n;
      always @(posedge erased) begin
        #1
        for (n = 0; n < KeyWords; n = n + 1) begin
          if (dut.gen_core[g].u_core.u_round_keys.words[n] !== 32'd0
              || dut.gen_core[g].u_core.u_first_keys.words[n] !== 32'd0) key_left[g] = 1'b1;
        end
      end
    end
  endgenerate

endmodule
