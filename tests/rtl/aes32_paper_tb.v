// SPDX-License-Identifier: MIT
// Drives aes32_paper from a file of commands, prints packets, and insists on 87 cycles a block.
//
// +commands=FILE, one a line:
//   k ADDRESS WORD    write a round key word      p ADDRESS WORD   write a packet word
//   e BLOCKS 0, d BLOCKS 0   start; when it is done, its words are printed: "word WORD"
//   r CYCLES 0               start, and reset after so many cycles
// Prints "error ..." when the acknowledge, the cycles (4 to load, 9 * 8 + 7, 4 to store, for every
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

  integer file, found, first, n, cycles, loading, middle, last, storing;
  reg [8*256-1:0] name;
  reg [7:0] command;
  reg [31:0] word;
  reg reading;

  // Inputs change at the falling edge; outputs are looked at there too, before they change.
  task tick;
    @(negedge clk);
  endtask

  task begin_work;
    begin
      start   = 1'b1;
      decrypt = command == "d";
      blocks  = first[6:0];
      #1 if (!ack || busy) $display("error no acknowledge");
      tick;
      start = 1'b0;
      if (!busy || ack) $display("error not busy after the acknowledge");
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
      if (cycles != first * 87) $display("error %0d cycles", cycles);
      if (loading != first * 4) $display("error %0d cycles to load", loading);
      if (middle != first * 9 * 8) $display("error %0d cycles of nine rounds", middle);
      if (last != first * 7) $display("error %0d cycles of the last round", last);
      if (storing != first * 4) $display("error %0d cycles to store", storing);
      for (n = 0; n < 4 * first; n = n + 1) begin
        packet_address = n[8:0];
        tick;
        $display("word %h", packet_read);
      end
    end
  endtask

  initial begin
    if (!$value$plusargs("commands=%s", name)) $display("error no +commands");
    file = $fopen(name, "r");
    repeat (3) tick;
    rst_n = 1'b1;
    tick;
    if (busy || ack) $display("error busy after reset");
    reading = 1'b1;
    while (reading) begin
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
      end else if (command == "r") begin
        n = first;
        first = 1;
        begin_work;
        repeat (n) tick;
        rst_n = 1'b0;
        tick;
        rst_n = 1'b1;
        tick;
        if (busy) $display("error busy after reset");
      end else work;
    end
    $finish;
  end

endmodule
