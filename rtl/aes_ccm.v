// SPDX-License-Identifier: MIT
// CCM (CTR with CBC-MAC) over one aes32, a packet at a time, as 802.11's CCMP needs it: a nonce of
// 13 bytes, a MIC of 8.  The core works on a block of each chain in turn.
//
// Streams: as for aes32; the key is taken between packets.
//   header  block B0 (flags 59, nonce, length of the payload in 2 bytes), then the associated data
//           as SP 800-38C, A.2 formats it (2 bytes of length, the data, zeros to a whole block);
//           header_last_i counts with the last word of a block.  For CCMP the data is the MAC
//           header, masked, which software has at hand.  decrypt_i counts with the first word.
//   text    the payload, 4 bytes a word, byte 0 highest; of a last word that is not full the
//           highest bytes count.  To decrypt, the 2 words of the MIC follow.
//   unverified  the payload, unused bytes zero; in encryption the 2 words of the MIC follow.
//           Decrypted text must not be used before done_o and ok_o say that the MIC was right.
//   done_o  rises with the MIC's last word and stays until the next packet; ok_o with it.
//
// Cycles: 40 a block of AES-128, two blocks for each 16 bytes, without a pause until the MAC's last
// block has to wait for the one before it: 1504 bytes under a header of 22 to 30 bytes are 192
// blocks and take 40 * 192 + 27 = 7707 to encrypt, one less to decrypt, from the first word in to
// done_o.  A text word takes 2.
// Cost: aes32 without decryption, two RAMs, about 90 flip-flops.
// Source: SP 800-38C, 6 and appendix A; IEEE Std 802.11-2012, 11.4.3.

