// SPDX-License-Identifier: MIT
// Makes the words of the MAC's blocks and of the output from a CCM packet's words, for aes_ccm.
//
// Interface: the streams, done_o and ok_o are those of aes_ccm.  rst_ni low for one cycle drops the
// packet.  A key may be taken while idle_o is high: between packets, but for the first cycle.
// store_o writes word_o at {base_o, index_o} of the MAC's blocks: base_o is high for block B0.
// block_full_o rises behind the last word of a block, with block_first_o for B0, and falls after
// block_fed_i; no word is taken meanwhile.
// length_o marks the cycle in which word_o has the length of the payload in its low half.
// key_stream_i is word index_o of the key stream, if key_stream_ready_i is high; a block of it is
// released by key_stream_used_o, a cycle after its last word.  chain_i is word index_o of the MAC
// once chain_ready_i is high and no block is full; mic_ends_o marks the cycle after the packet's
// end.
//
// Steps of a word, a cycle each, but that Open waits for what the word needs, Take for the word and
// Give for its taker; padding leaves Take out, and padding and headers what is between Keep and
// Give.
//   Open Take Cut Keep Cross Chain Trim Test Give
// The first word of a packet has Begin in place of Open and Take.
// Cut and Trim clear bytes behind the end of payload or MIC; Keep stores the word for the MAC, as
// Give does when the plaintext is known only then; Cross adds key stream, and Chain, for the MIC,
// the MAC; Test compares with zero.
//
// Cycles: 8 a word of payload, 9 of the MIC, 5 of a header, 4 of padding.
// Cost: 208 look-up tables of an iCE40, 83 flip-flops.
// Source: SP 800-38C, 6 and appendix A.

