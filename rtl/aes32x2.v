// SPDX-License-Identifier: MIT
// AES with keys of 128, 192 and 256 bits, both directions: two blocks share one 32-bit path of five
// stages, so that no stage waits.
//
// A round of one block reads its four columns in a group of four cycles and writes them in the
// next, while the other block does the reverse:
//   1 read a column, ShiftRows by address     2 S-box RAM     3 its register
//   4 MixColumns                              5 AddRoundKey, and back into the state or out
// The words of a new block are added in stage 5 in place of a round's columns, and the last round
// leaves from there, so that a block takes stage 5 for 4 (Nr + 1) cycles and no more.
//
// Streams: a word moves at a rising edge where valid and ready are high; byte 0 is the highest.
//   key    see aes32x2_key_load; taken when no block is in work, and key_valid_i high lets no
//          further block begin.
//   data   4 words a block; decrypt_i counts with the first.  Words may come at any pace.
//   output 4 words a block, in order; a word that is not taken halts the core.
// data_ready_o depends on data_ready_i and key_valid_i of the same cycle, nothing else on inputs.
// Reset is synchronous: rst_ni low at two rising edges.  It does what erase_i high at one does: all
// blocks and the key are dropped, and zeros are written over all key words, both states and data_o;
// no word moves in the 128 cycles that this takes.
//
// Cycles: 44, 52, 60 a block with two in work; 88, 104, 120 for blocks that wait for one another.
// Cost: see README.md.  STATE_IN_LUTS 1 keeps the states in look-up tables, not RAM blocks.
// Source: FIPS 197, 5.1, 5.2 and 5.3.5.

