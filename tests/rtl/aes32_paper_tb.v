// SPDX-License-Identifier: MIT
// Drives aes32_paper from a file of commands, compares packets with what the file wants, and
// insists on 87 cycles a block.
//
// +commands=FILE, one a line:
//   k ADDRESS WORD    write a round key word      p ADDRESS WORD   write a packet word
//   x ADDRESS WORD    the next word of a packet that is wanted, in order; it stands before its start
//   e BLOCKS 0, d BLOCKS 0   start; when it is done, its words are read
//   r CYCLES 0               start, and reset after so many cycles
//   s MASK 0          from here on, if MASK is not 0, idle cycles at random before each command, and
//                     before each word that is read
// Prints "word WORD" for a word that was read; at last "PASS", with how many words were compared, or
// "FAIL", with why: a word, the acknowledge, the cycles (4 to load, 9 * 8 + 7, 4 to store, for every
// block) or the reset are not as they must be.
`timescale 1 ns / 1 ps

module aes32_paper_tb;
  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0;
  reg key_write = 1'b0, packet_write = 1'b0, start = 1'b0, decrypt = 1'b0;
  reg [6:0] key_address, blocks;
  reg [8:0] packet_address;
  reg [31:0] key, packet;
  wire [31:0] packet_read;
  wire ack, busy;

  aes32_paper dut (
      .clk_i           (clk),
      .rst_ni          (rst_n),
      .key_write_i     (key_write),
      .key_address_i   (key_address),
      .key_i           (key),
      .packet_write_i  (packet_write),
      .packet_address_i(packet_address),
      .packet_i        (packet),
      .packet_o        (packet_read),
      .start_i         (start),
      .decrypt_i       (decrypt),
      .blocks_i        (blocks),
      .ack_o           (ack),
      .busy_o          (busy)
  );

  localparam Queue = 65536;
  integer file, found, first, n, cycles, loading, middle, last, storing, put = 0, got = 0, cycle = 0;
  reg [31:0] wanted[0:Queue-1];
  reg [31:0] random = 32'h2545f491;
  reg gaps = 1'b0, over = 1'b0;
  reg [8*256-1:0] name;
  reg [7:0] command;
  reg [31:0] word;
  reg reading;

  // Inputs change at the falling edge; outputs are looked at there too, before they change.
  task tick;
    begin
      @(negedge clk);
      cycle = cycle + 1;
    end
  endtask

  task fail;
    input [8*40-1:0] why;
    begin
      if (!over) $display("FAIL in cycle %0d:%0s", cycle, why);
      over = 1'b1;
      $finish;
    end
  endtask

  // Up to three idle cycles.
  task pause;
    begin
      random = random ^ (random << 13);
      random = random ^ (random >> 17);
      random = random ^ (random << 5);
      if (gaps) repeat (random[1:0]) tick;
    end
  endtask

  task read_packet;
    for (n = 0; n < 4 * first; n = n + 1) begin
      packet_address = n[8:0];
      tick;
      pause;
      $display("word %h", packet_read);
      if (got >= put) fail(" a word that is not wanted");
      else if (packet_read !== wanted[got%Queue]) fail(" a wrong word");
      got = got + 1;
    end
  endtask

  task begin_work;
    begin
      start   = 1'b1;
      decrypt = command == "d";
      blocks  = first[6:0];
      #1 if (!ack || busy) fail(" no acknowledge");
      tick;
      start = 1'b0;
      if (!busy || ack) fail(" not busy after the acknowledge");
    end
  endtask

  task work;
    begin
      begin_work;
      decrypt = !decrypt;  // sampled with start_i alone
      cycles  = 0;
      loading = 0;
      middle  = 0;
      last    = 0;
      storing = 0;
      while (busy && cycles < 100000) begin
        cycles = cycles + 1;
        case (dut.phase_q)
          2'd1: loading = loading + 1;
          2'd2:
          if (dut.round_q == 4'd10) last = last + 1;
          else middle = middle + 1;
          default: storing = storing + 1;
        endcase
        tick;
      end
      if (cycles != first * 87) fail(" not 87 cycles a block");
      if (loading != first * 4) fail(" not 4 cycles to load");
      if (middle != first * 9 * 8) fail(" not 72 cycles of nine rounds");
      if (last != first * 7) fail(" not 7 cycles of the last round");
      if (storing != first * 4) fail(" not 4 cycles to store");
      read_packet;
    end
  endtask

  initial begin
    if (!$value$plusargs("commands=%s", name)) fail(" no +commands");
    file = $fopen(name, "r");
    if (file == 0) fail(" cannot open +commands");
    repeat (3) tick;
    rst_n = 1'b1;
    tick;
    if (busy || ack) fail(" busy after reset");
    reading = 1'b1;
    while (reading && !over) begin
      pause;
      found = $fscanf(file, " %c %d %h", command, first, word);
      if (found != 3) reading = 1'b0;
      else if (command == "k") begin
        key_write   = 1'b1;
        key_address = first[6:0];
        key         = word;
        tick;
        key_write = 1'b0;
      end else if (command == "p") begin
        packet_write   = 1'b1;
        packet_address = first[8:0];
        packet         = word;
        tick;
        packet_write = 1'b0;
      end else if (command == "x") begin
        wanted[put%Queue] = word;
        put = put + 1;
      end else if (command == "s") gaps = first != 0;
      else if (command == "r") begin
        n = first;
        first = 1;
        begin_work;
        repeat (n) tick;
        rst_n = 1'b0;
        tick;
        rst_n = 1'b1;
        tick;
        if (busy) fail(" busy after reset");
      end else if (command == "e" || command == "d") work;
      else fail(" a command that is none");
    end
    if (put == 0) fail(" nothing to compare");
    else if (got != put) fail(" words that did not come");
    else if (!over) $display("PASS %0d words", put);
    over = 1'b1;
    $finish;
  end

endmodule
