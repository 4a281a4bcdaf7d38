// SPDX-License-Identifier: MIT
// AES with keys of 128, 192 and 256 bits, both directions: two blocks share one 32-bit path of five
// stages, so that no stage waits.
//
// A round of one block reads its four columns in a group of four cycles and writes them in the
// next, while the other block does the reverse:
//   1 read a column, ShiftRows by address     2 S-box RAM     3 its register
//   4 MixColumns                              5 AddRoundKey, and back into the state or out
// A new block is taken in stage 1 in place of a round's columns, joins in stage 5, and the last
// round leaves from there, so that a block takes each stage for 4 (Nr + 1) cycles and no more.
// With KEY_EXPANSION the round keys of decryption are added between stage 3 and its register.
//
// Streams: a word moves at a rising edge where valid and ready are high; byte 0 is the highest.
//   key    taken when no block is in work, and key_valid_i high lets no further block begin.
//          KEY_EXPANSION 1: 4, 6 or 8 words, see aes32x2_key_expand; 0: see aes32x2_key_load.
//   data   4 words a block; decrypt_i counts with the first.  Words may come at any pace.
//   output 4 words a block, in order; a word that is not taken halts the core.
// data_ready_o depends on data_ready_i and key_valid_i of the same cycle, nothing else on inputs.
// Reset is active low and synchronous: rst_ni low at two rising edges.  It does what erase_i high
// at one does: all blocks and the key are dropped, and zeros are written over all key words, both
// states and data_o; no word moves in the 66 cycles that this takes (129 without KEY_EXPANSION).
//
// Cycles: 44, 52, 60 a block with two in work; 88, 104, 120 for blocks that wait for one another.
// From the last word of a key 53, 57, 68 until blocks are taken.
// Cost: see README.md.  STATE_IN_LUTS 1 keeps the states in look-up tables, not RAM blocks.
// Source: FIPS 197, 5.1, 5.2 and 5.3.5.

