// SPDX-License-Identifier: MIT
// Drives aes32 from a file of commands and prints what it answers; what is right is judged outside.
//
// +commands=FILE, one a line:
//   k BITS WORD   offer a key word          e 0 WORD, d 0 WORD   offer a word to en- or decrypt
//   s MASK 0      from here on, random gaps: 1 before words offered, 2 in taking words, 3 both
//   r CYCLES 0    wait so long, then reset for two cycles
// Prints: "word CYCLE WORD" for a word of output, "in CYCLE" and "key CYCLE" for a first data word
// or key word that the core takes, "reset CYCLE"; "stuck CYCLE" when nothing moves for 5000 cycles.
// NETLIST leaves parameters away, for a synthesised core.
`timescale 1 ns / 1 ps

module aes32_tb;
  parameter KEY_EXPANSION = 1;
  parameter DECRYPT = 1;
  parameter COLUMN = 0;

  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0;
  reg [31:0] key, data;
  reg [1:0] key_bits;
  reg key_valid = 1'b0, data_valid = 1'b0, decrypt, take = 1'b0;
  wire key_ready, data_ready, given_valid;
  wire [31:0] given;

`ifdef NETLIST
  aes32 dut (
`else
  aes32 #(
      .KEY_EXPANSION(KEY_EXPANSION),
      .DECRYPT(DECRYPT),
      .COLUMN(COLUMN)
  ) dut (
`endif
      .clk_i       (clk),
      .rst_ni      (rst_n),
      .key_i       (key),
      .key_valid_i (key_valid),
      .key_ready_o (key_ready),
      .key_bits_i  (key_bits),
      .data_i      (data),
      .data_valid_i(data_valid),
      .data_ready_o(data_ready),
      .decrypt_i   (decrypt),
      .data_o      (given),
      .data_valid_o(given_valid),
      .data_ready_i(take)
  );

  integer file, found, first, cycle = 0, quiet = 0, holding = 4, words_in = 0, words_out = 0;
  integer key_words = 0;
  reg [8*256-1:0] name;
  reg [7:0] command;
  reg [31:0] word;
  reg [1:0] gaps = 2'd0;
  reg [31:0] random = 32'h2545f491;
  reg ended = 1'b0, taken;

  initial begin
    if (!$value$plusargs("commands=%s", name)) begin
      $display("stuck: no +commands");
      $finish;
    end
    file = $fopen(name, "r");
  end

  // A word of the file: offered, or obeyed.
  task next_command;
    begin
      found = $fscanf(file, " %c %d %h", command, first, word);
      if (found != 3) ended = 1'b1;
      else
        case (command)
          "k": begin
            key <= word;
            key_bits <= first[1:0];
            key_valid <= 1'b1;
          end
          "e", "d": begin
            data <= word;
            decrypt <= command == "d";
            data_valid <= 1'b1;
          end
          "s": gaps <= first[1:0];
          default: holding = first + 2;
        endcase
    end
  endtask

  task report;
    begin
      if (key_valid && key_ready) begin
        if (key_words == 0) $display("key %0d", cycle);
        key_words = key_words + 1;
      end
      if (data_valid && data_ready) begin
        if (words_in[1:0] == 2'd0) $display("in %0d", cycle);
        words_in  = words_in + 1;
        key_words = 0;
      end
      if (given_valid && take) begin
        $display("word %0d %h", cycle, given);
        words_out = words_out + 1;
      end
    end
  endtask

  always @(posedge clk) begin
    cycle = cycle + 1;
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
    taken = (key_valid && key_ready) || (data_valid && data_ready);
    quiet = taken || (given_valid && take) || holding > 0 ? 0 : quiet + 1;
    if (rst_n) report;
    take <= !(gaps[1] && random[3:2] != 2'd0);

    if (holding > 0) begin
      holding = holding - 1;
      if (holding == 1) $display("reset %0d", cycle);
      if (holding <= 1) begin
        rst_n <= holding == 0;
        words_in  = 0;
        words_out = 0;
        key_words = 0;
      end
    end else if (!(key_valid || data_valid) || taken) begin
      key_valid  <= 1'b0;
      data_valid <= 1'b0;
      if (!ended && !(gaps[0] && random[1:0] != 2'd0)) next_command;
    end

    if (ended && !(key_valid || data_valid) && words_out == words_in) $finish;
    if (quiet > 5000) begin
      $display("stuck %0d", cycle);
      $finish;
    end
  end

endmodule
