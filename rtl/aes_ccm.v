// SPDX-License-Identifier: MIT
// CCM (CTR with CBC-MAC) over one aes32x2, a packet at a time: nonces of 7 to 13 bytes, MICs of 4
// to 16, payloads below 65536 bytes.  The MAC's chain and the counter blocks share the core.
//
// Streams: as for aes32x2; the key is taken between packets.
//   header  block B0 (flags, nonce, length of the payload in the bytes that the nonce leaves, of
//           which all but the last 2 are zero), then the associated data as SP 800-38C, A.2 formats
//           it (2 bytes of length, the data, zeros to a whole block); header_last_i counts with the
//           last word of a block, decrypt_i with the first.
//   text    the payload, 4 bytes a word, byte 0 highest; of a last word that is not full the
//           highest bytes count.  To decrypt, the MIC follows, and begins with a new word.
//   unverified  the payload, unused bytes zero; in encryption the MIC follows.
//           Decrypted text must not be used before done_o and ok_o say that the MIC was right.
//   done_o  rises behind the MIC's last word and stays until the next packet; ok_o with it.
// erase_i for one cycle, or rst_ni low at two rising edges, drops packet and key, and the core
// writes zeros over round keys and states in 66 cycles; rtl/README.md says what other RAMs keep.
//
// aes32x2 works on two blocks in turn, 88 cycles each for AES-128.  The MAC's next block waits for
// the last, and re-enters in the cycle in which its lane is free; meanwhile the other lane makes
// key stream, which waits in a RAM for two blocks (rtl/README.md has the timing).
// The core must not be halted by a result, since that halts both lanes: each has its place before
// its block is fed.
//
// Cycles: 88 (104, 120 for longer keys) for each 16 bytes of payload, associated data, and for B0.
// Cost: aes32x2, about 380 look-up tables and 240 flip-flops, three RAMs.
// Source: SP 800-38C, 6 and appendix A; IEEE Std 802.11-2012, 11.4.3.

