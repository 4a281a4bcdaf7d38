// SPDX-License-Identifier: MIT
// Drives a core with streams of 32-bit words for key, data and output, without pauses.
//
// `DUT is the module and `PARAMETERS what follows its name; +words=FILE holds +key_words=K words
// of the key and then those of +blocks=N blocks, in hexadecimal; +key_bits=1 or 2 stand for keys of
// 192 and 256 bits, which the core expands.
// COUNTER: there is a counter stream and no decrypt_i; +header_words=H words for it follow the key.
// Prints "word CYCLE WORD" for each word of output, and "key CYCLE" and "data CYCLE" for each word
// that the core takes.  With +vcd=FILE the nets of the core are dumped
// from the first output word of block +from=F to that of the last block.
`timescale 1 ns / 1 ps

module stream_bench;
  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0;
  reg key_valid = 1'b0, data_valid = 1'b0, counter_valid = 1'b0;
  wire key_ready, data_ready, counter_ready, given_valid;
  wire [31:0] given;

  reg [31:0] words [0:65535];
  integer key_words, key_bits, header_words, last, blocks, from, index = 0, cycle = 0, given_words = 0;
  reg [8*512-1:0] name, picture;
  reg dumping = 1'b0;

  wire [31:0] word = index < last ? words[index] : 32'd0;

  `DUT `PARAMETERS dut (
      .clk_i       (clk),
      .rst_ni      (rst_n),
      .erase_i     (1'b0),
      .key_i       (word),
      .key_valid_i (key_valid),
      .key_ready_o (key_ready),
      .key_bits_i  (key_bits[1:0]),
      .data_i      (word),
      .data_valid_i(data_valid),
      .data_ready_o(data_ready),
`ifdef COUNTER
      .counter_i      (word),
      .counter_valid_i(counter_valid),
      .counter_ready_o(counter_ready),
`else
      .decrypt_i   (1'b0),
`endif
      .data_o      (given),
      .data_valid_o(given_valid),
      .data_ready_i(1'b1)
  );

  // A word moves at the rising edge; what will move is seen just before it, and inputs change at
  // the falling edge.
  task give;
    begin
      $display("word %0d %h", cycle, given);
      if (dumping && given_words == 4 * from) begin
        $dumpfile(picture);
        $dumpvars(1, dut);
      end
      given_words = given_words + 1;
      if (given_words == 4 * blocks) $finish;
      if (dumping && given_words == 4 * blocks - 3) $dumpoff;
    end
  endtask

  reg moves;
  always @(negedge clk) begin
    key_valid  = rst_n && index < key_words;
    counter_valid = rst_n && !key_valid && index < key_words + header_words;
    data_valid = rst_n && !key_valid && !counter_valid && index < last;
    #4 moves = (key_valid && key_ready === 1'b1) || (data_valid && data_ready === 1'b1)
        || (counter_valid && counter_ready === 1'b1);
    if (moves && key_valid) $display("key %0d", cycle);
    if (moves && data_valid) $display("data %0d", cycle);
    if (given_valid === 1'b1) give;
    cycle = cycle + 1;
    if (cycle > 1000 + 400 * blocks) begin
      $display("stuck");
      $finish;
    end
    #2 if (moves) index = index + 1;
  end

  initial begin
    if (!$value$plusargs("words=%s", name) || !$value$plusargs("key_words=%d", key_words)
        || !$value$plusargs("blocks=%d", blocks)) $display("stuck");
    if (!$value$plusargs("key_bits=%d", key_bits)) key_bits = 0;
    if (!$value$plusargs("header_words=%d", header_words)) header_words = 0;
    last = key_words + header_words + 4 * blocks;
    if (!$value$plusargs("from=%d", from)) from = 0;
    dumping = $value$plusargs("vcd=%s", picture);
    $readmemh(name, words);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
  end

endmodule
