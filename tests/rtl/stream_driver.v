// SPDX-License-Identifier: MIT
// Drives a core with streams from a file of commands, and compares what it answers with what the
// file wants.  The benches of aes32, aes32x2, aes32_parallel and aes_ctr share it.
//
// +commands=FILE, one a line; words are offered in the order of the file, one at a time:
//   k BITS WORD   a key word; BITS is 0, 1, 2 for 128, 192, 256 bits
//   e 0 WORD      a data word to encrypt      d 0 WORD   a data word to decrypt
//   c 0 WORD      a word of a counter block
//   x 0 WORD      the next word of output that is wanted; it stands anywhere before its block
//   n CYCLES WORD a data word is offered for so long, and must not be taken
//   s MASK 0      from here on, random gaps: 1 before words offered, 2 in taking words, 3 both; with
//                 4 more, no word is taken in the first cycle in which it is valid
//   r CYCLES 0    wait so long, then reset for a cycle; z CYCLES 0 likewise, by erase_o
//   y CYCLES WORD as z, with WORD offered beside erase_o: as a key word if its lowest bit is 1, as a
//                 data word if the next is, and as a counter word if the third is; as key and data
//                 it is still there in the cycle after erase_o
//   w CYCLES 0    wait so long
// A word of output must stay until it is taken.
// Reset and erasing drop all blocks, and with them the words wanted.  ERASE_CYCLES follow, in which
// no word of key, data or output may move; in the second cycle after them erased_o is high, the
// bench looks into the core, and remains_i says in the next cycle whether something is left there.
// bits_o goes with a key word.  decrypt_o goes with the first word of a block; with the others it is
// random, and it stays, since what erasing leaves depends on it.  Between words word_o and bits_o are
// random.
// Between blocks a word of a key or counter is at random offered as a data word too, and must not be
// taken as one: a core that is offered a key or a counter begins no block.  Within a block a word of
// data is at random offered as a key word too, and must not be taken as one.
// Prints: "word CYCLE WORD" for a word of output, "in CYCLE" and "key CYCLE" for a first data word
// or key word that the core takes, "reset CYCLE"; at last "PASS", with how many words were
// compared, or "FAIL", with why.
`timescale 1 ns / 1 ps

module stream_driver #(
    parameter ERASE_CYCLES = 128
) (
    output reg         clk_o,
    output reg         rst_no,
    output reg         erase_o,
    output reg  [31:0] word_o,
    output reg  [ 1:0] bits_o,
    output reg         decrypt_o,
    output reg         key_valid_o,
    input  wire        key_ready_i,
    output reg         data_valid_o,
    input  wire        data_ready_i,
    output reg         counter_valid_o,
    input  wire        counter_ready_i,
    input  wire [31:0] given_i,
    input  wire        given_valid_i,
    output reg         take_o,
    output reg         erased_o,
    input  wire        remains_i
);

  localparam Patience = 2000, Queue = 65536;

  initial begin
    {clk_o, rst_no, erase_o, take_o, erased_o, decrypt_o} = 6'd0;
    {key_valid_o, data_valid_o, counter_valid_o} = 3'd0;
  end
  always #5 clk_o = !clk_o;

  integer file, found, first, cycle = 0, quiet = 0, waiting = 0, holding = 4;
  integer words_in = 0, words_out = 0, key_words = 0, erasing = 0, refusing = 0;
  reg [31:0] wanted[0:Queue-1];
  integer put = 0, got = 0;
  reg [8*256-1:0] name;
  reg [7:0] command = " ";
  reg [31:0] word, kept;
  reg [2:0] gaps = 3'd0, beside = 3'd0;
  reg [31:0] random = 32'h2545f491;
  reg ended = 1'b0, over = 1'b0, keyless = 1'b1, by_erase = 1'b0, was_erased = 1'b0;
  reg valid, moves, taken, given, begun, held = 1'b0;

  task fail;
    input [8*40-1:0] why;
    begin
      if (!over) $display("FAIL in cycle %0d:%0s", cycle, why);
      over = 1'b1;
      $finish;
    end
  endtask

  initial begin
    if (!$value$plusargs("commands=%s", name)) fail(" no +commands");
    else begin
      file = $fopen(name, "r");
      if (file == 0) fail(" cannot open +commands");
    end
  end

  task want;
    begin
      wanted[put%Queue] = word;
      put = put + 1;
      if (put - got > Queue) fail(" too many words are wanted at once");
    end
  endtask

  task offer;
    begin
      begun = words_in % 4 != 0;
      word_o <= word;
      if (command == "k") bits_o <= first[1:0];
      if (command == "e" || command == "d") decrypt_o <= begun ? random[8] : command == "d";
      key_valid_o <= command == "k" || (begun && random[9]);
      data_valid_o <= command == "e" || command == "d" || command == "n" || (!begun && random[7]);
      counter_valid_o <= command == "c";
    end
  endtask

  // The next line that takes time: a word is offered, or it is obeyed.
  task next_command;
    begin
      command = "x";
      while (command == "x" && !ended) begin
        found = $fscanf(file, " %c %d %h", command, first, word);
        if (found != 3) ended = 1'b1;
        else if (command == "x") want;
      end
      if (!ended)
        case (command)
          "k", "e", "d", "c": offer;
          "n": begin
            offer;
            refusing = first;
          end
          "s": gaps <= first[2:0];
          "w": waiting = first;
          "r", "z", "y": begin
            holding  = first + 2;
            by_erase = command != "r";
            beside   = command == "y" ? word[2:0] : 3'd0;
          end
          default: fail(" a command that is none");
        endcase
    end
  endtask

  task report;
    begin
      begun = words_in % 4 != 0;
      if (key_valid_o && key_ready_i) begin
        if (begun) fail(" a key that is taken within a block");
        if (key_words == 0) $display("key %0d", cycle);
        key_words = key_words + 1;
        keyless   = 1'b0;
      end
      if (data_valid_o && data_ready_i) begin
        if (refusing > 0) fail(" a word that is to be refused");
        if (!begun && (key_valid_o || counter_valid_o)) fail(" a block that begins beside a key");
        if (!begun) $display("in %0d", cycle);
        words_in  = words_in + 1;
        key_words = 0;
      end
      if (held && !(given_valid_i && given_i === kept)) fail(" a word that did not wait");
      held = given_valid_i && !take_o;
      kept = given_i;
      if (given) begin
        $display("word %0d %h", cycle, given_i);
        if (got >= put) fail(" a word that is not wanted");
        else if (given_i !== wanted[got%Queue]) fail(" a wrong word");
        got = got + 1;
        words_out = words_out + 1;
      end
      if (keyless && data_ready_i) fail(" data that is taken without a key");
      if ((key_valid_o && key_ready_i === 1'bx) || (data_valid_o && data_ready_i === 1'bx)
          || (counter_valid_o && counter_ready_i === 1'bx) || given_valid_i === 1'bx)
        fail(" an unknown signal");
    end
  endtask

  task rest;
    begin
      {key_valid_o, data_valid_o, counter_valid_o} <= 3'd0;
      word_o <= random;
      bits_o <= random[5:4];
    end
  endtask

  // The last two cycles of a hold: reset or erase_o in the first, with what is offered beside it.
  task restart;
    begin
      rst_no <= by_erase || holding == 0;
      erase_o <= by_erase && holding == 1;
      rest;
      if (beside != 3'd0) word_o <= word;
      {counter_valid_o, data_valid_o, key_valid_o} <= beside & {holding == 1, 2'b11};
      held = 1'b0;
      keyless = 1'b1;
      words_in = 0;
      words_out = 0;
      key_words = 0;
      got = put;
      erasing = ERASE_CYCLES + 1;
    end
  endtask

  task watch_erasing;
    begin
      if (erasing > 1 && ((key_valid_o && key_ready_i) || (data_valid_o && data_ready_i)
          || given_valid_i))
        fail(" a word that moves while keys are erased");
      erasing = erasing - 1;
      erased_o <= erasing == 0;
    end
  endtask

  always @(posedge clk_o) begin
    cycle = cycle + 1;
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
    valid = key_valid_o || data_valid_o || counter_valid_o;
    taken = (key_valid_o && key_ready_i) || (data_valid_o && data_ready_i)
        || (counter_valid_o && counter_ready_i);
    given = given_valid_i && take_o;
    moves = taken || given || holding > 0 || waiting > 0 || erasing > 0 || refusing > 0;
    quiet = moves ? 0 : quiet + 1;
    if (rst_no && !erase_o) report;
    take_o <= !(gaps[1] && random[3:2] != 2'd0) && !(gaps[2] && (given || !given_valid_i));

    if (was_erased && remains_i !== 1'b0) fail(" something that is left");
    was_erased = erased_o;
    erased_o <= 1'b0;
    if (erasing > 0 && rst_no && !erase_o) watch_erasing;
    if (holding > 0) begin
      holding = holding - 1;
      if (holding == 1) $display("reset %0d", cycle);
      if (holding <= 1) restart;
    end else if (waiting > 0) waiting = waiting - 1;
    else if (refusing > 1) refusing = refusing - 1;
    else if (!valid || taken || refusing == 1 || beside != 3'd0) begin
      rest;
      refusing = 0;
      beside   = 3'd0;
      if (!ended && !(gaps[0] && random[1:0] != 2'd0)) next_command;
    end

    if (ended && !(key_valid_o || data_valid_o || counter_valid_o) && words_out == words_in
        && erasing == 0 && !erased_o && !was_erased) begin
      if (put == 0) fail(" nothing to compare");
      else if (got != put) fail(" words that did not come");
      else if (!over) $display("PASS %0d words", put);
      over = 1'b1;
      $finish;
    end
    if (quiet > Patience) fail(" stuck");
  end

endmodule
