// SPDX-License-Identifier: MIT
// aes_ccm behind AXI4-Stream ports, for a DMA: it makes block B0 and the blocks of the associated
// data from sizes, nonce and data as they are.
//
// Streams, byte 0 in tdata[7:0]:
//   s_axis_key  4, 6 or 8 words of a key; s_axis_key_tuser is 0, 1, 2 for these.  Taken between
//               packets, and a key that is offered goes before a packet.
//   s_axis      a packet in frames, each with tlast at its end:
//               sizes   24 bytes: bytes of the text (2, the low one first), bytes of the associated
//                       data (2, at most 65279), of the nonce (7 to 13), of the MIC (4, 6 to 16),
//                       1 to decrypt or else 0, a 0, and the nonce in 16, of which the first count
//               data    the associated data; no frame if there is none
//               text    likewise
//               MIC     to decrypt
//               Of a frame's last word tkeep has the bytes that are left; of others it is not read.
//   m_axis      the text in a frame, if there is any, unused bytes zero; in encryption a frame of
//               the MIC follows.  Decrypted text must not be used before done and ok are high.
// done and ok are those of aes_ccm.  error rises, and no further word is taken, if a size is none
// that CCM has, or a frame is longer or shorter than the sizes say; erase or reset ends that.
// erase, high for a cycle, drops packet and key, as aresetn does, low at two rising edges.
//
// Cycles: those of aes_ccm, and 2 for the sizes.
// Cost: aes_ccm, and 262 look-up tables of an iCE40 and 130 flip-flops.
// Source: SP 800-38C, A.2; AMBA AXI-Stream protocol specification, IHI 0051, part 2.

