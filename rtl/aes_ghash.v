// SPDX-License-Identifier: MIT
// GHASH of aes_gcm: four bits of a block in a cycle, by a table of the sixteen multiples of H.
//
// Interface: a word is written by write_i into word index_i of the block that is being filled, or,
// if special_i is high, of the encrypted first counter block (length_i low) or of the block of
// lengths (length_i high), whose even words count as zero.  push_i says that the block is full;
// key_i with it that it is H, which is allowed when empty_o is high.  room_o: a block may be begun.
// finish_i stays high from the last block on, until the tag is read: then the block of lengths is
// hashed and the encrypted counter block added.  done_o says that tag_o has word index_i of the tag
// a cycle after index_i.
// rst_ni low at a rising edge drops all blocks, and zeros are written over the table in 16 cycles;
// words of blocks stay in their RAMs until others replace them.
//
// The last bits of a block come first (Horner): the sum is multiplied by x^4, which shifts it
// to the right by four bits, and the multiple that the next four bits choose is added.  Before that
// the sum leaves in four words, to which those of the block are added.
// The table is made by the same steps: H times 1 to 15, where the multiples of the constant stand
// in place of the table, whose entry 0 is zero.
//
// Cycles: 40 a block; 531 for H.
// Cost: one look-up table and flip-flop for each bit of the sum, and three RAMs, one of 16 by 128.
// Source: SP 800-38D, 6.3 and 6.4.

