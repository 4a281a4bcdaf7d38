// SPDX-License-Identifier: MIT
// A queue of words in a RAM, which can be erased.
//
// Interface: a word is written at a rising edge with write_i high; full_o says that none may be.
// data_o is the oldest word while valid_o is high, and leaves at a rising edge with read_i high
// too.  words_o counts all words, the one that is not yet at data_o included.
// erase_i high at a rising edge empties the queue and begins to write zeros over all words; until
// that is done, a cycle for each, no word may be written.  It has no other reset.
//
// Cycles: 2 from a write into the empty queue to valid_o; then a word every cycle.
// Cost: a RAM; 9 flip-flops for 8 words, and a gate for each bit of a word.
`default_nettype none

module aes32_fifo #(
    parameter WIDTH = 32,
    parameter ADDRESS_BITS = 3,
    parameter IN_LUTS = 0
) (
    input  wire                  clk_i,
    input  wire                  erase_i,
    input  wire                  write_i,
    input  wire [     WIDTH-1:0] data_i,
    output wire                  full_o,
    output wire [     WIDTH-1:0] data_o,
    output wire                  valid_o,
    input  wire                  read_i,
    output wire [ADDRESS_BITS:0] words_o
);

  reg [ADDRESS_BITS:0] words_q;
  reg [ADDRESS_BITS-1:0] first_q;
  reg valid_q, erasing_q;
  wire leaves = valid_o && read_i;
  wire [ADDRESS_BITS:0] left = words_q - {{ADDRESS_BITS{1'b0}}, leaves};
  wire [ADDRESS_BITS-1:0] next = first_q + {{ADDRESS_BITS - 1{1'b0}}, leaves || erasing_q};

  assign full_o  = words_q[ADDRESS_BITS];
  assign valid_o = valid_q;
  assign words_o = words_q;

  // What is read at the edge that writes it is not valid, and is read again.
  aes32x2_ram #(
      .WIDTH       (WIDTH),
      .ADDRESS_BITS(ADDRESS_BITS),
      .IN_LUTS     (IN_LUTS)
  ) u_words (
      .clk_i          (clk_i),
      .write_i        (write_i || erasing_q),
      .write_address_i(first_q + words_q[ADDRESS_BITS-1:0]),
      .data_i         (data_i & {WIDTH{!erasing_q}}),
      .read_i         (1'b1),
      .read_address_i (next),
      .data_o         (data_o)
  );

  always @(posedge clk_i) begin
    first_q <= next;
    words_q <= left + {{ADDRESS_BITS{1'b0}}, write_i};
    valid_q <= left != 0;
    erasing_q <= erase_i || (erasing_q && !(&first_q));
    if (erase_i || erasing_q) begin
      words_q <= 0;
      valid_q <= 1'b0;
    end
    if (erase_i) begin
      first_q <= 0;
    end
  end

endmodule

`default_nettype wire
