// SPDX-License-Identifier: MIT
// Drives aes128_paper from a file of commands; compares packets and cycles, and needs no Python.
//
// +commands=FILE, one a line:
//   k ADDRESS WORD   write a round key word     p ADDRESS WORD   write a packet word
//   x ADDRESS WORD   the word that must be there after the next packet
//   e BLOCKS 0, d BLOCKS 0   start; its words and its cycles are compared when it is done
//   r CYCLES 0               start one block, and reset after so many cycles
//   s MASK 0         from here on, if MASK is not 0, idle cycles at random before each command, and
//                    before each word that is read
// Prints "PASS N words", or "FAIL" and the first reason.
`timescale 1 ns / 1 ps

module aes128_paper_tb #(
    parameter ROW_REGISTER = 1,
    parameter WIDE_PACKET  = 0
);
  localparam integer Moved = WIDE_PACKET ? 1 : 4;
  localparam integer Staged = ROW_REGISTER ? 5 : 4;
  localparam integer Block = Moved + 9 * Staged + Staged - 1 + Moved;

  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0;
  reg key_write = 1'b0, packet_write = 1'b0, start = 1'b0, decrypt = 1'b0;
  reg [6:0] key_address, blocks;
  reg [8:0] packet_address;
  reg [31:0] word;
  wire [31:0] packet;
  wire ack, busy;

  aes128_paper #(
      .ROW_REGISTER(ROW_REGISTER),
      .WIDE_PACKET (WIDE_PACKET)
  ) dut (
      .clk_i           (clk),
      .rst_ni          (rst_n),
      .key_write_i     (key_write),
      .key_address_i   (key_address),
      .key_i           (word),
      .packet_write_i  (packet_write),
      .packet_address_i(packet_address),
      .packet_i        (word),
      .packet_o        (packet),
      .start_i         (start),
      .decrypt_i       (decrypt),
      .blocks_i        (blocks),
      .ack_o           (ack),
      .busy_o          (busy)
  );

  reg [31:0] wanted [0:511];
  integer file, found, number, n, cycles, compared = 0;
  reg [8*256-1:0] name;
  reg [7:0] command;
  reg [31:0] random = 32'h2545f491;
  reg reading = 1'b1, gaps = 1'b0;

  task fail;
    input [8*32-1:0] reason;
    begin
      $display("FAIL %0s: %0d", reason, cycles);
      $finish;
      reading = 1'b0;
    end
  endtask

  // Up to three idle cycles.
  task pause;
    begin
      random = random ^ (random << 13);
      random = random ^ (random >> 17);
      random = random ^ (random << 5);
      if (gaps) repeat (random[1:0]) @(negedge clk);
    end
  endtask

  // Inputs change at the falling edge; outputs are looked at there too, before they change.
  task begin_work;
    input [6:0] many;
    begin
      cycles  = 0;
      start   = 1'b1;
      decrypt = command == "d";
      blocks  = many;
      #1 if (!ack || busy) fail("no acknowledge");
      @(negedge clk) start = 1'b0;
      decrypt = !decrypt;  // sampled with start_i alone
    end
  endtask

  task work;
    begin
      begin_work(number[6:0]);
      while (busy === 1'b1 && cycles < 100000) begin
        cycles = cycles + 1;
        @(negedge clk);
      end
      if (cycles != number * Block) fail("cycles");
      for (n = 0; reading && n < 4 * number; n = n + 1) begin
        packet_address = n[8:0];
        @(negedge clk) compared = compared + 1;
        pause;
        if (packet !== wanted[n]) fail("another word");
      end
    end
  endtask

  task reset_after;
    begin
      begin_work(7'd1);
      repeat (number) @(negedge clk);
      rst_n = 1'b0;
      @(negedge clk) rst_n = 1'b1;
      @(negedge clk) if (busy || ack) fail("busy after reset");
    end
  endtask

  initial begin
    if (!$value$plusargs("commands=%s", name)) fail("no +commands");
    file = reading ? $fopen(name, "r") : 0;
    if (reading && file == 0) fail("cannot open +commands");
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk) if (busy || ack) fail("busy after reset");
    while (reading) begin
      pause;
      found = $fscanf(file, " %c %d %h", command, number, word);
      if (found != 3) begin
        if (compared == 0) fail("nothing to compare");
        else $display("PASS %0d words", compared);
        reading = 1'b0;
      end else if (command == "x") wanted[number] = word;
      else if (command == "s") gaps = number != 0;
      else if (command == "r") reset_after;
      else if (command == "e" || command == "d") work;
      else if (command != "k" && command != "p") fail("a command that is none");
      else begin
        key_write      = command == "k";
        packet_write   = command == "p";
        key_address    = number[6:0];
        packet_address = number[8:0];
        @(negedge clk) key_write = 1'b0;
        packet_write = 1'b0;
      end
    end
    $finish;
  end

endmodule
