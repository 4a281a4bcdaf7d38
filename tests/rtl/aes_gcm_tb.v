// SPDX-License-Identifier: MIT
// Drives aes_gcm, or with AXIS 1 aes_gcm_axis, from a file of commands, and says PASS or FAIL; see
// packet_driver.
`timescale 1 ns / 1 ps

module aes_gcm_tb;
  parameter AXIS = 0;

  wire clk, rst_n, erase, key_valid, key_ready, data_valid, data_ready, given_valid, given_last;
  wire take, done, ok;
  wire [31:0] offered, given_word, swapped;
  wire [4:0] marks;
  wire [3:0] keep, given_keep;
  wire [2:0] given_bytes;

  packet_driver u_driver (
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
      .done_i       (done),
      .ok_i         (ok),
      .error_i      (1'b0)
  );

  generate
    if (AXIS != 0) begin : gen_axis
      aes_gcm_axis u_dut (
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
          .s_axis_tuser     (marks[4]),
          .s_axis_tvalid    (data_valid),
          .s_axis_tready    (data_ready),
          .m_axis_tdata     (swapped),
          .m_axis_tkeep     (given_keep),
          .m_axis_tlast     (given_last),
          .m_axis_tvalid    (given_valid),
          .m_axis_tready    (take),
          .done             (done),
          .ok               (ok)
      );

      assign given_word = {swapped[7:0], swapped[15:8], swapped[23:16], swapped[31:24]};
      assign given_bytes = given_keep == 4'h0 ? 3'd0 : given_keep == 4'h1 ? 3'd1 :
          given_keep == 4'h3 ? 3'd2 : given_keep == 4'h7 ? 3'd3 : given_keep == 4'hf ? 3'd4 : 3'd7;
    end else begin : gen_words
      aes_gcm u_dut (
          .clk_i             (clk),
          .rst_ni            (rst_n),
          .erase_i           (erase),
          .key_i             (offered),
          .key_valid_i       (key_valid),
          .key_ready_o       (key_ready),
          .key_bits_i        (marks[1:0]),
          .data_i            (offered),
          .data_bytes_i      (marks[2:0]),
          .data_last_i       (marks[3]),
          .data_valid_i      (data_valid),
          .data_ready_o      (data_ready),
          .decrypt_i         (marks[4]),
          .unverified_o      (given_word),
          .unverified_bytes_o(given_bytes),
          .unverified_last_o (given_last),
          .unverified_valid_o(given_valid),
          .unverified_ready_i(take),
          .done_o            (done),
          .ok_o              (ok)
      );
    end
  endgenerate

endmodule
