// SPDX-License-Identifier: MIT
// GCM (CTR with GHASH) over one aes32x2, a packet at a time: IVs of 96 bits, tags of 128; text and
// associated data of less than 2^29 bytes each.
//
// Streams: as for aes32x2; the key is taken between packets.
//   data    4 bytes a word, byte 0 highest, in parts: the IV in 3 words, the associated data, the
//           text, and, to decrypt, the tag in 4 words.  data_last_i ends associated data and text;
//           then the highest data_bytes_i bytes count, 0 to 4, and else all four.  A part without
//           data is one word of 0 bytes.  decrypt_i counts with the first word of the IV.
//   unverified  the text, word for word as it came, unused bytes zero; in encryption the tag
//           follows.  Decrypted text must not be used before done_o and ok_o say that the tag was
//           right.
//   done_o  rises behind the tag's last word and stays until the next packet; ok_o with it.
// erase_i for one cycle, or rst_ni low at two rising edges, drops packet and key; the core writes
// zeros over round keys and states in 66 cycles, and GHASH over the multiples of its key.
// What the RAMs of aes_ghash for words, and that for key stream, hold stays until it is replaced.
//
// Key stream is made ahead, up to four blocks, which wait in a RAM, so that neither the core nor
// GHASH has to wait for a word; what a packet does not need is dropped.
//
// Cycles: 44 (52, 60 for longer keys) for each 16 bytes of text, 40 of associated data; 531 for
// the multiples of GHASH's key, which the first packet behind a key waits for.
// Cost: aes32x2, aes_ghash, aes_gcm_words, a counter block of 128 bits and a RAM; in all see
// docs/silicon.md.
// Source: SP 800-38D, 7.

`default_nettype none

module aes_gcm (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        erase_i,
    input  wire [31:0] key_i,
    input  wire        key_valid_i,
    output wire        key_ready_o,
    input  wire [ 1:0] key_bits_i,
    input  wire [31:0] data_i,
    input  wire [ 2:0] data_bytes_i,
    input  wire        data_last_i,
    input  wire        data_valid_i,
    output wire        data_ready_o,
    input  wire        decrypt_i,
    output wire [31:0] unverified_o,
    output wire [ 2:0] unverified_bytes_o,
    output wire        unverified_last_o,
    output wire        unverified_valid_o,
    input  wire        unverified_ready_i,
    output wire        done_o,
    output wire        ok_o
);

  wire clear_n = rst_ni && !erase_i;
  wire idle, hash, streams, flush, load, used, store, special, length, push, room, empty;
  wire finish, finished, core_key_ready, core_ready, given_valid;
  wire [1:0] index, store_index;
  wire [31:0] word, stream, store_word, tag, given;

  // Blocks of key stream: made, given and used are counted modulo 8, and at most 4 apart.
  reg [2:0] made_q, given_q, used_q;
  reg [1:0] fed_word_q, given_word_q;
  reg settled_q;  // no block was in the core in the cycle before
  reg stream_ready_q;  // one is there, but in the cycle after one was used
  wire full = made_q == {!used_q[2], used_q[1:0]};
  wire none = made_q == used_q;
  wire begun = fed_word_q != 2'd0;
  wire feeds = begun || (hash && none) || (streams && !full);
  wire fed = feeds && core_ready;

  // A key is taken before or between packets, or in place of one that was not used yet.
  reg keyed_q;
  reg free_q;  // the core itself takes no key in the cycle after a block's first word
  assign key_ready_o = free_q && core_key_ready;
  wire key_taken = key_ready_o && key_valid_i;

  always @(posedge clk_i) begin
    keyed_q <= keyed_q || key_taken;
    free_q <= !keyed_q || (idle && settled_q && !(flush && !key_taken)) || (hash && none && !begun);
    settled_q <= made_q == given_q;
    stream_ready_q <= given_q != used_q && !used && !flush;
    made_q <= made_q + {2'd0, fed && !begun};
    given_q <= given_q + {2'd0, given_valid && given_word_q == 2'd3};
    used_q <= used_q + {2'd0, used};
    fed_word_q <= fed_word_q + {1'b0, fed};
    given_word_q <= given_word_q + {1'b0, given_valid};
    if (flush || !clear_n) {made_q, given_q, used_q, fed_word_q, given_word_q} <= 13'd0;
    if (!clear_n) {keyed_q, free_q, stream_ready_q} <= 3'd0;
  end

  // The counter block turns by a word whenever a word is loaded, or fed.
  reg [127:0] counter_q;

  always @(posedge clk_i) begin
    if (load || fed)
      counter_q <= {
        counter_q[95:0],
        (load ? word : counter_q[127:96]) + {31'd0, load ? index == 2'd3 : fed_word_q == 2'd3}
      };
    if (key_taken || !clear_n) counter_q <= 128'd0;
  end

  aes_gcm_words u_words (
      .clk_i             (clk_i),
      .rst_ni            (clear_n),
      .begins_i          (key_taken),
      .waits_i           (key_valid_i || !settled_q),
      .idle_o            (idle),
      .hash_o            (hash),
      .streams_o         (streams),
      .flush_o           (flush),
      .load_o            (load),
      .data_i            (data_i),
      .data_bytes_i      (data_bytes_i),
      .data_last_i       (data_last_i),
      .data_valid_i      (data_valid_i),
      .data_ready_o      (data_ready_o),
      .decrypt_i         (decrypt_i),
      .unverified_o      (unverified_o),
      .unverified_bytes_o(unverified_bytes_o),
      .unverified_last_o (unverified_last_o),
      .unverified_valid_o(unverified_valid_o),
      .unverified_ready_i(unverified_ready_i),
      .done_o            (done_o),
      .ok_o              (ok_o),
      .index_o           (index),
      .word_o            (word),
      .stream_i          (stream),
      .stream_ready_i    (stream_ready_q),
      .stream_used_o     (used),
      .store_o           (store),
      .store_index_o     (store_index),
      .special_o         (special),
      .length_o          (length),
      .store_word_o      (store_word),
      .push_o            (push),
      .room_i            (room),
      .empty_i           (empty),
      .finish_o          (finish),
      .finished_i        (finished),
      .tag_i             (tag)
  );

  aes_ghash u_ghash (
      .clk_i    (clk_i),
      .rst_ni   (clear_n),
      .write_i  (store),
      .index_i  (store_index),
      .special_i(special),
      .length_i (length),
      .word_i   (store_word),
      .push_i   (push),
      .key_i    (hash),
      .room_o   (room),
      .empty_o  (empty),
      .finish_i (finish),
      .done_o   (finished),
      .tag_o    (tag)
  );

  aes32x2 u_core (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .erase_i     (erase_i),
      .key_i       (key_i),
      .key_valid_i (key_valid_i && free_q),
      .key_ready_o (core_key_ready),
      .key_bits_i  (key_bits_i),
      .data_i      (counter_q[127:96]),
      .data_valid_i(feeds),
      .data_ready_o(core_ready),
      .decrypt_i   (1'b0),
      .data_o      (given),
      .data_valid_o(given_valid),
      .data_ready_i(1'b1)
  );

  aes32_word_ram #(
      .ADDRESS_BITS(4)
  ) u_stream (
      .clk_i          (clk_i),
      .write_i        (given_valid),
      .write_address_i({given_q[1:0], given_word_q}),
      .data_i         (given),
      .read_i         (1'b1),
      .read_address_i ({used_q[1:0], index}),
      .data_o         (stream)
  );

endmodule

`default_nettype wire