`default_nettype none

module aes_ccm_words (
    input  wire        clk_i,
    input  wire        rst_ni,
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
    output reg         done_o,
    output reg         ok_o,
    input  wire        core_ready_i,
    input  wire        key_valid_i,
    output wire        idle_o,
    output wire [31:0] word_o,
    output wire [ 1:0] index_o,
    output wire        base_o,
    output wire        store_o,
    output wire        length_o,
    output wire        block_full_o,
    output wire        block_first_o,
    input  wire        block_fed_i,
    input  wire [31:0] key_stream_i,
    input  wire        key_stream_ready_i,
    output wire        key_stream_used_o,
    input  wire [31:0] chain_i,
    input  wire        chain_ready_i,
    output wire        mic_ends_o
);

  localparam Open = 0, Take = 1, Cut = 2, Keep = 3, Cross = 4, Chain = 5, Trim = 6, Test = 7,
      Give = 8, Begin = 9;
  localparam [1:0] First = 2'd0, Header = 2'd1, Payload = 2'd2, Mic = 2'd3;

  reg [9:0] step_q;  // one bit is high
  reg [1:0] kind_q;  // of block
  reg [1:0] index_q;  // of the word in its block, or in the MIC
  reg decrypt_q;
  reg header_last_q;
  reg full_q, first_q;  // a block waits for the core; it is B0
  reg [31:0] word_q;
  reg [13:0] left_q;  // whole words of payload
  reg [1:0] rest_q;  // bytes after them
  reg whole_q, more_q;  // there is a whole word; there is any byte
  reg [1:0] mic_last_q;  // index of the last word of the MIC
  reg mic_half_q;  // which has 2 bytes

  wire headers = !kind_q[1];
  wire payload = kind_q == Payload;
  wire mic = kind_q == Mic;

  // Open.
  wire block_free = !full_q;
  wire over = payload && index_q == 2'd0 && !more_q;  // the MIC is next
  wire open = block_free && !over && (headers || (key_stream_ready_i && (!mic || chain_ready_i)));
  wire takes = headers || (payload && more_q) || (mic && decrypt_q);
  reg gives_q;  // the word is one of output
  reg [2:0] cut_q;  // bytes to clear, the lowest first
  wire mic_ends_half = mic && mic_half_q && index_q == mic_last_q;
  wire [1:0] cut_at = payload && !whole_q ? rest_q : {mic_ends_half, 1'b0};

  always @(posedge clk_i) begin
    if (step_q[Open] || step_q[Begin]) begin
      gives_q <= (payload && more_q) || (mic && !decrypt_q);
      cut_q   <= {cut_at == 2'd1, cut_at[1] != cut_at[0], cut_at != 2'd0};
    end
  end

  // Begin and Take.  A packet's first word is taken only in the cycle after one in which the core
  // would take a block, which it does not while a key is offered or expanded, and if no key is
  // offered then, lest a key begins with it.
  reg may_begin_q;
  reg idle_q;
  assign idle_o = idle_q;
  wire begin_ready = step_q[Begin] && may_begin_q && !key_valid_i;
  wire begins = begin_ready && header_valid_i;
  assign header_ready_o = begin_ready || (step_q[Take] && headers);
  assign text_ready_o = step_q[Take] && !headers;
  wire taken = headers ? header_valid_i : text_valid_i;

  always @(posedge clk_i) begin
    may_begin_q <= core_ready_i && rst_ni;
    if (step_q[Take]) header_last_q <= header_last_i;
    if (step_q[Begin]) decrypt_q <= decrypt_i;
  end

  // The word.
  wire trims = step_q[Cut] || step_q[Trim];
  wire [3:0] clear = {4{step_q[Open]}} | ({1'b0, cut_q} & {4{trims}});

  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : gen_byte
      always @(posedge clk_i) begin
        if (step_q[Take] || step_q[Begin])
          word_q[8*n+:8] <= headers ? header_i[8*n+:8] : text_i[8*n+:8];
        if (step_q[Cross]) word_q[8*n+:8] <= word_q[8*n+:8] ^ key_stream_i[8*n+:8];
        if (step_q[Chain]) word_q[8*n+:8] <= word_q[8*n+:8] ^ chain_i[8*n+:8];
        if (clear[n]) word_q[8*n+:8] <= 8'd0;
      end
    end
  endgenerate

  assign word_o = word_q;
  assign index_o = index_q;
  assign base_o = kind_q == First;
  assign store_o = step_q[Keep] || (step_q[Give] && decrypt_q);
  assign length_o = step_q[Keep] && kind_q == First && index_q == 2'd3;

  // What B0 says: the flags, and the length of the payload, which is counted down.
  always @(posedge clk_i) begin
    if (step_q[Keep] && kind_q == First && index_q == 2'd0) begin
      mic_last_q <= word_q[29:28];  // the flags have (bytes - 2) / 2 in bits 5 to 3
      mic_half_q <= !word_q[27];
    end
    if (step_q[Keep] && payload) begin
      left_q <= left_q - {13'd0, whole_q};
      if (!whole_q) rest_q <= 2'd0;
    end
    if (length_o) {left_q, rest_q} <= word_q[15:0];
    whole_q <= left_q != 14'd0;
    more_q  <= whole_q || rest_q != 2'd0;
  end

  // Give.
  assign unverified_o = word_q;
  assign unverified_valid_o = step_q[Give] && gives_q;
  wire leaves = step_q[Give] && (!gives_q || unverified_ready_i);
  reg last_q;  // of its block, or of the MIC
  wire ends = leaves && last_q;
  wire mic_ends = ends && mic;
  wire block_ends = ends && !mic;
  reg wrong_q, ended_q, mic_ended_q;
  assign mic_ends_o = mic_ended_q;
  assign key_stream_used_o = ended_q;
  assign block_full_o = full_q;
  assign block_first_o = first_q;

  wire crosses = mic || (payload && gives_q);

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q  <= 10'd1 << Begin;
      idle_q  <= 1'b0;
      kind_q  <= First;
      index_q <= 2'd0;
      full_q  <= 1'b0;
      done_o  <= 1'b0;
    end else begin
      step_q[Begin] <= mic_ends || (step_q[Begin] && !begins);
      idle_q <= step_q[Begin] && !begins;
      step_q[Open] <= (leaves && !mic_ends) || (step_q[Open] && !open);
      step_q[Take] <= (step_q[Open] && open && takes) || (step_q[Take] && !taken);
      step_q[Cut] <= begins || (step_q[Open] && open && !takes) || (step_q[Take] && taken);
      step_q[Keep] <= step_q[Cut];
      step_q[Cross] <= step_q[Keep] && crosses;
      step_q[Chain] <= step_q[Cross] && mic;
      step_q[Trim] <= (step_q[Cross] && !mic) || step_q[Chain];
      step_q[Test] <= step_q[Trim];
      step_q[Give] <= (step_q[Keep] && !crosses) || step_q[Test] || (step_q[Give] && !leaves);

      if (leaves) index_q <= mic_ends ? 2'd0 : index_q + 2'd1;
      if (mic_ends) kind_q <= First;
      if (block_ends) kind_q <= payload || header_last_q ? Payload : Header;
      if (step_q[Open] && block_free && over) kind_q <= Mic;
      if (block_ends) full_q <= 1'b1;
      else if (block_fed_i) full_q <= 1'b0;

      if (mic_ends) done_o <= 1'b1;
      else if (begins) done_o <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    last_q <= index_q == (mic ? mic_last_q : 2'd3);
    wrong_q <= word_q != 32'd0;
    ended_q <= ends && kind_q[1] && rst_ni;
    mic_ended_q <= mic_ends && rst_ni;
    if (block_ends) first_q <= kind_q == First;
    if (step_q[Give] && mic && decrypt_q && wrong_q) ok_o <= 1'b0;
    if (begins) ok_o <= 1'b1;
  end

endmodule

`default_nettype wire