`default_nettype none

module aes_ccm (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        erase_i,
    input  wire [31:0] key_i,
    input  wire        key_valid_i,
    output wire        key_ready_o,
    input  wire [ 1:0] key_bits_i,
    input  wire [31:0] header_i,
    input  wire        header_valid_i,
    output wire        header_ready_o,
    input  wire        header_last_i,
    input  wire        decrypt_i,
    input  wire [31:0] text_i,
    input  wire        text_valid_i,
    output wire        text_ready_o,
    output wire [31:0] unverified_o,
    output wire        unverified_valid_o,
    input  wire        unverified_ready_i,
    output wire        done_o,
    output wire        ok_o
);

  wire clear_n = rst_ni && !erase_i;

  wire idle, core_ready, core_key_ready;
  wire [31:0] word, plain, chain, key_stream;
  wire [1:0] index, address;
  wire store, store_base, read_base, length, full, first, block_fed, used, mic_ends, chain_ready;
  wire [31:0] fed_data;
  wire fed_valid, fed, fed_mac, counter;
  reg [1:0] streams_q;  // blocks of key stream that are there
  reg [1:0] reserved_q;  // and those that are, or will be

  aes_ccm_words u_words (
      .clk_i             (clk_i),
      .rst_ni            (clear_n),
      .header_i          (header_i),
      .header_valid_i    (header_valid_i),
      .header_ready_o    (header_ready_o),
      .header_last_i     (header_last_i),
      .decrypt_i         (decrypt_i),
      .text_i            (text_i),
      .text_valid_i      (text_valid_i),
      .text_ready_o      (text_ready_o),
      .unverified_o      (unverified_o),
      .unverified_valid_o(unverified_valid_o),
      .unverified_ready_i(unverified_ready_i),
      .done_o            (done_o),
      .ok_o              (ok_o),
      .core_ready_i      (core_ready),
      .key_valid_i       (key_valid_i || key_held_q),
      .idle_o            (idle),
      .word_o            (word),
      .index_o           (index),
      .base_o            (store_base),
      .store_o           (store),
      .length_o          (length),
      .block_full_o      (full),
      .block_first_o     (first),
      .block_fed_i       (block_fed),
      .key_stream_i      (key_stream),
      .key_stream_ready_i(streams_q != 2'd0),
      .key_stream_used_o (used),
      .chain_i           (chain),
      .chain_ready_i     (chain_ready),
      .mic_ends_o        (mic_ends)
  );

  // What comes back, in the order of feeding; the core has two blocks at most.
  wire given_valid;
  wire [31:0] given;
  reg [1:0] macs_q;  // whether a block is one of the MAC
  reg fed_q, given_q;  // which of the two is fed, or given, next
  reg [1:0] given_word_q;
  reg counting_q;  // a counter block is in work, its result not begun
  wire given_mac = macs_q[given_q];
  wire given_begins = given_valid && given_word_q == 2'd0;
  wire given_ends = given_valid && given_word_q == 2'd3;
  wire stream_begins = given_begins && !given_mac;
  wire stream_ends = given_ends && !given_mac;
  reg write_stream_q, read_stream_q;  // which of two blocks of key stream

  always @(posedge clk_i) begin
    if (!clear_n) begin
      {fed_q, given_q, given_word_q} <= 4'd0;
      {counting_q, write_stream_q, read_stream_q} <= 3'd0;
      {streams_q, reserved_q} <= 4'd0;
    end else begin
      fed_q <= fed_q ^ fed;
      given_q <= given_q ^ given_ends;
      given_word_q <= given_word_q + {1'b0, given_valid};
      counting_q <= counter || (counting_q && !stream_begins);
      write_stream_q <= write_stream_q ^ stream_ends;
      read_stream_q <= read_stream_q ^ used;
      if (stream_ends && !used) streams_q <= streams_q + 2'd1;
      if (used && !stream_ends) streams_q <= streams_q - 2'd1;
      if (counter && !used) reserved_q <= reserved_q + 2'd1;
      if (used && !counter) reserved_q <= reserved_q - 2'd1;
    end
  end

  always @(posedge clk_i) if (fed) macs_q[fed_q] <= fed_mac;

  aes_ccm_feed u_feed (
      .clk_i        (clk_i),
      .rst_ni       (clear_n),
      .block_full_i (full),
      .block_first_i(first),
      .block_fed_o  (block_fed),
      .mac_begins_i (given_begins && given_mac),
      .chain_ready_o(chain_ready),
      .mic_ends_i   (mic_ends),
      .room_i       (!reserved_q[1] && (!counting_q || stream_begins)),
      .counter_o    (counter),
      .length_i     (length),
      .bytes_i      (word[15:0]),
      .index_i      (index),
      .address_o    (address),
      .base_o       (read_base),
      .plain_i      (plain),
      .chain_i      (chain),
      .data_o       (fed_data),
      .data_valid_o (fed_valid),
      .core_ready_i (core_ready),
      .fed_o        (fed),
      .mac_o        (fed_mac)
  );

  // A word of the key waits in a register, lest the way from idle to the core's keys be long.
  reg [31:0] key_q;
  reg [1:0] key_bits_q;
  reg key_held_q;
  assign key_ready_o = idle && core_key_ready && !key_held_q;

  always @(posedge clk_i) begin
    key_held_q <= (key_ready_o && key_valid_i) || (key_held_q && !core_key_ready);
    if (!clear_n) key_held_q <= 1'b0;
    if (!key_held_q) {key_q, key_bits_q} <= {key_i, key_bits_i};
  end

  aes32x2 u_core (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .erase_i     (erase_i),
      .key_i       (key_q),
      .key_valid_i (key_held_q),
      .key_ready_o (core_key_ready),
      .key_bits_i  (key_bits_q),
      .data_i      (fed_data),
      .data_valid_i(fed_valid),
      .data_ready_o(core_ready),
      .decrypt_i   (1'b0),
      .data_o      (given),
      .data_valid_o(given_valid),
      .data_ready_i(1'b1)
  );

  aes32_word_ram #(
      .ADDRESS_BITS(3)
  ) u_plain (  // 0 to 3 the MAC's next block, 4 to 7 block B0
      .clk_i          (clk_i),
      .write_i        (store),
      .write_address_i({store_base, index}),
      .data_i         (word),
      .read_i         (1'b1),
      .read_address_i ({read_base, address}),
      .data_o         (plain)
  );

  aes32_word_ram #(
      .ADDRESS_BITS(2)
  ) u_chain (
      .clk_i          (clk_i),
      .write_i        (given_valid && given_mac),
      .write_address_i(given_word_q),
      .data_i         (given),
      .read_i         (1'b1),
      .read_address_i (address),
      .data_o         (chain)
  );

  aes32_word_ram #(
      .ADDRESS_BITS(3)
  ) u_key_stream (
      .clk_i          (clk_i),
      .write_i        (given_valid && !given_mac),
      .write_address_i({write_stream_q, given_word_q}),
      .data_i         (given),
      .read_i         (1'b1),
      .read_address_i ({read_stream_q, index}),
      .data_o         (key_stream)
  );

endmodule

`default_nettype wire
