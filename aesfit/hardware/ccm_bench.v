// SPDX-License-Identifier: MIT
// Drives aes_ccm over one packet, without pauses.
//
// `DUT is the module and `PARAMETERS what follows its name; +words=FILE holds +key_words=K words of
// the key, +header_words=H words of formatted headers and those of the text, in hexadecimal.  To
// encrypt, +blocks=N tells how many blocks the text has; else +text_words=T, +out_words=O words are
// to come out, and +decrypt=1 decrypts.
// Prints "key CYCLE" and "header CYCLE" for the first word of each that is taken, "word CYCLE WORD"
// for each word of output, and "done CYCLE OK".  With +vcd=FILE the nets of the design are dumped
// from the first output word of block +from=F to that of the last block.
`timescale 1 ns / 1 ps

module ccm_bench;
  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0;
  wire key_ready, header_ready, text_ready, given_valid, done, ok;
  wire [31:0] given;

  reg [31:0] words [0:65535];
  integer key_words, header_words, text_words, out_words, decrypt;
  integer key = 0, header = 0, text = 0, given_words = 0, cycle = 0, done_cycle = 0, blocks, from;
  reg [8*512-1:0] name, picture;
  reg dumping = 1'b0;

  wire key_valid = rst_n && key < key_words;
  wire header_valid = rst_n && !key_valid && header < header_words;
  wire text_valid = rst_n && text < text_words;
  wire header_last = header == header_words - 1;

  `DUT `PARAMETERS dut (
      .clk_i             (clk),
      .rst_ni            (rst_n),
      .erase_i           (1'b0),
      .key_i             (words[key]),
      .key_valid_i       (key_valid),
      .key_ready_o       (key_ready),
      .key_bits_i        (2'd0),
      .header_i          (words[key_words+header]),
      .header_valid_i    (header_valid),
      .header_ready_o    (header_ready),
      .header_last_i     (header_last),
      .decrypt_i         (decrypt[0]),
      .text_i            (words[key_words+header_words+text]),
      .text_valid_i      (text_valid),
      .text_ready_o      (text_ready),
      .unverified_o      (given),
      .unverified_valid_o(given_valid),
      .unverified_ready_i(1'b1),
      .done_o            (done),
      .ok_o              (ok)
  );

  task give;
    begin
      $display("word %0d %h", cycle, given);
      if (dumping && given_words == 4 * from) begin
        $dumpfile(picture);
        $dumpvars(1, dut);
      end
      given_words = given_words + 1;
      if (dumping && given_words == 4 * blocks - 3) $dumpoff;
    end
  endtask

  // A word moves at the rising edge; what will move is seen just before it.
  reg key_moves, header_moves, text_moves;
  always @(negedge clk) begin
    #4 key_moves = key_valid && key_ready === 1'b1;
    header_moves = header_valid && header_ready === 1'b1;
    text_moves   = text_valid && text_ready === 1'b1;
    if (key_moves && key == 0) $display("key %0d", cycle);
    if (header_moves && header == 0) $display("header %0d", cycle);
    if (given_valid === 1'b1) give;
    if (done === 1'b1 && header > 0 && given_words == out_words) begin
      $display("done %0d %b", done_cycle, ok);
      $finish;
    end
    cycle = cycle + 1;
    if (cycle > 10000 + 200 * text_words) begin
      $display("stuck");
      $finish;
    end
    #2 if (key_moves) key = key + 1;
    if (header_moves) header = header + 1;
    if (text_moves) text = text + 1;
  end

  // The last word may still have to be taken when done_o rises.
  always @(posedge done) done_cycle = cycle;

  initial begin
    if (!$value$plusargs("words=%s", name) || !$value$plusargs("key_words=%d", key_words)
        || !$value$plusargs("header_words=%d", header_words)) $display("stuck");
    if ($value$plusargs("blocks=%d", blocks)) begin
      text_words = 4 * blocks;
      out_words  = text_words + 2;
      decrypt    = 0;
    end else if (!$value$plusargs("text_words=%d", text_words)
        || !$value$plusargs("out_words=%d", out_words)
        || !$value$plusargs("decrypt=%d", decrypt)) $display("stuck");
    if (!$value$plusargs("from=%d", from)) from = 0;
    dumping = $value$plusargs("vcd=%s", picture);
    $readmemh(name, words);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
  end

endmodule
