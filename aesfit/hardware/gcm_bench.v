// SPDX-License-Identifier: MIT
// Drives aes_gcm over one packet that is encrypted, without pauses.
//
// `DUT is the module and `PARAMETERS what follows its name; +words=FILE holds +key_words=K words of
// the key, +header_words=H words of the IV and associated data and 4 words for each of +blocks=N
// blocks of text, in hexadecimal.  The packet begins when the multiples of GHASH's key are made,
// lest key stream that was made meanwhile speeds it up.
// Prints "data CYCLE" for the first word of the IV and "word CYCLE WORD" for each of output.  With +vcd=FILE the nets of the design are
// dumped from the first output word of block +from=F to that of the last block.
`timescale 1 ns / 1 ps

module gcm_bench;
  localparam Quiet = 800;

  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0;
  wire key_ready, data_ready, given_valid, done;
  wire [31:0] given;

  reg [31:0] words[0:65535];
  integer key_words, header_words, blocks, from, last, key = 0, data = 0, given_words = 0, cycle = 0;
  reg [8*512-1:0] name, picture;
  reg dumping = 1'b0;

  wire key_valid = rst_n && key < key_words;
  wire data_valid = cycle > Quiet && data <= last;

  `DUT `PARAMETERS dut (
      .clk_i             (clk),
      .rst_ni            (rst_n),
      .erase_i           (1'b0),
      .key_i             (words[key]),
      .key_valid_i       (key_valid),
      .key_ready_o       (key_ready),
      .key_bits_i        (2'd0),
      .data_i            (words[key_words+data]),
      .data_bytes_i      (3'd4),
      .data_last_i       (data == header_words - 1 || data == last),
      .data_valid_i      (data_valid),
      .data_ready_o      (data_ready),
      .decrypt_i         (1'b0),
      .unverified_o      (given),
      .unverified_bytes_o(),
      .unverified_last_o (),
      .unverified_valid_o(given_valid),
      .unverified_ready_i(1'b1),
      .done_o            (done),
      .ok_o              ()
  );

  // A word moves at the rising edge; what will move is seen just before it.
  reg key_moves, data_moves;
  always @(negedge clk) begin
    #4 key_moves = key_valid && key_ready === 1'b1;
    data_moves = data_valid && data_ready === 1'b1;
    if (data_moves && data == 0) $display("data %0d", cycle);
    if (given_valid === 1'b1) begin
      $display("word %0d %h", cycle, given);
      if (dumping && given_words == 4 * from) begin
        $dumpfile(picture);
        $dumpvars(1, dut);
      end
      given_words = given_words + 1;
      if (dumping && given_words == 4 * blocks - 3) $dumpoff;
    end
    if (done === 1'b1 && data > last) $finish;
    if (cycle > 10000 + 200 * blocks) begin
      $display("stuck");
      $finish;
    end
    #2 cycle = cycle + 1;
    if (key_moves) key = key + 1;
    if (data_moves) data = data + 1;
  end

  initial begin
    if (!$value$plusargs("words=%s", name) || !$value$plusargs("key_words=%d", key_words)
        || !$value$plusargs("header_words=%d", header_words)
        || !$value$plusargs("blocks=%d", blocks)) $display("stuck");
    if (!$value$plusargs("from=%d", from)) from = 0;
    dumping = $value$plusargs("vcd=%s", picture);
    last = header_words + 4 * blocks - 1;
    $readmemh(name, words);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
  end

endmodule
