// SPDX-License-Identifier: MIT
// Key expansion for aes32x2, through the S-box and the first adder of its path.
//
// Interface: the words of a key are taken while idle_i is high, which it is when the core has been
// idle for two cycles and keys are not erased; key_bits_i counts with the first (0, 1, 2 for 128,
// 192, 256 bits).  A word a cycle is made in column_i, which aes32x2_column gives: what its S-box
// read from look_o in the cycle before, ^ word_o ^ given_o, ^ the word that was read at
// read_address_o two cycles before.
//   a word of the key                 given_o
//   a word i of the rest              word i - Nk ^ word_o, which is word i - 1
//   the first of Nk of them (and of   word i - Nk ^ S-box of word i - 1 ^ given_o, which is Rcon
//   4 of them if Nk is 8)
// The S-box cannot be still: where nothing is to be looked up it reads 0 and gives S(0).  word_o
// and given_o are S(0) where they are not wanted, and an even number of S(0) adds to nothing.
// A word is written a cycle after it is made, at write_address_o, from the register behind
// column_i.  busy_o is high while the path is ours; rounds_o, Nr, stays with the key; ready_o is
// high while there is one.  clear_i high at a rising edge forgets it and begins to write zeros over
// all 64 words; erasing_o is high meanwhile.
//
// Cycles: 1 a word of the key; from the last of them to ready_o 53, 57 or 68; 66 to erase.
// Cost: about 60 look-up tables, 130 flip-flops.
// Source: FIPS 197, 5.2.

`default_nettype none

module aes32x2_key_expand (
    input  wire        clk_i,
    input  wire        clear_i,
    input  wire [31:0] key_i,
    input  wire        key_valid_i,
    output wire        key_ready_o,
    input  wire [ 1:0] key_bits_i,
    input  wire        idle_i,
    output wire        busy_o,
    output wire        expanding_o,
    output wire        ready_o,
    output wire        erasing_o,
    output wire [ 3:0] rounds_o,
    output wire [31:0] look_o,
    output reg  [31:0] word_o,
    output reg  [31:0] given_o,
    input  wire [31:0] column_i,
    output reg  [ 5:0] read_address_o,
    output reg         write_o,
    output reg  [ 5:0] write_address_o
);

  localparam [7:0] SubZero = 8'h63;

  reg erasing_q, accepting_q, expanding_q, keyed_q;
  assign erasing_o = erasing_q;
  assign expanding_o = expanding_q;
  assign busy_o = accepting_q || expanding_q;
  assign ready_o = keyed_q;
  assign key_ready_o = accepting_q || (idle_i && !expanding_q);

  // A word that is made in the next cycle; the last of a turn of 4 or 6 is looked up, which takes
  // a cycle in which none is.
  reg [2:0] turn_q;  // 7 with the last
  reg odd_q;  // the second turn of 4 of 8
  reg made_q;
  reg quiet_q, later_q;  // low after the last, and with the first
  reg [1:0] half_q;  // 1, 2, 3 for 10, 12, 14 rounds
  assign rounds_o = {1'b1, half_q, 1'b0};
  wire begins = key_valid_i && key_ready_o && !accepting_q;
  wire goes_on = accepting_q ? key_valid_i : expanding_q && quiet_q;
  wire turn_ends = goes_on && turn_q == 3'd7;
  wire long = half_q == 2'd3;
  wire six = begins ? key_bits_i[0] : half_q == 2'd2;
  wire complete = turn_ends && (odd_q || !long);  // the words of a key

  // Word 4 (Nr + 1) - 1 = 4 Nr + 3: Nr is even, and no word before it has these bits.
  wire last_word = expanding_q && {write_address_o[5:3], write_address_o[1:0]}
      == {rounds_o[3:1], 2'b11};

  always @(posedge clk_i) begin
    if (begins) half_q <= key_bits_i + 2'd1;

    if (begins || goes_on) turn_q <= begins || turn_ends ? {!six, six, begins} : turn_q + 3'd1;
    if (turn_ends) odd_q <= long && !odd_q;
    if (begins) odd_q <= 1'b0;
    quiet_q <= !(turn_ends && (expanding_q || odd_q || !long));
    later_q <= quiet_q;

    made_q  <= begins || goes_on;
    write_o <= made_q || erasing_q;
    if (last_word) {made_q, write_o} <= 2'b00;
    if (write_o) write_address_o <= write_address_o + 6'd1;
    if (clear_i || !(busy_o || erasing_q)) write_address_o <= 6'd0;

    accepting_q <= begins || (accepting_q && !complete);
    expanding_q <= (accepting_q && complete) || (expanding_q && !last_word);
    keyed_q <= last_word || (keyed_q && !begins);
    erasing_q <= erasing_q && write_address_o != 6'h3f;
    if (clear_i) begin
      accepting_q <= 1'b0;
      expanding_q <= 1'b0;
      keyed_q <= 1'b0;
      erasing_q <= 1'b1;
    end
  end

  // The words.
  wire rotated = !odd_q;
  reg [7:0] rcon_q;
  reg [31:0] look_q;
  assign look_o = rotated ? {look_q[23:0], look_q[31:24]} : look_q;

  always @(posedge clk_i) begin
    look_q <= column_i;
    if (quiet_q) look_q <= 32'd0;
    word_o <= column_i;
    if (!expanding_q || !later_q) word_o <= {4{SubZero}};

    given_o <= key_i;
    if (expanding_q) given_o[31:24] <= rcon_q ^ SubZero;
    if (!key_ready_o) begin
      given_o[23:0] <= {3{SubZero}};
      if (!(!later_q && rotated)) given_o[31:24] <= SubZero;
    end

    if (!later_q && rotated) rcon_q <= {rcon_q[6:0], 1'b0} ^ (8'h1b & {8{rcon_q[7]}});
    if (!turn_ends) read_address_o <= read_address_o + 6'd1;
    if (key_ready_o) begin
      rcon_q <= 8'h01;
      read_address_o <= 6'd0;
    end
  end

endmodule

`default_nettype wire
