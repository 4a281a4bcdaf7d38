// SPDX-License-Identifier: MIT
// The words of a packet of aes_gcm, one at a time: what they are, where they go, what leaves.
//
// A part of a packet is a bit of part_q: Hash, in which E(0) goes to GHASH, once for a key; First,
// the IV; Mask, in which the encrypted first counter block goes there; Header, Text, and Tag.
// Each word takes these steps, of which headers and fillings take the first three:
//   Take   the word that is offered, or zero    Trim   bytes behind the end become zero
//   Keep   what is hashed goes to GHASH         Cross  key stream, or the right tag, is added
//   Cut    as Trim                              Give   encrypted text to GHASH; output
//
// Interface: data_*, unverified_*, done_o and ok_o are those of aes_gcm.  begins_i says that a key
// is there or coming, and idle_o that one may come; flush_o that key stream is dropped, load_o that
// word_o is a word of the IV (or, with index_o 3, that the counter is 1).  stream_ready_i: a block
// of stream_i is there, word index_o of it a cycle after index_o; stream_used_o ends it.
// With store_o word_o, or the length of a part, is written into GHASH; see there for the others.
//
// Cycles: 28 a block of text, 16 of other data.
// Cost: three look-up tables for each bit of a word, and a counter of 27 bits.
// Source: SP 800-38D, 7.1 and 7.2.

