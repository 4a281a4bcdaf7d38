// SPDX-License-Identifier: MIT
// AES with keys of 128, 192 and 256 bits, both directions, 32-bit datapath, streams on all sides.
//
// A round takes 4 cycles, the least that four S-boxes allow: every cycle four bytes leave the state
// (aes32_shift_rows), pass the tables' RAM (aes32_column_table) and come back with the round key
// added, in time for the next round.  The words of the next block, kept in a RAM as they come, get
// their first round key and enter the state while the last round's columns leave as output.
//
// Streams: a word moves at a rising edge where valid and ready are high; byte 0 is the highest.
//   key    4, 6 or 8 words; key_bits_i (0, 1, 2 for 128, 192, 256 bits) counts with the first.
//          Taken when the core is empty; key_valid_i high lets no further block begin.
//   data   4 words a block, also while another is in work; decrypt_i counts with the first.
//   output 4 words a block, in order; a word that is not taken halts the core.
// No ready or valid output depends on an input of another stream, but data_ready_o on key_valid_i.
// erase_i high at a rising edge drops all blocks and the key, and zeros are written over all key
// words, the state and data_o; no word moves in the 128 cycles that this takes (64 with DECRYPT 0).
// Words in the RAM of the next block stay until others come.  rst_ni, active low and synchronous,
// does the same.
//
// Cycles: 40, 48, 56 a block in steady state; from the last word in to the first word out 43, 51,
// 59.  Key: see aes32_key_expand.
// Parameters: KEY_EXPANSION 0 takes expanded keys instead (aes32_key_load); DECRYPT 0 leaves
// decryption out; SBOX is "column_table" for aes32_column_table, or "table", "logic" or "composite"
// for aes32_column_sbox with that S-box; with any other value elaboration fails.
// Cost: 260 flip-flops (275 with key expansion), 3 RAMs beside the tables; see README.md.
// Source: FIPS 197, 5.1, 5.2 and 5.3.5.