`default_nettype none

module aes_ccm_axis (
    (* X_INTERFACE_PARAMETER =
       "ASSOCIATED_BUSIF s_axis:s_axis_key:m_axis, ASSOCIATED_RESET aresetn" *)
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        erase,
    input  wire [31:0] s_axis_key_tdata,
    input  wire [ 1:0] s_axis_key_tuser,
    input  wire        s_axis_key_tvalid,
    output wire        s_axis_key_tready,
    input  wire [31:0] s_axis_tdata,
    input  wire [ 3:0] s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [31:0] m_axis_tdata,
    output wire [ 3:0] m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire        done,
    output wire        ok,
    output wire        error
);

  function [31:0] swapped;
    input [31:0] a;
    swapped = {a[7:0], a[15:8], a[23:16], a[31:24]};
  endfunction

  // Bits of tkeep for 1 to 4 bytes.
  function [3:0] keep_of;
    input [2:0] bytes;
    keep_of = {bytes[2], bytes[2] || &bytes[1:0], bytes[2:1] != 2'd0, 1'b1};
  endfunction

  localparam Sizes = 0, Options = 1, Nonce = 2, Data = 3, Pad = 4, Text = 5, Mic = 6, Rest = 7;

  wire clear = !aresetn || erase;
  reg [7:0] part_q;  // what the next word is of; one bit is high
  reg [1:0] index_q;  // of the next word in a block of headers
  reg error_q;

  // A word on its way to the core, which takes one in 5 cycles or more.
  reg [31:0] word_q;
  reg valid_q, header_q, header_last_q;
  reg text_last_q;  // the last of its frame
  reg [3:0] text_keep_q;
  wire header_ready, text_ready;

  // What the first frame says.
  reg [15:0] text_bytes_q, data_bytes_q;
  reg [3:0] nonce_bytes_q;
  reg [2:0] mic_q;  // half of the MIC's bytes, less 1
  reg decrypt_q;

  wire [7:0] option_nonce = s_axis_tdata[7:0];
  wire [7:0] option_mic = s_axis_tdata[15:8];
  wire [2:0] mic = option_mic[3:1] - 3'd1;
  wire [2:0] length_bytes = 3'd6 - option_nonce[2:0];  // those that the nonce leaves, less 1
  wire nonce_fits = option_nonce[7:4] == 4'd0 && option_nonce[3:0] > 4'd6
      && option_nonce[3:0] < 4'd14;
  wire mic_fits = option_mic[7:5] == 3'd0 && !option_mic[0]
      && (option_mic[4] ? option_mic[3:1] == 3'd0 : option_mic[3:1] > 3'd1);
  wire options_fit = nonce_fits && mic_fits && s_axis_tdata[31:17] == 15'd0;

  // Bytes of the frame that are left.
  reg [15:0] left_q;
  reg ends_q;  // 4 of them or fewer
  wire [3:0] left_keep = keep_of(left_q[2:0]);
  wire counted = part_q[Data] || part_q[Text] || part_q[Mic];
  wire fourth = index_q == 2'd3;
  wire ends = counted ? ends_q : part_q[Nonce] && fourth;
  wire wrong = s_axis_tlast != ends || (counted && ends && s_axis_tkeep != left_keep)
      || (part_q[Sizes] && &s_axis_tdata[31:24]) || (part_q[Options] && !options_fit);

  // Taking.
  assign s_axis_tready = !valid_q && !error_q && !part_q[Pad] && !part_q[Rest]
      && (!part_q[Sizes] || header_ready);
  wire taken = s_axis_tvalid && s_axis_tready && !wrong;
  wire padded = part_q[Pad] && !valid_q;
  wire padded_last = padded && fourth;

  // Words of headers: B0 stands a byte, the associated data two bytes behind where it came.
  wire [31:0] word = swapped(s_axis_tdata);
  wire [31:0] data = word & {{8{left_keep[0] || !ends_q}}, {8{left_keep[1] || !ends_q}},
                             {8{left_keep[2] || !ends_q}}, {8{left_keep[3] || !ends_q}}};
  reg [15:0] carry_q;
  wire [31:0] base = {carry_q[7:0], word[31:8]};
  wire [31:0] third = base & {{8{nonce_bytes_q > 4'd7}}, {8{nonce_bytes_q > 4'd8}},
                              {8{nonce_bytes_q > 4'd9}}, {8{nonce_bytes_q > 4'd10}}};
  wire [15:0] fourth_nonce = base[31:16]
      & {{8{nonce_bytes_q > 4'd11}}, {8{nonce_bytes_q > 4'd12}}};
  wire over = left_q[2:0] > 3'd2;  // of the last word of data bytes remain for the next
  wire data_ends = taken && part_q[Data] && ends_q;

  // What follows.
  wire no_data = data_bytes_q == 16'd0, no_text = text_bytes_q == 16'd0;
  wire headers_end = (taken && part_q[Nonce] && fourth && no_data)
      || (data_ends && fourth && !over) || padded_last;
  wire text_end = (headers_end && no_text) || (taken && part_q[Text] && ends_q);
  wire to_data = taken && part_q[Nonce] && fourth && !no_data;
  wire to_text = headers_end && !no_text;
  wire to_mic = text_end && decrypt_q;
  wire to_rest = (text_end && !decrypt_q) || (taken && part_q[Mic] && ends_q);
  wire to_sizes = part_q[Rest] && done;
  wire moved = taken || padded;

  always @(posedge aclk) begin
    if (clear) begin
      part_q  <= 8'd1 << Sizes;
      index_q <= 2'd0;
      valid_q <= 1'b0;
      error_q <= 1'b0;
    end else begin
      part_q[Sizes] <= (part_q[Sizes] && !taken) || to_sizes;
      part_q[Options] <= part_q[Options] ? !taken : part_q[Sizes] && taken;
      part_q[Nonce] <= part_q[Nonce] ? !(taken && fourth) : part_q[Options] && taken;
      part_q[Data] <= (part_q[Data] && !data_ends) || to_data;
      part_q[Pad] <= part_q[Pad] ? !padded_last : data_ends && !(fourth && !over);
      part_q[Text] <= (part_q[Text] && !(taken && ends_q)) || to_text;
      part_q[Mic] <= (part_q[Mic] && !(taken && ends_q)) || to_mic;
      part_q[Rest] <= (part_q[Rest] && !done) || to_rest;
      if (moved && (part_q[Nonce] || part_q[Data] || part_q[Pad])) index_q <= index_q + 2'd1;
      if (headers_end) index_q <= 2'd0;
      if (s_axis_tvalid && s_axis_tready && wrong) error_q <= 1'b1;
      valid_q <= valid_q ? !(header_q ? header_ready : text_ready)
          : moved && !part_q[Sizes] && !part_q[Options];
    end
  end

  always @(posedge aclk) begin
    if (taken && part_q[Sizes]) {data_bytes_q, text_bytes_q} <= s_axis_tdata;
    if (taken && part_q[Options]) begin
      nonce_bytes_q <= option_nonce[3:0];
      mic_q <= mic;
      decrypt_q <= s_axis_tdata[16];
    end
    ends_q <= left_q[15:3] == 13'd0 && (!left_q[2] || left_q[1:0] == 2'd0);
    if (taken && counted) left_q <= left_q - 16'd4;
    if (to_data) left_q <= data_bytes_q;
    if (to_text) left_q <= text_bytes_q;
    if (to_mic) left_q <= {12'd0, {1'b0, mic_q} + 4'd1} << 1;
  end

  always @(posedge aclk) begin
    if (taken && part_q[Options]) carry_q[7:0] <= {1'b0, !no_data, mic, length_bytes};
    if (taken && part_q[Nonce]) carry_q <= fourth ? data_bytes_q : {8'd0, word[7:0]};
    if (taken && part_q[Data]) carry_q <= data[15:0];
    if (padded || clear) carry_q <= 16'd0;

    if (moved) begin
      header_q <= !part_q[Text] && !part_q[Mic];
      header_last_q <= headers_end;
      text_last_q <= ends_q;
      text_keep_q <= left_keep | {4{!ends_q}};
      word_q <= part_q[Data] || part_q[Pad] ? {carry_q, data[31:16] & {16{!part_q[Pad]}}}
          : !part_q[Nonce] ? word : fourth ? {fourth_nonce, text_bytes_q}
          : index_q == 2'd2 ? third : base;
    end
    if (clear) word_q <= 32'd0;
  end

  // The text that comes out is that of the last word that went in; in encryption the MIC follows.
  reg last_q, tail_q;  // a word of text is the last one; it has left
  reg [3:0] keep_q;
  reg [1:0] mic_index_q;
  wire [31:0] given;
  wire mic_last = mic_index_q == mic_q[2:1];
  wire gives = m_axis_tvalid && m_axis_tready;
  assign m_axis_tdata = swapped(given);
  assign m_axis_tlast = tail_q ? mic_last : last_q;
  assign m_axis_tkeep = tail_q ? {{2{mic_q[0] || !mic_last}}, 2'b11} : keep_q;
  assign error = error_q;

  always @(posedge aclk) begin
    if (valid_q && !header_q && text_ready) {last_q, keep_q} <= {text_last_q, text_keep_q};
    if (gives && tail_q) mic_index_q <= mic_index_q + 2'd1;
    if ((gives && last_q) || (headers_end && no_text)) tail_q <= 1'b1;
    if (part_q[Sizes]) {tail_q, mic_index_q} <= 3'd0;
  end

  wire key_ready;
  assign s_axis_key_tready = key_ready && part_q[Sizes];

  aes_ccm u_ccm (
      .clk_i             (aclk),
      .rst_ni            (aresetn),
      .erase_i           (erase),
      .key_i             (swapped(s_axis_key_tdata)),
      .key_valid_i       (s_axis_key_tvalid && part_q[Sizes]),
      .key_ready_o       (key_ready),
      .key_bits_i        (s_axis_key_tuser),
      .header_i          (word_q),
      .header_valid_i    (valid_q && header_q),
      .header_ready_o    (header_ready),
      .header_last_i     (header_last_q),
      .decrypt_i         (decrypt_q),
      .text_i            (word_q),
      .text_valid_i      (valid_q && !header_q),
      .text_ready_o      (text_ready),
      .unverified_o      (given),
      .unverified_valid_o(m_axis_tvalid),
      .unverified_ready_i(m_axis_tready),
      .done_o            (done),
      .ok_o              (ok)
  );

endmodule

`default_nettype wire
