// SPDX-License-Identifier: MIT
// Takes expanded round keys for aes32, in place of key_expand and with the same stream.
//
// Interface: the words of the schedule for encryption, in the order of FIPS 197, then, unless
// DECRYPT is 0, those for decryption in the order of use with InvMixColumns applied: 44, 52 or 60
// words each.  They are taken while the core is idle (idle_i); key_bits_i counts with the first
// (0, 1, 2 for 128, 192, 256 bits).  busy_o is high from the first word to the last, and before
// any key.  Words go to {decrypt, round, column}; bits_o stays with the key.
//
// Cycles: 1 a word.
// Cost: a counter of 7 bits and a few flags.
// Source: FIPS 197, 5.3.5.

module key_load #(
    parameter DECRYPT = 1
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire [31:0] key_i,
    input  wire        key_valid_i,
    output wire        key_ready_o,
    input  wire [ 1:0] key_bits_i,
    input  wire        idle_i,
    output wire        busy_o,
    output reg  [ 1:0] bits_o,
    output wire        write_o,
    output wire [ 6:0] write_address_o,
    output wire [31:0] write_data_o
);

  reg started_q, keyed_q, decrypt_q;
  reg [5:0] index_q;

  assign key_ready_o = started_q || idle_i;
  assign busy_o = started_q || !keyed_q;
  assign write_o = key_ready_o && key_valid_i;
  assign write_address_o = {decrypt_q, index_q};
  assign write_data_o = key_i;

  // 4 (Nr + 1) - 1 = 43, 51, 59.
  wire last_word = index_q == {1'b1, bits_o + 2'd1, 3'b011};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      keyed_q <= 1'b0;
      decrypt_q <= 1'b0;
      index_q <= 6'd0;
    end else if (write_o) begin
      started_q <= 1'b1;
      index_q <= index_q + 6'd1;
      if (last_word) begin
        index_q <= 6'd0;
        decrypt_q <= DECRYPT != 0 && !decrypt_q;
        if (DECRYPT == 0 || decrypt_q) begin
          started_q <= 1'b0;
          keyed_q <= 1'b1;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (write_o && !started_q) bits_o <= key_bits_i;
  end

endmodule