`default_nettype none

module aes32x2 #(
    parameter KEY_EXPANSION = 1,
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
  wire keyed, erasing, keys_busy;
  wire [3:0] rounds;  // Nr = 10, 12, 14

  // Time: the column in stage 1, which is that in stage 5 too, and the lane (block) in stage 1; the
  // other lane is in stage 5.  A block's lane has a round from 1 on, or is in its first, 0, which
  // is that of a lane without a block too.
  reg lane_q;
  reg [1:0] column_q;
  reg [3:0] read_round_q, write_round_q;
  reg read_first_q, write_first_q;
  reg read_decrypt_q, write_decrypt_q;
  reg loaded_q;  // all words of the lane in stage 5 are there
  reg leaving_q;  // it is in its last round
  wire group_ends = column_q == 2'd3;
  wire next_first = (write_first_q && !loaded_q) || leaving_q || erasing;
  wire read_last = (read_round_q & rounds) == rounds;  // it does not exceed Nr

  wire step = !(leaving_q && data_valid_o && !data_ready_i);

  // Words enter in the column that they are of.
  reg [1:0] filled_q;  // words of the block that enters
  reg fills_q;  // it enters in the lane in stage 1; also high if there is none
  wire none = filled_q == 2'd0;
  wire opens = read_first_q && none;
  wire allowed = keyed && (none ? !key_valid_i : fills_q);
  assign data_ready_o = step && read_first_q && filled_q == column_q && allowed;
  wire accepted = data_ready_o && data_valid_i;
  wire empty = opens && write_first_q && !loaded_q && !accepted;
  reg idle_q, settled_q;  // no block in the cycle before; and not for two, so that a key may begin

  // While keys are erased, which takes far longer than a block is in the stages, rounds stay 0 and
  // nothing leaves, and all that stands here without a reset gets its value.
  always @(posedge clk_i) begin
    if (step) begin
      {lane_q, column_q} <= {lane_q, column_q} + 3'd1;
      if (clear) {lane_q, column_q} <= 3'd0;
      if (group_ends) begin
        write_round_q <= read_round_q;
        write_first_q <= read_first_q;
        read_round_q <= write_round_q + 4'd1;
        if (next_first) read_round_q <= 4'd0;
        read_first_q <= next_first;
        loaded_q <= accepted;
        fills_q <= !fills_q || none || accepted;
      end
      filled_q <= filled_q + {1'b0, accepted};
      if (erasing) filled_q <= 2'd0;
      idle_q <= empty;
      if (group_ends) begin
        read_decrypt_q <= write_decrypt_q;
        write_decrypt_q <= read_decrypt_q;
      end else if (opens) begin
        read_decrypt_q <= decrypt_i;
      end
    end
  end

  // What a column takes along through the stages.
  wire blank = idle_q || keys_busy;  // the path is free for keys
  reg inverse_2_q, first_2_q, first_3_q, first_4_q, last_2_q, last_3_q, last_4_q;
  reg entered_2_q, entered_3_q, entered_4_q, entered_5_q, first_5_q;
  reg [31:0] entering_2_q, entering_3_q, entering_4_q, entering_5_q;

  always @(posedge clk_i) begin
    if (step) begin
      inverse_2_q <= read_decrypt_q && !blank;
      {first_5_q, first_4_q, first_3_q, first_2_q}
          <= {first_4_q, first_3_q, first_2_q, read_first_q};
      {leaving_q, last_4_q, last_3_q, last_2_q} <= {last_4_q, last_3_q, last_2_q, read_last};
      {entered_5_q, entered_4_q, entered_3_q, entered_2_q}
          <= {entered_4_q, entered_3_q, entered_2_q, accepted};
      {entering_5_q, entering_4_q, entering_3_q} <= {entering_4_q, entering_3_q, entering_2_q};
      entering_2_q <= data_i;
      if (!read_first_q || erasing) entering_2_q <= 32'd0;
    end
  end

  wire [31:0] bytes, mixed, unmixed, look, word, given, made, made_q, key_before, key_after;
  wire [31:0] result = mixed ^ unmixed ^ entering_5_q ^ key_after;
  wire erasing_blank;

  aes32x2_state #(
      .IN_LUTS(STATE_IN_LUTS),
      .BLANK  (KEY_EXPANSION)
  ) u_state (
      .clk_i         (clk_i),
      .step_i        (step),
      .write_i       (!first_5_q || entered_5_q || erasing),
      .write_lane_i  (!lane_q),
      .write_column_i(column_q),
      .word_i        (result),
      .read_column_i (column_q),
      .inverse_i     (read_decrypt_q),
      .blank_i       (blank),
      .blank_write_i (erasing_blank),
      .bytes_o       (bytes)
  );

  aes32x2_column u_column (
      .clk_i     (clk_i),
      .step_i    (step),
      .bytes_i   (bytes),
      .inverse_i (inverse_2_q),
      .look_i    (look),
      .key_i     (key_before),
      .word_i    (word),
      .given_i   (given),
      .clear_i   (erasing),
      .column_o  (made),
      .column_q_o(made_q),
      .first_i   (first_4_q),
      .last_i    (last_4_q),
      .mixed_o   (mixed),
      .unmixed_o (unmixed)
  );

  aes32x2_keys #(
      .KEY_EXPANSION(KEY_EXPANSION)
  ) u_keys (
      .clk_i          (clk_i),
      .clear_i        (clear),
      .step_i         (step),
      .key_i          (key_i),
      .key_valid_i    (key_valid_i),
      .key_ready_o    (key_ready_o),
      .key_bits_i     (key_bits_i),
      .idle_i         (settled_q),
      .busy_o         (keys_busy),
      .ready_o        (keyed),
      .erasing_o      (erasing),
      .erasing_blank_o(erasing_blank),
      .rounds_o       (rounds),
      .look_o         (look),
      .word_o         (word),
      .given_o        (given),
      .made_i         (made),
      .made_q_i       (made_q),
      .round_i        (read_round_q),
      .column_i       (column_q),
      .decrypt_i      (opens ? decrypt_i : read_decrypt_q),
      .between_i      (inverse_2_q && !first_2_q),
      .before_o       (key_before),
      .after_o        (key_after)
  );

  always @(posedge clk_i) begin
    if (leaving_q && step) data_o <= result;
    if (erasing) data_o <= 32'd0;
    data_valid_o <= leaving_q || (data_valid_o && !data_ready_i);
    settled_q <= idle_q && empty;
    if (clear || erasing) {data_valid_o, settled_q} <= 2'b00;
  end

endmodule

`default_nettype wire