`default_nettype none

module aes32 #(
    parameter KEY_EXPANSION = 1,
    parameter DECRYPT = 1,
    parameter [8*13-1:0] SBOX = "column_table"
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

  // Control.  Time runs in groups of four slots; in slot s of a group column s of a round's result
  // is there (busy_q), or word s of a block enters (load_q), or both.  Idle is slot 3 for ever.
  reg busy_q, load_q, last_q, decrypt_q;
  reg [1:0] slot_q;
  reg [3:0] round_q;

  reg [2:0] filled_q;  // words of the next block
  reg next_decrypt_q;
  wire full = filled_q[2];

  wire keys_busy, erasing;
  wire [1:0] bits;

  wire step = !(busy_q && last_q && data_valid_o && !data_ready_i);
  wire boundary = slot_q == 2'd3;
  wire [1:0] next_slot = slot_q + 2'd1;
  wire [3:0] next_round = !boundary ? round_q : load_q ? 4'd1 : round_q + 4'd1;
  wire next_inverse = boundary && load_q ? next_decrypt_q : decrypt_q;

  wire before_last = busy_q && round_q == {1'b1, bits, 1'b1};  // 9, 11, 13
  wire next_busy = load_q || (busy_q && !last_q);
  wire next_load = full && !load_q && (!busy_q || last_q || before_last);

  always @(posedge clk_i) begin
    if (clear) begin
      busy_q <= 1'b0;
      load_q <= 1'b0;
      last_q <= 1'b0;
      slot_q <= 2'd3;
      round_q <= 4'd0;
    end else if (step) begin
      round_q <= next_round;
      if (!boundary) begin
        slot_q <= next_slot;
      end else begin
        slot_q <= next_busy || next_load ? 2'd0 : 2'd3;
        busy_q <= next_busy;
        load_q <= next_load;
        last_q <= before_last;
      end
    end
  end

  always @(posedge clk_i) begin
    if (step) decrypt_q <= next_inverse;
  end

  // The next block: words as they come, in a RAM.
  wire fill = data_valid_i && data_ready_o;
  wire begun = filled_q != 3'd0;
  assign data_ready_o = !full && (begun || !(keys_busy || key_valid_i));

  always @(posedge clk_i) begin
    if (clear) filled_q <= 3'd0;
    else if (step && boundary && load_q) filled_q <= 3'd0;
    else if (fill) filled_q <= filled_q + 3'd1;
  end

  always @(posedge clk_i) begin
    if (fill && !begun) next_decrypt_q <= DECRYPT != 0 && decrypt_i;
  end

  wire [31:0] entering;
  aes32_word_ram #(
      .ADDRESS_BITS(2)
  ) u_block (
      .clk_i          (clk_i),
      .write_i        (fill),
      .write_address_i(filled_q[1:0]),
      .data_i         (data_i),
      .read_i         (step),
      .read_address_i (next_slot),
      .data_o         (entering)
  );

  // Round keys, twice: one copy for the rounds, one for the words that enter.
  wire key_write;
  wire [6:0] key_write_address;
  wire [31:0] key_write_data;
  wire [5:0] schedule_address;
  wire [31:0] round_key, first_key;

  aes32_word_ram #(
      .ADDRESS_BITS(7)
  ) u_round_keys (
      .clk_i          (clk_i),
      .write_i        (key_write),
      .write_address_i(key_write_address),
      .data_i         (key_write_data),
      .read_i         (step),
      .read_address_i ({next_inverse, next_round, next_slot}),
      .data_o         (round_key)
  );

  aes32_word_ram #(
      .ADDRESS_BITS(7)
  ) u_first_keys (
      .clk_i          (clk_i),
      .write_i        (key_write),
      .write_address_i(key_write_address),
      .data_i         (key_write_data),
      .read_i         (step),
      .read_address_i (keys_busy ? {1'b0, schedule_address} : {next_decrypt_q, 4'd0, next_slot}),
      .data_o         (first_key)
  );

  // The loop of a round.  A result that is needed at once is never one of the last round, so that
  // late_bytes need not wait for the choice (AND and OR, which Yosys maps smaller).
  wire [31:0] schedule_word, table_bytes, mixed, unmixed;
  wire schedule_inverse, schedule_unmixed;
  wire table_inverse = keys_busy ? schedule_inverse : next_inverse;
  wire table_unmixed = keys_busy ? schedule_unmixed : last_q;
  wire [31:0] column = (unmixed & {32{table_unmixed}}) | (mixed & ~{32{table_unmixed}});
  wire [31:0] result = column ^ round_key;
  wire [15:0] late_bytes = {mixed[23:16], mixed[7:0]} ^ {round_key[23:16], round_key[7:0]};

  aes32_shift_rows u_state (
      .clk_i       (clk_i),
      .en_i        (step),
      .slot_i      (slot_q),
      .inverse_i   (next_inverse),
      .load_i      (load_q || erasing),
      .bypass_i    (keys_busy),
      .word_i      (keys_busy ? schedule_word : entering ^ first_key),
      .result_i    (result),
      .late_bytes_i(late_bytes),
      .bytes_o     (table_bytes)
  );

  generate
    if (SBOX == "column_table") begin : gen_table
      aes32_column_table u_column (
          .clk_i    (clk_i),
          .en_i     (step),
          .inverse_i(table_inverse),
          .bytes_i  (table_bytes),
          .mixed_o  (mixed),
          .unmixed_o(unmixed)
      );
    end else begin : gen_sbox
      aes32_column_sbox #(
          .SBOX(SBOX)
      ) u_column (
          .clk_i    (clk_i),
          .en_i     (step),
          .inverse_i(table_inverse),
          .bytes_i  (table_bytes),
          .mixed_o  (mixed),
          .unmixed_o(unmixed)
      );
    end
  endgenerate

  // Output.
  always @(posedge clk_i) begin
    if (clear) data_valid_o <= 1'b0;
    else data_valid_o <= (busy_q && last_q) || (data_valid_o && !data_ready_i);
  end

  always @(posedge clk_i) begin
    if (busy_q && last_q && step) data_o <= result;
    if (erasing) data_o <= 32'd0;
  end

  // Keys: taken when nothing is in work.
  wire idle = !busy_q && !load_q && !begun;

  generate
    if (KEY_EXPANSION != 0) begin : gen_expand
      aes32_key_expand #(
          .DECRYPT(DECRYPT)
      ) u_keys (
          .clk_i          (clk_i),
          .clear_i        (clear),
          .key_i          (key_i),
          .key_valid_i    (key_valid_i),
          .key_ready_o    (key_ready_o),
          .key_bits_i     (key_bits_i),
          .idle_i         (idle),
          .busy_o         (keys_busy),
          .erasing_o      (erasing),
          .bits_o         (bits),
          .table_word_o   (schedule_word),
          .table_inverse_o(schedule_inverse),
          .table_unmixed_o(schedule_unmixed),
          .column_i       (column),
          .write_o        (key_write),
          .write_address_o(key_write_address),
          .write_data_o   (key_write_data),
          .read_address_o (schedule_address),
          .read_data_i    (first_key)
      );
    end else begin : gen_load
      assign schedule_word = 32'd0;
      assign schedule_inverse = 1'b0;
      assign schedule_unmixed = 1'b0;
      assign schedule_address = {4'd0, next_slot};
      aes32_key_load #(
          .DECRYPT(DECRYPT)
      ) u_keys (
          .clk_i          (clk_i),
          .clear_i        (clear),
          .key_i          (key_i),
          .key_valid_i    (key_valid_i),
          .key_ready_o    (key_ready_o),
          .key_bits_i     (key_bits_i),
          .idle_i         (idle),
          .busy_o         (keys_busy),
          .erasing_o      (erasing),
          .bits_o         (bits),
          .write_o        (key_write),
          .write_address_o(key_write_address),
          .write_data_o   (key_write_data)
      );
    end
  endgenerate

endmodule

`default_nettype wire
