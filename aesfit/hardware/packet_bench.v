// SPDX-License-Identifier: MIT
// Drives aes32_paper: fills round keys and a packet, starts it, reads the packet back.
//
// `DUT and plusargs are as in stream_bench.v; the key is all round keys for encryption.
// Prints "word CYCLE WORD" for each word of the packet, CYCLE being the one in which the core
// stored it.  With +vcd=FILE the nets of the core are dumped while it works on the packet; with
// +decrypt=1 it decrypts, and 64 words of keys for decryption follow as many for encryption.
`timescale 1 ns / 1 ps

module packet_bench;
  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0;
  reg key_write = 1'b0, packet_write = 1'b0, start = 1'b0;
  reg [6:0] key_address = 7'd0;
  reg [8:0] packet_address = 9'd0;
  wire [31:0] packet;
  wire ack, busy;

  reg [31:0] words [0:65535];
  integer key_words, blocks, decrypt, index = 0, n, cycles = 0;
  reg [8*512-1:0] name, picture;

  wire [31:0] word = index < key_words + 4 * blocks ? words[index] : 32'd0;

  `DUT `PARAMETERS dut (
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
      .decrypt_i       (decrypt[0]),
      .blocks_i        (blocks[6:0]),
      .ack_o           (ack),
      .busy_o          (busy)
  );

  task fill;
    begin
      for (n = 0; n < key_words; n = n + 1) begin
        key_write   = 1'b1;
        key_address = n[6:0];
        @(negedge clk) index = index + 1;
      end
      key_write = 1'b0;
      for (n = 0; n < 4 * blocks; n = n + 1) begin
        packet_write   = 1'b1;
        packet_address = n[8:0];
        @(negedge clk) index = index + 1;
      end
      packet_write   = 1'b0;
      packet_address = 9'd0;
      index = 0;
    end
  endtask

  // Every block takes as many cycles, so the cycles of a block are those of the packet, shared.
  task read_back;
    for (n = 0; n < 4 * blocks; n = n + 1) begin
      packet_address = n[8:0];
      @(negedge clk) $display("word %0d %h", (n / 4 + 1) * cycles / blocks, packet);
    end
  endtask

  initial begin
    if (!$value$plusargs("words=%s", name) || !$value$plusargs("key_words=%d", key_words)
        || !$value$plusargs("blocks=%d", blocks)) $display("stuck");
    if (!$value$plusargs("decrypt=%d", decrypt)) decrypt = 0;
    $readmemh(name, words);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk) fill;
    start = 1'b1;
    @(negedge clk) start = 1'b0;
    if ($value$plusargs("vcd=%s", picture)) begin
      $dumpfile(picture);
      $dumpvars(1, dut);
    end
    while (busy === 1'b1 && cycles < 1000 * blocks) begin
      cycles = cycles + 1;
      @(negedge clk);
    end
    $dumpoff;
    read_back;
    $finish;
  end

endmodule
