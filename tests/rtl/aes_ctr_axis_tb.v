// SPDX-License-Identifier: MIT
// Drives aes_ctr_axis from a file of commands, and says PASS or FAIL; see packet_driver.
`timescale 1 ns / 1 ps

module aes_ctr_axis_tb;
  parameter CORES = 1, PAIRED = 0, COUNTER_BITS = 32;
  parameter [8*13-1:0] SBOX = "column_table";

  wire clk, rst_n, erase, key_valid, key_ready, data_valid, data_ready, given_valid, given_last;
  wire take, error;
  wire [31:0] offered, swapped;
  wire [4:0] marks;
  wire [3:0] keep, given_keep;
  wire [2:0] given_bytes = given_keep == 4'h1 ? 3'd1 : given_keep == 4'h3 ? 3'd2
      : given_keep == 4'h7 ? 3'd3 : given_keep == 4'hf ? 3'd4 : 3'd7;
  wire [31:0] given_word = {swapped[7:0], swapped[15:8], swapped[23:16], swapped[31:24]};

  packet_driver #(
      .ERASE_CYCLES(PAIRED != 0 ? 65 : 64)
  ) u_driver (
      .clk_o        (clk),
      .rst_no       (rst_n),
      .erase_o      (erase),
      .word_o       (offered),
      .marks_o      (marks),
      .keep_o       (keep),
      .key_valid_o  (key_valid),
      .key_ready_i  (key_ready),
      .data_valid_o (data_valid),
      .data_ready_i (data_ready),
      .given_i      ({given_last, given_bytes, given_word}),
      .given_valid_i(given_valid),
      .take_o       (take),
      .done_i       (1'b0),
      .ok_i         (1'b0),
      .error_i      (error)
  );

  aes_ctr_axis #(
      .CORES       (CORES),
      .SBOX        (SBOX),
      .PAIRED      (PAIRED),
      .COUNTER_BITS(COUNTER_BITS)
  ) u_dut (
      .aclk             (clk),
      .aresetn          (rst_n),
      .erase            (erase),
      .s_axis_key_tdata ({offered[7:0], offered[15:8], offered[23:16], offered[31:24]}),
      .s_axis_key_tuser (marks[1:0]),
      .s_axis_key_tvalid(key_valid),
      .s_axis_key_tready(key_ready),
      .s_axis_tdata     ({offered[7:0], offered[15:8], offered[23:16], offered[31:24]}),
      .s_axis_tkeep     (keep),
      .s_axis_tlast     (marks[3]),
      .s_axis_tvalid    (data_valid),
      .s_axis_tready    (data_ready),
      .m_axis_tdata     (swapped),
      .m_axis_tkeep     (given_keep),
      .m_axis_tlast     (given_last),
      .m_axis_tvalid    (given_valid),
      .m_axis_tready    (take),
      .error            (error)
  );

endmodule
