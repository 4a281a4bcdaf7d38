// SPDX-License-Identifier: MIT
// Drives a core of packets from a file of commands, and compares what it answers with what the file
// wants.  The benches of aes_gcm, aes_gcm_axis, aes_ccm_axis and aes_ctr_axis share it.
//
// +commands=FILE, one a line; words are offered in the order of the file, one at a time:
//   k BITS WORD   a key word; BITS is 0, 1, 2 for 128, 192, 256 bits
//   d MARKS WORD  a data word: its bytes in bits 2 to 0, 8 more if it is the last of its part, 16
//                 more if decrypt_i is high with it, which counts with a packet's first word alone;
//                 32 more if error_i has to rise behind it, and to stay until all is erased
//   n CYCLES WORD a data word is offered for so long, and must not be taken; m likewise a key word
//   x MARKS WORD  the next word of output that is wanted, its bytes and 8 more if it is a last one
//   o OK 0        what ok_i is to be at the end of the next packet, likewise
//   s MASK 0      from here on, random gaps: 1 before words offered, 2 in taking words, 3 both; with
//                 4 more, no word is taken in the first cycle in which it is valid
//   w CYCLES 0    wait so long
//   r CYCLES 0    wait so long, then reset for a cycle; z CYCLES 0 likewise, by erase_o
//   y CYCLES WORD as z, with WORD offered beside erase_o and in the cycle after it: as a key word if
//                 its lowest bit is 1, as a data word if the next is
// What is wanted stands anywhere before its packet.
// Reset and erasing drop the packet in work, the key, and what is wanted; in the cycles after them no
// word may move, and no data before a key.  A word of output must stay until it is taken.
// A word of a key is at random offered as a data word too, and must not be taken as one.
// keep_o has the bytes of a last word, and of others anything.
// Prints "word CYCLE WORD" for a word of output, "done CYCLE OK" for the end of a packet; at last
// "PASS", with how many words were compared, or "FAIL", with why.
`timescale 1 ns / 1 ps

module packet_driver #(
    parameter ERASE_CYCLES = 65
) (
    output reg         clk_o,
    output reg         rst_no,
    output reg         erase_o,
    output reg  [31:0] word_o,
    output reg  [ 4:0] marks_o,
    output wire [ 3:0] keep_o,
    output reg         key_valid_o,
    input  wire        key_ready_i,
    output reg         data_valid_o,
    input  wire        data_ready_i,
    input  wire [35:0] given_i,
    input  wire        given_valid_i,
    output reg         take_o,
    input  wire        done_i,
    input  wire        ok_i,
    input  wire        error_i
);

  localparam Patience = 2000, Queue = 65536;

  initial begin
    {clk_o, rst_no, erase_o, take_o, key_valid_o, data_valid_o, marks_o} = 11'd0;
    word_o = 32'd0;
  end
  always #5 clk_o = !clk_o;

  assign keep_o = marks_o[3] ? ~(4'hf << marks_o[2:0]) : random[23:20];

  integer file, found, first, cycle = 0, quiet = 0, waiting = 0, holding = 4, erasing = 0;
  integer refusing = 0;
  reg [35:0] wanted[0:Queue-1];
  reg verdicts[0:Queue-1];
  integer put = 0, got = 0, packets = 0, packets_done = 0;
  reg [8*256-1:0] name;
  reg [7:0] command = " ";
  reg [31:0] word;
  reg [35:0] held;
  reg [2:0] gaps = 3'd0;
  reg [1:0] beside = 2'd0;
  reg [31:0] random = 32'h2545f491;
  reg ended = 1'b0, over = 1'b0, was_done = 1'b0, holds = 1'b0, valid, taken;
  reg by_erase = 1'b0, keyless = 1'b1, bad = 1'b0, broken = 1'b0;

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
      wanted[put%Queue] = {first[3:0], word};
      put = put + 1;
      if (put - got > Queue) fail(" too many words are wanted at once");
    end
  endtask

  // A word of the file: offered, or obeyed.
  task next_command;
    begin
      found = $fscanf(file, " %c %d %h", command, first, word);
      if (found != 3) ended = 1'b1;
      else
        case (command)
          "k", "d": begin
            word_o <= word;
            marks_o <= first[4:0];
            key_valid_o <= command == "k";
            data_valid_o <= command == "d" || random[7];
            bad = command == "d" && first[5];
          end
          "n", "m": begin
            word_o <= word;
            data_valid_o <= command == "n";
            key_valid_o <= command == "m";
            refusing = first;
          end
          "x": want;
          "o": begin
            verdicts[packets%Queue] = first[0];
            packets = packets + 1;
          end
          "s": gaps <= first[2:0];
          "w": waiting = first;
          "r", "z", "y": begin
            holding  = first + 2;
            by_erase = command != "r";
            beside   = command == "y" ? word[1:0] : 2'd0;
          end
          default: fail(" a command that is none");
        endcase
    end
  endtask

  task report;
    begin
      if (given_valid_i === 1'bx || (key_valid_o && key_ready_i === 1'bx) || done_i === 1'bx
          || (data_valid_o && data_ready_i === 1'bx) || error_i === 1'bx)
        fail(" an unknown signal");
      if (erasing > 0 && (taken || given_valid_i)) fail(" a word that moves while keys are erased");
      if (erasing > 0) erasing = erasing - 1;
      if (key_valid_o && key_ready_i) keyless = 1'b0;
      if (keyless && data_ready_i) fail(" data that is taken without a key");
      if (key_valid_o && data_valid_o && data_ready_i) fail(" a packet that begins beside a key");
      if (holds && (!given_valid_i || given_i !== held)) fail(" a word that did not wait");
      if (error_i != broken) fail(" an error that is none, or none that is one");
      if (refusing > 0 && taken) fail(" a word that is taken where none should be");
      if (taken && bad) broken = 1'b1;
      holds = given_valid_i && !take_o;
      held  = given_i;
      if (given_valid_i && take_o) begin
        $display("word %0d %h", cycle, given_i);
        if (got >= put) fail(" a word that is not wanted");
        else if (given_i !== wanted[got%Queue]) fail(" a wrong word");
        got = got + 1;
      end
      if (done_i && !was_done) begin
        $display("done %0d %b", cycle, ok_i);
        if (packets_done >= packets) fail(" an end that is not wanted");
        else if (ok_i !== verdicts[packets_done%Queue]) fail(" a wrong verdict");
        packets_done = packets_done + 1;
      end
      was_done = done_i;
    end
  endtask

  task rest;
    begin
      key_valid_o <= 1'b0;
      data_valid_o <= 1'b0;
    end
  endtask

  // Reset or erasing, with what is offered beside it, drops what is in work.
  task restart;
    begin
      rst_no <= by_erase || holding == 0;
      erase_o <= by_erase && holding == 1;
      {data_valid_o, key_valid_o} <= beside;
      if (beside != 2'd0) word_o <= word;
      erasing = ERASE_CYCLES;
      keyless = 1'b1;
      got = put;
      packets_done = packets;
      {was_done, holds, bad, broken} = 4'd0;
    end
  endtask

  always @(posedge clk_o) begin
    cycle = cycle + 1;
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
    valid = key_valid_o || data_valid_o;
    taken = (key_valid_o && key_ready_i) || (data_valid_o && data_ready_i);
    quiet = taken || (given_valid_i && take_o) || holding > 0 || waiting > 0 || !valid && !ended ? 0
        : quiet + 1;
    if (rst_no && !erase_o) report;
    take_o <= !(gaps[1] && random[3:2] != 2'd0) && !(gaps[2] && (!given_valid_i || take_o));

    if (taken || (holding == 0 && beside != 2'd0) || refusing == 1) rest;
    if (refusing > 0) refusing = refusing - 1;
    if (holding > 0) begin
      holding = holding - 1;
      if (holding <= 1) restart;
    end else if (waiting > 0) waiting = waiting - 1;
    else if ((!valid || taken || beside != 2'd0) && !ended) begin
      beside = 2'd0;
      if (!(gaps[0] && random[1:0] != 2'd0)) next_command;
    end

    if (ended && !valid && packets_done == packets && got == put && erasing == 0) begin
      if (put == 0) fail(" nothing to compare");
      else if (!over) $display("PASS %0d words", put);
      over = 1'b1;
      $finish;
    end
    if (quiet > Patience) fail(" stuck");
  end

endmodule