`default_nettype none

module aes_ghash (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        write_i,
    input  wire [ 1:0] index_i,
    input  wire        special_i,
    input  wire        length_i,
    input  wire [31:0] word_i,
    input  wire        push_i,
    input  wire        key_i,
    output wire        room_o,
    output wire        empty_o,
    input  wire        finish_i,
    output wire        done_o,
    output wire [31:0] tag_o
);

  localparam Wipe = 0, Idle = 1, Shift = 2, Multiply = 3, Store = 4;

  reg [4:0] step_q;  // one bit is high
  reg [5:0] count_q;  // cycles of Shift or Multiply
  reg [3:0] entry_q;  // of the table
  reg [2:0] blocks_q;  // that wait
  reg [1:0] write_q, read_q;  // which of four is filled, and read
  reg pending_q;  // the block that waits is H
  reg key_q;  // H is in work
  reg special_q, length_q;  // the block in work is no block of data; it is that of lengths
  reg lengths_q, done_q;  // the lengths are hashed; the tag is there

  wire waits = blocks_q != 3'd0;
  wire finishes = finish_i && !waits && !done_q;
  wire begins = step_q[Idle] && (waits || finishes);
  wire shifted = step_q[Shift] && count_q[2];
  wire multiplied = step_q[Multiply] && count_q[5] && count_q[0];
  wire pops = shifted && !special_q;
  assign room_o  = !blocks_q[2];
  assign empty_o = step_q[Idle] && !waits;
  assign done_o  = done_q;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q <= 5'd1 << Wipe;
      entry_q <= 4'd0;
      blocks_q <= 3'd0;
      write_q <= 2'd0;
      read_q <= 2'd0;
      {pending_q, key_q, lengths_q, done_q} <= 4'd0;
    end else begin
      step_q[Wipe] <= step_q[Wipe] && entry_q != 4'd15;
      step_q[Idle] <= (step_q[Wipe] && entry_q == 4'd15) || (step_q[Idle] && !begins)
          || (shifted && special_q && !length_q) || (multiplied && !key_q)
          || (step_q[Store] && entry_q == 4'd15);
      step_q[Shift] <= begins || (step_q[Shift] && !shifted);
      step_q[Multiply] <= (shifted && (!special_q || length_q))
          || (step_q[Multiply] && !multiplied) || (step_q[Store] && entry_q != 4'd15);
      step_q[Store] <= multiplied && key_q;
      if (begins) entry_q <= 4'd1;
      else if (step_q[Wipe] || step_q[Store]) entry_q <= entry_q + 4'd1;

      if (push_i && !pops) blocks_q <= blocks_q + 3'd1;
      if (pops && !push_i) blocks_q <= blocks_q - 3'd1;
      write_q <= write_q + {1'b0, push_i};
      read_q  <= read_q + {1'b0, pops};
      if (push_i && key_i) pending_q <= 1'b1;
      else if (begins) pending_q <= 1'b0;
      if (begins) key_q <= pending_q;
      lengths_q <= finish_i && (lengths_q || (multiplied && length_q));
      done_q <= finish_i && (done_q || (shifted && special_q && !length_q));
    end
  end

  always @(posedge clk_i) begin
    count_q <= count_q + 6'd1;
    if (begins || shifted || step_q[Store]) count_q <= 6'd0;
    if (begins) begin
      special_q <= !waits;
      length_q  <= !waits && !lengths_q;
    end
  end

  // The sum leaves, last word first, and the block's words are added to it.
  wire [31:0] word, operand;
  wire [1:0] from = ~count_q[1:0];
  wire [1:0] to = from + 2'd1;
  reg shifting_q;  // a word of the block is there
  reg [31:0] digits_q;
  reg [127:0] sum_q;
  wire [31:0] left = sum_q[31:0] ^ (word & {32{!length_q || to[0]}});

  aes32_word_ram #(
      .ADDRESS_BITS(5)
  ) u_blocks (
      .clk_i          (clk_i),
      .write_i        (write_i),
      .write_address_i({special_i, special_i ? {1'b0, length_i} : write_q, index_i}),
      .data_i         (word_i),
      .read_i         (1'b1),
      .read_address_i ({special_q, special_q ? {1'b0, length_q} : read_q, from}),
      .data_o         (word)
  );

  // Multiply takes a word in cycles 0, 8, 16 and 24, the last first, and in 1 to 32 four bits each.
  wire [1:0] next = {count_q[4] ~^ count_q[3], count_q[3]};
  wire digit = step_q[Multiply] && count_q != 6'd0 && !(count_q[5] && count_q[0]);
  reg digit_q;

  aes32_word_ram #(
      .ADDRESS_BITS(2)
  ) u_operand (
      .clk_i          (clk_i),
      .write_i        (shifting_q),
      .write_address_i(to),
      .data_i         (left),
      .read_i         (1'b1),
      .read_address_i (done_q ? index_i : next | {2{!step_q[Multiply]}}),
      .data_o         (operand)
  );
  assign tag_o = operand;

  always @(posedge clk_i) begin
    shifting_q <= step_q[Shift] && !shifted;
    digit_q <= digit;
    digits_q <= count_q[2:0] == 3'd0 ? operand : digits_q >> 4;
  end

  // Multiples of H, and of entry_q while they are made; bit 127 is 1, bit 126 is x.
  wire [127:0] multiple;
  reg [6:0] constant_q;
  wire [3:0] chosen = digits_q[3:0];

  always @(posedge clk_i) begin
    constant_q <= {chosen & {4{entry_q[3]}}, 3'd0} ^ {1'b0, chosen & {4{entry_q[2]}}, 2'd0}
        ^ {2'd0, chosen & {4{entry_q[1]}}, 1'b0} ^ {3'd0, chosen & {4{entry_q[0]}}};
    if (!key_q) constant_q <= 7'd0;
  end

  aes32x2_ram #(
      .WIDTH       (128),
      .ADDRESS_BITS(4)
  ) u_multiples (
      .clk_i          (clk_i),
      .write_i        (step_q[Wipe] || step_q[Store]),
      .write_address_i(entry_q),
      .data_i         (sum_q),
      .read_i         (1'b1),
      .read_address_i (chosen & {4{!key_q}}),
      .data_o         (multiple)
  );

  // x^128 is 1 + x + x^2 + x^7, and likewise for the three powers above, which leave to the right.
  wire [3:0] out = sum_q[3:0];  // x^128 to x^131
  wire [10:0] folded = {
    out[3], ^out[3:2], ^out[3:1], ^out[2:0], ^out[1:0], out[0], 1'b0, out
  };
  wire [127:0] times = {4'd0, sum_q[127:4]} ^ multiple ^ {constant_q, 121'd0} ^ {folded, 117'd0};

  always @(posedge clk_i) begin
    if (shifting_q) sum_q <= sum_q >> 32;
    else if (digit_q) sum_q <= times;
    if (!rst_ni || step_q[Wipe] || step_q[Store]) sum_q <= 128'd0;
  end

endmodule

`default_nettype wire
