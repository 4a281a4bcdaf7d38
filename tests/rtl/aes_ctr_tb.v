// SPDX-License-Identifier: MIT
// Drives aes_ctr from a file of commands, and says PASS or FAIL; see stream_driver.
//
// Erasing must keep key, data and output still for its cycles, and drop key and counter; that all
// key words become zero is looked up by the benches of the cores.
`timescale 1 ns / 1 ps

module aes_ctr_tb;
  parameter CORES = 1, PAIRED = 0, COUNTER_BITS = 32;
  parameter [8*13-1:0] SBOX = "column_table";

  wire clk, rst_n, erase, key_valid, key_ready, data_valid, data_ready, counter_valid, counter_ready, take;
  wire given_valid;
  wire [31:0] word, given;
  wire [1:0] bits;

  stream_driver #(
      .ERASE_CYCLES(PAIRED != 0 ? 65 : 64)
  ) u_driver (
      .clk_o          (clk),
      .rst_no         (rst_n),
      .erase_o        (erase),
      .word_o         (word),
      .bits_o         (bits),
      .decrypt_o      (),
      .key_valid_o    (key_valid),
      .key_ready_i    (key_ready),
      .data_valid_o   (data_valid),
      .data_ready_i   (data_ready),
      .counter_valid_o(counter_valid),
      .counter_ready_i(counter_ready),
      .given_i        (given),
      .given_valid_i  (given_valid),
      .take_o         (take),
      .erased_o       (),
      .remains_i      (1'b0)
  );

  aes_ctr #(
      .CORES       (CORES),
      .SBOX        (SBOX),
      .PAIRED      (PAIRED),
      .COUNTER_BITS(COUNTER_BITS)
  ) dut (
      .clk_i          (clk),
      .rst_ni         (rst_n),
      .erase_i        (erase),
      .key_i          (word),
      .key_valid_i    (key_valid),
      .key_ready_o    (key_ready),
      .key_bits_i     (bits),
      .counter_i      (word),
      .counter_valid_i(counter_valid),
      .counter_ready_o(counter_ready),
      .data_i         (word),
      .data_valid_i   (data_valid),
      .data_ready_o   (data_ready),
      .data_o         (given),
      .data_valid_o   (given_valid),
      .data_ready_i   (take)
  );

endmodule