module aes32x2 #(
    parameter STATE_IN_LUTS = 0
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        erase_i,
    input  wire [31:0] key_i,
    input  wire        key_valid_i,
    output wire        key_ready_o,
    input  wire [ 1:0] key_bits_i,
    input  wire [31:0] data_i,
    input  wire        data_valid_i,
    output wire        data_ready_o,
    input  wire        decrypt_i,
    output reg  [31:0] data_o,
    output reg         data_valid_o,
    input  wire        data_ready_i
);

  wire clear = !rst_ni || erase_i;
  wire keyed, erasing;
  wire [1:0] bits;

  // Time: the column in stage 1, which is that in stage 5 too, and the lane (block) in stage 1; the
  // other lane is in stage 5.  A block's lane has a round from 1 on; 0 is a block that enters.
  reg lane_q;
  reg [1:0] column_q;
  reg [3:0] read_round_q, write_round_q;
  reg read_decrypt_q, write_decrypt_q;
  reg loaded_q;  // all words of the lane in stage 5 are there
  reg leaving_q;  // it is in its last round
  wire group_ends = column_q == 2'd3;
  wire read_first = read_round_q == 4'd0;
  wire write_first = write_round_q == 4'd0;
  wire read_last = read_round_q == {1'b1, bits + 2'd1, 1'b0};  // Nr = 10, 12, 14

  wire step = !(leaving_q && data_valid_o && !data_ready_i);

  // While keys are erased, which takes far longer than a block is in the stages, rounds stay 0 and
  // nothing leaves, and all that stands here without a reset gets its value.
  always @(posedge clk_i) begin
    if (step) begin
      {lane_q, column_q} <= {lane_q, column_q} + 3'd1;
      if (clear) {lane_q, column_q} <= 3'd0;
      if (group_ends) begin
        write_round_q <= read_round_q;
        read_round_q <= write_round_q + {3'd0, !write_first || loaded_q};
        if (leaving_q || erasing) read_round_q <= 4'd0;
      end
    end
  end

  // Words enter two cycles before stage 5, that is in columns 2, 3, 0, 1.  key_lane_q has its round
  // then: the one whose key words are read.
  reg [3:0] key_round_q;
  reg key_first_q;
  reg [1:0] filled_q;  // words of the block that enters
  reg fill_lane_q;
  wire key_lane = lane_q ^ !column_q[1];
  wire none = filled_q == 2'd0;
  wire opens = key_first_q && none;
  wire key_decrypt = opens ? decrypt_i : column_q[1] ? read_decrypt_q : write_decrypt_q;
  wire due = column_q == {!filled_q[1], filled_q[0]};
  wire allowed = keyed && (none ? !key_valid_i : fill_lane_q == key_lane);
  assign data_ready_o = step && key_first_q && due && allowed;
  wire accepted = data_ready_o && data_valid_i;
  reg idle_q;

  always @(posedge clk_i) begin
    if (step) begin
      if (column_q == 2'd1) begin
        key_round_q <= read_round_q;
        key_first_q <= read_first;
        if (erasing) key_first_q <= 1'b0;
      end
      filled_q <= filled_q + {1'b0, accepted};
      if (erasing) filled_q <= 2'd0;
      if (none) fill_lane_q <= key_lane;
      idle_q <= read_first && write_first && none && !loaded_q && !accepted;
      loaded_q <= (loaded_q && !group_ends) || (accepted && filled_q == 2'd3);
      if (erasing) loaded_q <= 1'b0;
      if (group_ends) begin
        read_decrypt_q <= write_decrypt_q;
        write_decrypt_q <= read_decrypt_q;
      end else if (column_q == 2'd2 && opens) begin
        read_decrypt_q <= decrypt_i;
      end
      if (erasing) read_decrypt_q <= 1'b0;
    end
  end

  // What a column takes along through the stages.
  reg inverse_2_q, first_2_q, first_3_q, first_4_q, last_2_q, last_3_q, last_4_q;
  reg entered_4_q, entered_5_q, busy_5_q;
  reg [31:0] entering_4_q, entering_5_q;

  always @(posedge clk_i) begin
    if (step) begin
      inverse_2_q <= read_decrypt_q;
      {first_4_q, first_3_q, first_2_q} <= {first_3_q, first_2_q, read_first};
      {leaving_q, last_4_q, last_3_q, last_2_q} <= {last_4_q, last_3_q, last_2_q, read_last};
      busy_5_q <= !first_4_q;
      {entered_5_q, entered_4_q} <= {entered_4_q, accepted};
      entering_5_q <= entering_4_q;
      entering_4_q <= data_i;
      if (!key_first_q) entering_4_q <= 32'd0;
    end
  end

  wire [31:0] bytes, mixed, unmixed, key_word;
  reg [31:0] key_q;
  wire [31:0] result = mixed ^ unmixed ^ entering_5_q ^ key_q;

  aes32x2_state #(
      .IN_LUTS(STATE_IN_LUTS)
  ) u_state (
      .clk_i         (clk_i),
      .step_i        (step),
      .write_i       (busy_5_q || entered_5_q || erasing),
      .write_lane_i  (!lane_q),
      .write_column_i(column_q),
      .word_i        (result),
      .read_column_i (column_q),
      .inverse_i     (read_decrypt_q),
      .bytes_o       (bytes)
  );

  aes32x2_column u_column (
      .clk_i    (clk_i),
      .step_i   (step),
      .bytes_i  (bytes),
      .inverse_i(inverse_2_q),
      .first_i  (first_4_q),
      .last_i   (last_4_q),
      .mixed_o  (mixed),
      .unmixed_o(unmixed)
  );

  always @(posedge clk_i) begin
    if (step) key_q <= key_word;
    if (leaving_q && step) data_o <= result;
    if (erasing) data_o <= 32'd0;
  end

  always @(posedge clk_i) begin
    data_valid_o <= leaving_q || (data_valid_o && !data_ready_i);
    if (clear || erasing) data_valid_o <= 1'b0;
  end

  wire key_write;
  wire [6:0] key_write_address;
  wire [31:0] key_write_data;

  aes32x2_ram u_keys (
      .clk_i          (clk_i),
      .write_i        (key_write),
      .write_address_i(key_write_address),
      .data_i         (key_write_data),
      .read_i         (step),
      .read_address_i ({key_decrypt, key_round_q, !column_q[1], column_q[0]}),
      .data_o         (key_word)
  );

  aes32x2_key_load u_load (
      .clk_i          (clk_i),
      .clear_i        (clear),
      .key_i          (key_i),
      .key_valid_i    (key_valid_i),
      .key_ready_o    (key_ready_o),
      .key_bits_i     (key_bits_i),
      .idle_i         (idle_q),
      .ready_o        (keyed),
      .erasing_o      (erasing),
      .bits_o         (bits),
      .write_o        (key_write),
      .write_address_o(key_write_address),
      .write_data_o   (key_write_data)
  );

endmodule
