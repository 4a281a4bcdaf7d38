// SPDX-License-Identifier: MIT
// Takes expanded round keys for aes32x2, and erases them.
//
// Interface: the words of the schedule for encryption, in the order of FIPS 197, then those for
// decryption in the order of use with InvMixColumns applied: 44, 52 or 60 words each.  They are
// taken while the core is idle (idle_i); key_bits_i counts with the first (0, 1, 2 for 128, 192,
// 256 bits).  Words go to {decrypt, round, column} by the write port, a cycle after they are taken;
// rounds_o, Nr, stays with the key, and ready_o is high while there is one.
// clear_i high at a rising edge forgets the key and begins to write zeros over all 128 words;
// erasing_o is high meanwhile.
//
// Cycles: 1 a word; 128 to erase.
// Cost: about 20 look-up tables, 52 flip-flops.
// Source: FIPS 197, 5.3.5.

`default_nettype none

module aes32x2_key_load (
    input  wire        clk_i,
    input  wire        clear_i,
    input  wire [31:0] key_i,
    input  wire        key_valid_i,
    output wire        key_ready_o,
    input  wire [ 1:0] key_bits_i,
    input  wire        idle_i,
    output wire        ready_o,
    output wire        erasing_o,
    output wire [ 3:0] rounds_o,
    output reg         write_o,
    output reg  [ 6:0] write_address_o,
    output reg  [31:0] write_data_o
);

  reg erasing_q, begun_q, keyed_q;
  reg [6:0] index_q;
  reg [1:0] half_q;  // 1, 2, 3 for 10, 12, 14 rounds

  assign key_ready_o = begun_q || idle_i;
  assign ready_o = keyed_q;
  assign rounds_o = {1'b1, half_q, 1'b0};
  assign erasing_o = erasing_q;

  wire taken = key_ready_o && key_valid_i;
  wire [6:0] next = index_q + 7'd1;

  // 4 (Nr + 1) - 1 = 4 Nr + 3.
  wire last_word = taken && index_q[5:0] == {rounds_o, 2'b11};

  always @(posedge clk_i) begin
    if (clear_i) begin
      erasing_q <= 1'b1;
      begun_q <= 1'b0;
      keyed_q <= 1'b0;
      index_q <= 7'd0;
    end else if (erasing_q) begin
      erasing_q <= index_q != 7'h7f;
      index_q <= next;
    end else if (last_word) begin
      begun_q <= !index_q[6];
      keyed_q <= index_q[6];
      index_q <= {!index_q[6], 6'd0};
    end else if (taken) begin
      begun_q <= 1'b1;
      keyed_q <= 1'b0;
      index_q <= next;
    end
  end

  always @(posedge clk_i) begin
    if (taken && !begun_q) half_q <= key_bits_i + 2'd1;
    write_o <= erasing_q || taken;
    write_address_o <= index_q;
    write_data_o <= key_i;
    if (erasing_q) write_data_o <= 32'd0;
  end

endmodule

`default_nettype wire
