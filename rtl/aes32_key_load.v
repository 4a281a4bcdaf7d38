// SPDX-License-Identifier: MIT
// Takes expanded round keys for aes32, in place of aes32_key_expand and with the same stream.
//
// Interface: the words of the schedule for encryption, in the order of FIPS 197, then, unless
// DECRYPT is 0, those for decryption in the order of use with InvMixColumns applied: 44, 52 or 60
// words each.  They are taken while the core is idle (idle_i); key_bits_i counts with the first
// (0, 1, 2 for 128, 192, 256 bits).  busy_o is high from the first word to the last, and before
// any key.  Words go to {decrypt, round, column}; bits_o stays with the key.
// clear_i, which is synchronous, drops the key, and zeros are written over all its words while
// erasing_o is high: 128 cycles, or 64 with DECRYPT 0.
//
// Cycles: 1 a word; it is in the RAM a cycle later.
// Cost: a counter of 7 bits, a few flags, and a register in front of the RAM, whose reset is what
// writes zeros.
// Source: FIPS 197, 5.3.5.

`default_nettype none

module aes32_key_load #(
    parameter DECRYPT = 1
) (
    input  wire        clk_i,
    input  wire        clear_i,
    input  wire [31:0] key_i,
    input  wire        key_valid_i,
    output wire        key_ready_o,
    input  wire [ 1:0] key_bits_i,
    input  wire        idle_i,
    output wire        busy_o,
    output reg         erasing_o,
    output reg  [ 1:0] bits_o,
    output reg         write_o,
    output reg  [ 6:0] write_address_o,
    output reg  [31:0] write_data_o
);

  reg started_q, keyed_q, decrypt_q;
  reg [5:0] index_q;

  assign key_ready_o = started_q || (idle_i && !erasing_o);
  assign busy_o = started_q || !keyed_q;
  wire accepted = key_ready_o && key_valid_i;
  wire write = accepted || erasing_o;

  // 4 (Nr + 1) - 1 = 43, 51, 59; all 64 words are erased.
  wire last_word = index_q == ({1'b1, bits_o + 2'd1, 3'b011} | {6{erasing_o}});

  always @(posedge clk_i) begin
    if (clear_i) begin
      started_q <= 1'b0;
      keyed_q <= 1'b0;
      erasing_o <= 1'b1;
      decrypt_q <= 1'b0;
      index_q <= 6'd0;
    end else if (write) begin
      started_q <= accepted;
      index_q   <= index_q + 6'd1;
      if (last_word) begin
        index_q   <= 6'd0;
        decrypt_q <= DECRYPT != 0 && !decrypt_q;
        if (DECRYPT == 0 || decrypt_q) begin
          started_q <= 1'b0;
          keyed_q   <= accepted;
          erasing_o <= 1'b0;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (accepted && !started_q) bits_o <= key_bits_i;
    write_o <= write;
    write_address_o <= {decrypt_q, index_q};
    write_data_o <= key_i;
    if (erasing_o) write_data_o <= 32'd0;
  end

endmodule

`default_nettype wire
