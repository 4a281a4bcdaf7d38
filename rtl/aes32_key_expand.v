// SPDX-License-Identifier: MIT
// Key expansion of aes32 for both directions, through the core's own tables.
//
// Interface: key words are taken, first word first, while the core is idle (idle_i); key_bits_i
// counts with the first (0, 1, 2 for 128, 192, 256 bits).  busy_o is high from the first word, and
// before any key; then the tables and the second read port of the key RAM are ours.
// Round key words go to {decrypt, round, column}; bits_o stays with the key.
// table_word_o and table_inverse_o are what the tables are given, and column_i is their answer to
// the cycle before, unmixed while table_unmixed_o is high.
// clear_i, which is synchronous, drops the key, and zeros are written over all its words while
// erasing_o is high: 128 cycles, or 64 without decryption.  table_word_o is zero then.
//
// Cycles, after the key's own words:
//   2 a word of the schedule       read word i - Nk, look up word i - 1; add them
//   then, for decryption, 2 a word of the first and last round key (copied), and 6 a word of the
//   others, which InvMixColumns takes: read; keep; look up forward; keep S(w); look up inverse;
//   keep InvMixColumns(InvS(S(w))).
// 316, 378 and 440 in all, the words of the key included; 84, 98 and 112 without decryption.
// Cost: a word, an address and a few counters; no table.
// Source: FIPS 197, 5.2 and 5.3.5.

`default_nettype none

module aes32_key_expand #(
    parameter DECRYPT = 1
) (
    input  wire        clk_i,
    input  wire        clear_i,
    input  wire [31:0] key_i,
    input  wire        key_valid_i,
    output wire        key_ready_o,
    input  wire [ 1:0] key_bits_i,
    input  wire        idle_i,
    output wire        busy_o,
    output reg         erasing_o,
    output reg  [ 1:0] bits_o,
    output wire [31:0] table_word_o,
    output wire        table_inverse_o,
    output wire        table_unmixed_o,
    input  wire [31:0] column_i,
    output reg         write_o,
    output reg  [ 6:0] write_address_o,
    output wire [31:0] write_data_o,
    output wire [ 5:0] read_address_o,
    input  wire [31:0] read_data_i
);

  localparam [1:0] Done = 2'd0, Accept = 2'd1, Expand = 2'd2, Invert = 2'd3;

  reg [1:0] state_q;
  reg keyed_q;
  reg [5:0] index_q;  // of the word in the making
  reg [3:0] turn_q;  // index_q modulo Nk
  reg rotated_q;  // a word that starts with RotWord: expanding, and turn_q is 0
  reg [2:0] phase_q;
  reg [7:0] rcon_q;
  reg [31:0] word_q;  // the word made last

  // Nk - 1 = 3, 5, 7; Nr + 1 = 11, 13, 15.
  wire [1:0] bits = state_q == Done ? key_bits_i : bits_o;
  wire turn_ends = turn_q == {1'b0, bits, 1'b1} + 4'd2;
  wire [3:0] rounds = {1'b1, bits_o + 2'd1, 1'b0} | {4{erasing_o}};
  wire last_word = index_q == {rounds, 2'd3};

  assign key_ready_o = state_q == Accept || (state_q == Done && idle_i);
  wire accepted = key_ready_o && key_valid_i;
  assign busy_o = state_q != Done || !keyed_q;

  // Which word of the schedule, and how it is made.
  wire looked_up = rotated_q || (bits_o == 2'd2 && turn_q == 4'd4);
  wire copied = index_q[5:2] == 4'd0 || index_q[5:2] == rounds;
  wire inverting = state_q == Invert;
  wire word_ends = accepted || erasing_o || (state_q == Expand && phase_q[0])
                || (inverting && (phase_q == 3'd5 || (copied && phase_q == 3'd1)));

  // Erasing goes through the states of expansion, a word a cycle, and through all 64 or 128 words:
  // with 15 for the number of rounds, their difference to the round takes every value too.
  always @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= Expand;
      erasing_o <= 1'b1;
      keyed_q <= 1'b0;
      index_q <= 6'd0;
      turn_q <= 4'd0;
      rotated_q <= 1'b0;
      phase_q <= 3'd0;
      write_o <= 1'b0;
    end else begin
      write_o <= word_ends;
      phase_q <= word_ends || state_q == Done || state_q == Accept ? 3'd0 : phase_q + 3'd1;
      if (word_ends) begin
        index_q <= index_q + 6'd1;
        turn_q <= turn_ends ? 4'd0 : turn_q + 4'd1;
        rotated_q <= turn_ends && !inverting;
      end
      case (state_q)
        Done: if (accepted) state_q <= Accept;
        Accept: if (accepted && turn_ends) state_q <= Expand;
        Expand:
        if (word_ends && last_word) begin
          state_q <= DECRYPT != 0 ? Invert : Done;
          keyed_q <= !erasing_o;
          if (DECRYPT == 0) erasing_o <= 1'b0;
          index_q <= 6'd0;
          turn_q <= 4'd0;
          rotated_q <= 1'b0;
        end
        default:
        if (word_ends && last_word) begin
          state_q <= Done;
          erasing_o <= 1'b0;
          index_q <= 6'd0;
          turn_q <= 4'd0;
        end
      endcase
    end
  end

  // The word: what the RAM gives, or nothing, and one of four.
  wire accepting = state_q == Done || state_q == Accept;
  wire add_read = state_q == Expand || (inverting && phase_q == 3'd1);
  wire add_column = state_q == Expand ? looked_up : inverting && phase_q != 3'd1;
  wire add_word = state_q == Expand && !looked_up;
  wire [31:0] chosen = accepting ? key_i
      : (column_i & {32{add_column}}) | (word_q & {32{add_word}});
  wire [31:0] rcon = {rotated_q ? rcon_q : 8'h00, 24'h0};

  always @(posedge clk_i) begin
    if (accepted && state_q == Done) begin
      bits_o <= key_bits_i;
      rcon_q <= 8'h01;
    end
    if (accepted || phase_q[0]) word_q <= chosen ^ (read_data_i & {32{add_read}}) ^ rcon;
    if (erasing_o) word_q <= 32'd0;
    if (word_ends) begin
      write_address_o <= inverting ? {1'b1, rounds - index_q[5:2], index_q[1:0]} : {1'b0, index_q};
      if (rotated_q) rcon_q <= {rcon_q[6:0], 1'b0} ^ (8'h1b & {8{rcon_q[7]}});
    end
  end

  assign write_data_o = word_q;
  assign read_address_o = inverting ? index_q : index_q - {2'b00, {1'b0, bits_o} + 3'd2, 1'b0};
  assign table_word_o = rotated_q ? {word_q[23:0], word_q[31:24]} : word_q;
  assign table_inverse_o = inverting && phase_q[2];
  assign table_unmixed_o = !inverting || phase_q == 3'd3;

endmodule

`default_nettype wire