`default_nettype none

module aes_gcm_words (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        begins_i,
    input  wire        waits_i,
    output wire        idle_o,
    output wire        hash_o,
    output wire        streams_o,
    output wire        flush_o,
    output wire        load_o,
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
    output reg         done_o,
    output reg         ok_o,
    output wire [ 1:0] index_o,
    output wire [31:0] word_o,
    input  wire [31:0] stream_i,
    input  wire        stream_ready_i,
    output wire        stream_used_o,
    output wire        store_o,
    output wire [ 1:0] store_index_o,
    output wire        special_o,
    output wire        length_o,
    output wire [31:0] store_word_o,
    output wire        push_o,
    input  wire        room_i,
    input  wire        empty_i,
    output wire        finish_o,
    input  wire        finished_i,
    input  wire [31:0] tag_i
);

  localparam Hash = 0, First = 1, Mask = 2, Header = 3, Text = 4, Tag = 5;
  localparam Take = 0, Trim = 1, Keep = 2, Cross = 3, Cut = 4, Give = 5;

  reg [5:0] part_q;  // one bit is high; none without a key
  reg [5:0] step_q;  // one bit is high
  reg [1:0] index_q;
  reg [31:0] word_q;
  reg [2:0] bytes_q;
  reg [3:0] behind_q;  // bytes of the word that are behind the end
  reg last_q, null_q;  // of its part; and it has no byte
  reg fills_q;  // behind the last word of a part, until its block is full
  reg decrypt_q, wrong_q, measure_q;
  wire first = index_q == 2'd0;
  wire fourth = index_q == 2'd3;
  wire data = part_q[Header] || part_q[Text];

  // Take, in the second cycle or later: what it waits for is looked up in the one before.
  reg open_q;
  wire offered = (part_q[First] && !fourth) || (data && !fills_q) || (part_q[Tag] && decrypt_q);
  wire open = !first || (part_q[Hash] && stream_ready_i && empty_i)
      || part_q[First] || (part_q[Mask] && stream_ready_i)
      || (part_q[Header] && room_i) || (part_q[Text] && room_i && stream_ready_i)
      || (part_q[Tag] && finished_i);
  wire ready = open_q && !(part_q[First] && first && waits_i);
  assign data_ready_o = ready && offered;
  wire taken = ready && (data_valid_i || !offered);
  wire whole = !data || !data_last_i || data_bytes_i[2];
  wire begins = taken && part_q[First] && first;
  assign idle_o  = step_q[Take] && first && part_q[First];
  assign flush_o = begins || begins_i;
  assign hash_o  = part_q[Hash];
  assign streams_o = part_q[Mask] || data;
  assign load_o = step_q[Trim] && part_q[First];

  always @(posedge clk_i) begin
    if (taken && data && !fills_q) begin
      bytes_q  <= whole ? 3'd4 : {1'b0, data_bytes_i[1:0]};
      behind_q <= whole ? 4'd0 : {data_bytes_i[1:0] == 2'd0, !data_bytes_i[1],
                                  data_bytes_i[1:0] != 2'd3, 1'b1};
      last_q   <= data_last_i;
      null_q   <= !whole && data_bytes_i[1:0] == 2'd0;
    end
    if (!data) begin
      bytes_q  <= 3'd4;
      behind_q <= 4'd0;
      last_q   <= 1'b0;
      null_q   <= 1'b0;
    end
    if (begins) decrypt_q <= decrypt_i;
  end

  // The word.
  wire [31:0] crosses = part_q[Tag] ? tag_i : stream_i;
  wire [3:0] clear = {4{!rst_ni || (taken && !offered)}}
      | (behind_q & {4{step_q[Trim] || step_q[Cut]}});

  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : gen_byte
      always @(posedge clk_i) begin
        if (taken || step_q[Cross])
          word_q[8*n+:8] <= step_q[Take] ? data_i[8*n+:8] : word_q[8*n+:8] ^ crosses[8*n+:8];
        if (clear[n]) word_q[8*n+:8] <= 8'd0;
      end
    end
  endgenerate

  assign word_o  = word_q;
  assign index_o = index_q;

  // Give, and what comes after.
  wire gives = part_q[Text] || (part_q[Tag] && !decrypt_q);
  assign unverified_o = word_q;
  assign unverified_bytes_o = bytes_q;
  assign unverified_last_o = part_q[Tag] ? fourth : last_q;
  assign unverified_valid_o = step_q[Give] && gives;
  wire short = part_q[Header] || fills_q;  // only three steps
  wire leaves = step_q[Give] && (!gives || unverified_ready_i);
  wire advance = leaves || (step_q[Keep] && short) || load_o;
  wire skips = null_q && first;  // the part has no word in this block
  wire ends = advance && (data ? last_q && (fourth || skips) : fourth);  // of the part
  assign stream_used_o = advance && fourth && (part_q[Hash] || part_q[Mask] || part_q[Text]);
  assign push_o = advance && fourth && (part_q[Hash] || data);
  assign finish_o = part_q[Tag];

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      part_q <= 6'd0;
      step_q <= 6'd1 << Take;
      index_q <= 2'd0;
      fills_q <= 1'b0;
      {open_q, measure_q} <= 2'b00;
      done_o <= 1'b0;
    end else begin
      step_q[Take] <= (step_q[Take] && !taken) || advance;
      step_q[Trim] <= taken;
      step_q[Keep] <= step_q[Trim] && !part_q[First];
      step_q[Cross] <= step_q[Keep] && !short;
      step_q[Cut] <= step_q[Cross];
      step_q[Give] <= step_q[Cut] || (step_q[Give] && !leaves);
      if (advance) index_q <= ends ? 2'd0 : index_q + 2'd1;
      if (advance) fills_q <= last_q && !ends && data;
      if (ends) part_q <= {part_q[Text:Hash], 1'b0} | {4'd0, part_q[Tag], 1'b0};
      if (begins_i) part_q <= 6'd1 << Hash;
      open_q <= step_q[Take] && open && !taken && !begins_i;
      measure_q <= ends && data;
      if (ends && part_q[Tag]) done_o <= 1'b1;
      else if (begins) done_o <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    wrong_q <= word_q != 32'd0;
    if (step_q[Give] && part_q[Tag] && decrypt_q && wrong_q) ok_o <= 1'b0;
    if (begins) ok_o <= 1'b1;
  end

  // The length of a part, in words and a rest of bytes, is stored behind its end.
  reg [26:0] whole_q;
  reg [1:0] rest_q;

  always @(posedge clk_i) begin
    if (advance && data && !fills_q) begin
      whole_q <= whole_q + {26'd0, bytes_q[2]};
      rest_q  <= bytes_q[1:0];
    end
    if (measure_q || part_q[First]) {whole_q, rest_q} <= 29'd0;
  end

  wire stores_text = (step_q[Keep] && decrypt_q) || (step_q[Give] && !decrypt_q);
  assign store_o = measure_q || (step_q[Keep] && short) || (part_q[Text] && stores_text)
      || (step_q[Give] && (part_q[Hash] || part_q[Mask]));
  assign store_index_o = measure_q ? {part_q[Tag], 1'b1} : index_q;
  assign special_o = measure_q || part_q[Mask];
  assign length_o = measure_q;
  assign store_word_o = measure_q ? {whole_q, rest_q, 3'd0} : word_q;

endmodule

`default_nettype wire
