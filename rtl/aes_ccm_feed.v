// SPDX-License-Identifier: MIT
// Chooses and makes the next block for the core of aes_ccm: one of the MAC, or a counter block.
//
// Interface: block_full_i says that the next block of the MAC is stored, block_first_i that it is
// B0; block_fed_o that the core has it.  mac_begins_i is high with the first word of the MAC's
// result; the other three are in the next three cycles.  room_i allows a counter block: there is
// room for its key stream, and the one before it leaves the core.  counter_o marks the cycle after
// the choice of one.
// length_i is high with the length of the payload in bytes_i, before B0 is full.
// address_o and base_o choose a word; plain_i (the MAC's blocks: B0 if base_o is high, or the block
// that waits) and chain_i (the MAC) have it a cycle later.  While nothing is fed, address_o is
// index_i.
// To the core go data_o and data_valid_o.  It takes the second to fourth word of a block in the
// cycles after the first; mac_o says which chain a block is of.
//
// A word passes the RAM's output and a register.  Before a block is offered in cycle 3, its first
// word waits in front_q, the second enters next_q and the third is being read:
//   cycle after the choice   1     2     3     then, by words taken   0     1     2     3
//   address                  0     1     2                            2     3     3     -
//   RAM's output             -     0     1                            2     2     3     -
//   front_q, next_q          -     -     0     (offered)              0, 1  -, 1  -, 2  -, 3
// The MAC's result can be chosen with its first word and is offered 3 cycles later.
//
// Cycles: 88 a block of the MAC for AES-128, since its lane of the core is free then.
// Cost: 161 look-up tables of an iCE40, 108 flip-flops.
// Source: SP 800-38C, 6.1 and A.3.

`default_nettype none

module aes_ccm_feed (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        block_full_i,
    input  wire        block_first_i,
    output wire        block_fed_o,
    input  wire        mac_begins_i,
    output wire        chain_ready_o,
    input  wire        mic_ends_i,
    input  wire        room_i,
    output wire        counter_o,
    input  wire        length_i,
    input  wire [15:0] bytes_i,
    input  wire [ 1:0] index_i,
    output wire [ 1:0] address_o,
    output wire        base_o,
    input  wire [31:0] plain_i,
    input  wire [31:0] chain_i,
    output wire [31:0] data_o,
    output wire        data_valid_o,
    input  wire        core_ready_i,
    output wire        fed_o,
    output wire        mac_o
);

  localparam Choose = 0, ReadFirst = 1, ReadSecond = 2, Offer = 3, Feed = 4;

  reg [4:0] step_q;  // one bit is high
  reg counter_q, chained_q;  // the block is a counter block; or it is one of the MAC after B0
  reg valid_q;
  reg [1:0] taken_q;  // words

  // Choose.
  reg chain_q;  // the MAC's result is there, or coming
  reg counting_q;  // there are counter blocks to be fed
  wire mac = block_full_i && (block_first_i || chain_q || mac_begins_i);
  wire counter = counting_q && room_i;
  wire ends = taken_q == 2'd3;
  assign chain_ready_o = chain_q;
  assign counter_o = step_q[ReadFirst] && counter_q;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q  <= 5'd1 << Choose;
      chain_q <= 1'b0;
      valid_q <= 1'b0;
      taken_q <= 2'd0;
      counting_q <= 1'b0;
    end else begin
      step_q[Choose] <= (step_q[Choose] && !(mac || counter)) || ends;
      step_q[ReadFirst] <= step_q[Choose] && (mac || counter);
      step_q[ReadSecond] <= step_q[ReadFirst];
      step_q[Offer] <= step_q[ReadSecond];
      step_q[Feed] <= (step_q[Offer] || step_q[Feed]) && !ends;
      valid_q <= step_q[ReadSecond] || (valid_q && !ends);
      taken_q <= taken_q + {1'b0, taken_q != 2'd0 || (valid_q && core_ready_i)};

      chain_q <= (chain_q || mac_begins_i) && !(step_q[Choose] && mac) && !mic_ends_i;
      if (fed_o && base_o) counting_q <= !(counter_q && pad_q);
    end
  end

  always @(posedge clk_i) begin
    if (step_q[Choose]) begin
      counter_q <= !mac;
      chained_q <= !block_first_i && mac;
    end
  end

  // Reading.
  wire offered = step_q[Offer] || step_q[Feed];
  wire begun = taken_q != 2'd0;
  assign address_o = step_q[Choose] ? index_i
      : {offered, step_q[ReadSecond] || (offered && begun)};
  assign base_o = !chained_q;

  // Counter blocks have the nonce of B0, the lowest 3 bits of its flags, and a counter from 1 in
  // place of its length; at last comes counter 0, which is for the MIC.
  reg [11:0] blocks_q;  // whole blocks of payload without a counter block
  reg rest_q;  // and a part of one
  reg whole_q;  // there is a whole one
  reg [15:0] number_q;
  reg pad_q;  // the next counter is 0
  wire numbered = counter_q && taken_q == 2'd2;  // the word with the counter enters next_q
  reg counted_q;  // a counter block was fed in the cycle before

  always @(posedge clk_i) begin
    counted_q <= ends && counter_q;
    if (counted_q) begin
      blocks_q <= blocks_q - {11'd0, whole_q};
      if (!whole_q) rest_q <= 1'b0;
    end
    if (length_i) begin
      blocks_q <= bytes_i[15:4];
      rest_q   <= bytes_i[3:0] != 4'd0;
    end
    whole_q <= blocks_q != 12'd0;
    pad_q   <= !whole_q && !rest_q;
    if (counter_o) number_q <= number_q + 16'd1;
    if (!counting_q || pad_q) number_q <= 16'd0;
  end

  // The words.
  wire [31:0] made = plain_i ^ (chain_i & {32{chained_q}});
  reg [31:0] front_q, next_q;

  always @(posedge clk_i) begin
    if (step_q[ReadSecond]) front_q <= {made[31:27] & {5{!counter_q}}, made[26:0]};
    if (step_q[Offer] || begun) next_q <= {made[31:16], numbered ? number_q : made[15:0]};
  end

  assign data_o = begun ? next_q : front_q;
  assign data_valid_o = valid_q;
  assign fed_o = ends;
  assign mac_o = !counter_q;
  assign block_fed_o = ends && !counter_q;

endmodule

`default_nettype wire