module aes_ccm #(
    parameter COLUMN = 0
) (
    input  wire        clk_i,
    input  wire        rst_ni,
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
    output reg  [31:0] unverified_o,
    output reg         unverified_valid_o,
    input  wire        unverified_ready_i,
    output reg         done_o,
    output reg         ok_o
);

  // What is fed to the core: blocks B of the MAC (the first of a packet, headers, payload), or
  // counter blocks A; or nothing, while the next is chosen or the MIC passes.
  localparam [2:0] First = 3'd0, Header = 3'd1, Payload = 3'd2, Counter = 3'd3, Choose = 3'd4,
      Mic = 3'd5;

  reg [2:0] state_q;
  reg [1:0] word_q;  // of the block, or of the MIC
  reg decrypt_q;
  reg headed_q;  // all headers are fed
  reg counted_q;  // the last block fed was a counter block
  reg [15:0] counter_q;  // of the next counter block
  reg [15:0] left_q;  // bytes of payload not yet fed
  reg [1:0] ahead_q;  // counter blocks of the payload fed before their payload: 0 to 2

  reg mac_full_q, stream_full_q, pad_full_q;  // what has come back from the core: see below

  // Feeding.
  wire core_ready;
  wire out_free = !unverified_valid_o;
  wire payload_word = state_q == Payload && left_q != 16'd0;
  wire headers = state_q == First || state_q == Header;
  wire offered = headers ? header_valid_i : state_q == Counter
              || (state_q == Payload && (!payload_word || (text_valid_i && out_free)));
  wire fed = offered && core_ready && (headers || state_q == Counter || state_q == Payload);
  wire block_fed = fed && word_q == 2'd3;

  wire mic_word = state_q == Mic && mac_full_q && pad_full_q && (decrypt_q ? text_valid_i : out_free);
  wire mic_ends = mic_word && word_q[0];

  assign header_ready_o = headers && core_ready;
  assign text_ready_o = (payload_word && core_ready && out_free)
                     || (state_q == Mic && decrypt_q && mac_full_q && pad_full_q);

  // Choosing.  A counter block is fed one ahead of the payload, so that the chains alternate; it
  // is not fed before the headers' blocks that its result would have to wait for.
  wire pad_wanted = counter_q == 16'd0;
  wire first_wanted = ahead_q == 2'd0 && left_q != 16'd0;
  wire second_wanted = ahead_q == 2'd1 && headed_q && left_q > 16'd16;
  wire count = (headed_q || !counted_q) && (pad_wanted || first_wanted || second_wanted);
  wire payload_next = headed_q && left_q != 16'd0;
  wire mac_next = mac_full_q && (!payload_next || stream_full_q);
  wire all_fed = headed_q && left_q == 16'd0;

  wire [2:0] chosen = count ? Counter : all_fed ? Mic : !mac_next ? Choose
                    : headed_q ? Payload : Header;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= First;
      word_q <= 2'd0;
    end else if (state_q == Choose) begin
      state_q <= chosen;
    end else if (mic_word) begin
      word_q <= {1'b0, !word_q[0]};
      if (mic_ends) state_q <= First;
    end else if (fed) begin
      word_q <= word_q + 2'd1;
      if (block_fed) state_q <= Choose;
    end
  end

  wire [2:0] bytes = left_q[15:2] != 14'd0 ? 3'd4 : {1'b0, left_q[1:0]};  // of this word
  wire begins = fed && state_q == First && word_q == 2'd0;

  always @(posedge clk_i) begin
    if (begins) begin
      decrypt_q <= decrypt_i;
      counter_q <= 16'd0;
      ahead_q   <= 2'd0;
    end
    if (headers && block_fed) headed_q <= header_last_i;
    if (block_fed) counted_q <= state_q == Counter;
    if (block_fed && state_q == First) left_q <= header_i[15:0];
    if (fed && state_q == Payload) left_q <= left_q - {13'd0, bytes};
    if (block_fed && state_q == Counter) counter_q <= counter_q + 16'd1;
    if (block_fed && state_q == Counter && !pad_wanted) ahead_q <= ahead_q + 2'd1;
    if (block_fed && state_q == Payload) ahead_q <= ahead_q - 2'd1;
  end

  // The core.
  wire [31:0] chain, key_stream;  // what the RAMs give; see below
  wire [31:0] used = ~(32'hffffffff >> {bytes, 3'd0});
  wire [31:0] crossed = (text_i ^ key_stream) & used;
  wire [31:0] payload = (text_i ^ (decrypt_q ? key_stream : 32'd0)) & used;
  wire [7:0] flags = word_q == 2'd0 ? 8'h01 : chain[31:24];
  wire [15:0] low = word_q == 2'd3 ? counter_q : chain[15:0];
  wire [31:0] feed = state_q == Counter ? {flags, chain[23:16], low}
                   : (state_q == First ? 32'd0 : chain) ^ (headers ? header_i : payload);

  wire idle = state_q == First && word_q == 2'd0;
  wire core_key_ready, given_valid;
  wire [31:0] given;
  wire take;
  assign key_ready_o = core_key_ready && idle;

  aes32 #(
      .DECRYPT(0),
      .COLUMN (COLUMN)
  ) u_core (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .key_i       (key_i),
      .key_valid_i (key_valid_i && idle),
      .key_ready_o (core_key_ready),
      .key_bits_i  (key_bits_i),
      .data_i      (feed),
      .data_valid_i(offered),
      .data_ready_o(core_ready),
      .decrypt_i   (1'b0),
      .data_o      (given),
      .data_valid_o(given_valid),
      .data_ready_i(take)
  );

  // What comes back: the MAC so far; key stream, first the pad of the MIC (of counter 0).  Four
  // blocks at most are between feeding and here, and kinds_q tells which chain each is of.
  reg [3:0] kinds_q;
  reg [1:0] fed_q, given_q, given_word_q;
  wire of_mac = kinds_q[given_q];
  assign take = of_mac || !pad_full_q || !stream_full_q;
  wire taken = given_valid && take;
  wire block_taken = taken && given_word_q == 2'd3;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kinds_q <= 4'd0;
      fed_q <= 2'd0;
      given_q <= 2'd0;
      given_word_q <= 2'd0;
      mac_full_q <= 1'b0;
      stream_full_q <= 1'b0;
      pad_full_q <= 1'b0;
    end else begin
      if (fed && word_q == 2'd0) kinds_q[fed_q] <= state_q != Counter;
      if (block_fed) fed_q <= fed_q + 2'd1;
      if (taken) given_word_q <= given_word_q + 2'd1;
      if (block_taken) given_q <= given_q + 2'd1;

      if (block_taken && of_mac) mac_full_q <= 1'b1;
      else if (mic_ends || (block_fed && (state_q == Header || state_q == Payload)))
        mac_full_q <= 1'b0;
      if (block_taken && !of_mac && pad_full_q) stream_full_q <= 1'b1;
      else if (block_fed && state_q == Payload) stream_full_q <= 1'b0;
      if (block_taken && !of_mac) pad_full_q <= 1'b1;
      else if (mic_ends) pad_full_q <= 1'b0;
    end
  end

  // The word that will be wanted is read while the one before it passes.
  wire [1:0] next_word = word_q + {1'b0, fed || mic_word};
  wire counting = state_q == Choose ? count : state_q == Counter;

  word_ram #(
      .ADDRESS_BITS(3)
  ) u_chain (  // 0 to 3 the MAC, 4 to 7 block B0
      .clk_i          (clk_i),
      .write_i        ((taken && of_mac) || (fed && state_q == First)),
      .write_address_i(state_q == First ? {1'b1, word_q} : {1'b0, given_word_q}),
      .data_i         (state_q == First ? header_i : given),
      .read_i         (1'b1),
      .read_address_i ({counting, next_word}),
      .data_o         (chain)
  );

  word_ram #(
      .ADDRESS_BITS(3)
  ) u_key_stream (  // 0 to 3 for the payload, 4 to 7 for the MIC
      .clk_i          (clk_i),
      .write_i        (taken && !of_mac),
      .write_address_i({!pad_full_q, given_word_q}),
      .data_i         (given),
      .read_i         (1'b1),
      .read_address_i ({all_fed, next_word}),
      .data_o         (key_stream)
  );

  // Output.
  wire [31:0] mic = chain ^ key_stream;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      unverified_valid_o <= 1'b0;
      done_o <= 1'b0;
    end else begin
      if ((fed && payload_word) || (mic_word && !decrypt_q)) unverified_valid_o <= 1'b1;
      else if (unverified_ready_i) unverified_valid_o <= 1'b0;
      if (begins) done_o <= 1'b0;
      else if (mic_ends) done_o <= 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (fed && payload_word) unverified_o <= crossed;
    else if (mic_word && !decrypt_q) unverified_o <= mic;
    if (begins) ok_o <= 1'b1;
    else if (mic_word && decrypt_q && text_i != mic) ok_o <= 1'b0;
  end

endmodule
