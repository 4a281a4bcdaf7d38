// SPDX-License-Identifier: MIT
// aes_ctr behind AXI4-Stream ports, for a DMA: messages of any number of bytes.
//
// Streams, byte 0 in tdata[7:0]:
//   s_axis_key  4, 6 or 8 words of a key; s_axis_key_tuser is 0, 1, 2 for these.  Taken between
//               messages, and a key that is offered goes before a message.
//   s_axis      a message in two frames, each with tlast at its end: the first counter block (4
//               words), then the text; tkeep has the bytes of its last word, from the lowest
//               without a gap, and of others is not read.
//   m_axis      the text in a frame, unused bytes zero.
// error rises, and no further word is taken, if a counter block has not 4 words; erase or reset
// ends that.  erase and the parameters are those of aes_ctr; aresetn is low over two rising edges.
//
// Cycles: those of aes_ctr; the next message is taken when the last has left.
// Cost: aes_ctr, and 59 look-up tables of an iCE40 and 22 flip-flops.
// Source: SP 800-38A, 6.5; AMBA AXI-Stream protocol specification, IHI 0051, part 2.

`default_nettype none

module aes_ctr_axis #(
    parameter CORES        = 1,
    parameter [8*13-1:0] SBOX = "column_table",
    parameter PAIRED       = 0,
    parameter COUNTER_BITS = 32
) (
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
    output reg         error
);

  function [31:0] swapped;
    input [31:0] a;
    swapped = {a[7:0], a[15:8], a[23:16], a[31:24]};
  endfunction

  localparam Counter = 0, Text = 1, Pad = 2, Drain = 3;
  localparam BehindBits = 5 + $clog2(CORES);  // of the words that aes_ctr can hold

  wire clear = !aresetn || erase;
  reg [3:0] part_q;  // one bit is high
  reg [1:0] index_q;  // of the next word in its block
  reg [1:0] pads_q;  // words that the last block has too many
  reg [3:0] keep_q;  // of the last word
  reg [BehindBits-1:0] behind_q;  // words that went in and did not come out
  reg keyed_q;
  reg [2:0] key_left_q;  // words of a key that is begun
  wire first = part_q[Counter] && index_q == 2'd0;
  wire fourth = index_q == 2'd3;

  wire key_ready, counter_ready, data_ready, given_valid;
  wire may_begin = keyed_q && key_left_q == 3'd0 && key_ready && !s_axis_key_tvalid;
  assign s_axis_key_tready = key_ready && first;
  wire key_moved = s_axis_key_tvalid && s_axis_key_tready;
  wire [1:0] key_pairs = s_axis_key_tuser + 2'd1;

  wire counts = part_q[Counter] && counter_ready && !error && (!first || may_begin);
  assign s_axis_tready = counts || (part_q[Text] && data_ready);
  wire wrong = s_axis_tlast != fourth;  // of a counter block
  wire counted = counts && s_axis_tvalid && !wrong;
  wire fed = data_ready && (part_q[Pad] || (part_q[Text] && s_axis_tvalid));
  wire ends = fed && part_q[Text] && s_axis_tlast;

  // Of the last block, which is whole now, the words behind the end are dropped.
  localparam [BehindBits-1:0] One = 1;
  wire [BehindBits-1:0] pads = {{BehindBits - 2{1'b0}}, pads_q};
  wire drops = part_q[Drain] && behind_q <= pads;
  wire last = part_q[Drain] && behind_q == pads + One;
  wire leaves = given_valid && (drops || m_axis_tready);

  always @(posedge aclk) begin
    if (clear) begin
      part_q   <= 4'd1 << Counter;
      index_q  <= 2'd0;
      behind_q <= 0;
      keyed_q  <= 1'b0;
      key_left_q <= 3'd0;
      error    <= 1'b0;
    end else begin
      part_q[Counter] <= (part_q[Counter] && !(counted && fourth))
          || (part_q[Drain] && behind_q == 0);
      part_q[Text] <= (part_q[Text] && !ends) || (counted && fourth);
      part_q[Pad] <= part_q[Pad] ? !(fed && fourth) : ends && !fourth;
      part_q[Drain] <= part_q[Drain] ? behind_q != 0 : fed && fourth && (ends || part_q[Pad]);
      if (counted || fed) index_q <= index_q + 2'd1;
      if (fed && !leaves) behind_q <= behind_q + One;
      if (leaves && !fed) behind_q <= behind_q - One;
      if (key_moved) begin
        keyed_q <= 1'b1;
        key_left_q <= key_left_q == 3'd0 ? {key_pairs, 1'b1} : key_left_q - 3'd1;
      end
      if (counts && s_axis_tvalid && wrong) error <= 1'b1;
    end
  end

  always @(posedge aclk) if (ends) {pads_q, keep_q} <= {~index_q, s_axis_tkeep};

  wire [31:0] given;
  assign m_axis_tdata = swapped(given) & {{8{m_axis_tkeep[3]}}, {8{m_axis_tkeep[2]}},
                                          {8{m_axis_tkeep[1]}}, {8{m_axis_tkeep[0]}}};
  assign m_axis_tkeep = keep_q | {4{!last}};
  assign m_axis_tlast = last;
  assign m_axis_tvalid = given_valid && !drops;

  aes_ctr #(
      .CORES       (CORES),
      .SBOX        (SBOX),
      .PAIRED      (PAIRED),
      .COUNTER_BITS(COUNTER_BITS)
  ) u_ctr (
      .clk_i          (aclk),
      .rst_ni         (aresetn),
      .erase_i        (erase),
      .key_i          (swapped(s_axis_key_tdata)),
      .key_valid_i    (s_axis_key_tvalid && first),
      .key_ready_o    (key_ready),
      .key_bits_i     (s_axis_key_tuser),
      .counter_i      (swapped(s_axis_tdata)),
      .counter_valid_i(counted),
      .counter_ready_o(counter_ready),
      .data_i         (swapped(s_axis_tdata)),
      .data_valid_i   (part_q[Pad] || (part_q[Text] && s_axis_tvalid)),
      .data_ready_o   (data_ready),
      .data_o         (given),
      .data_valid_o   (given_valid),
      .data_ready_i   (drops || m_axis_tready)
  );

endmodule

`default_nettype wire
