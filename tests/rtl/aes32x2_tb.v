// SPDX-License-Identifier: MIT
// Drives aes32x2 from a file of commands, and compares what it answers with what the file wants.
//
// +commands=FILE, one a line:
//   k BITS WORD   offer a key word          e 0 WORD, d 0 WORD   offer a word to en- or decrypt
//   x 0 WORD      the next word of output that is wanted; it stands anywhere before its block
//   s MASK 0      from here on, random gaps: 1 before words offered, 2 in taking words, 3 both
//   r CYCLES 0    wait so long, then reset for two cycles; z CYCLES 0 likewise, by erase_i
//   w CYCLES 0    wait so long
// Reset and erasing drop all blocks, and with them the words wanted; after 66 cycles in which no
// word moves, 129 without KEY_EXPANSION, all key words and states must be zero.
// Prints: "word CYCLE WORD" for a word of output, "in CYCLE" and "key CYCLE" for a first data word
// or key word that the core takes, "reset CYCLE"; at last "PASS", with how many words were
// compared, or "FAIL", with why.
// NETLIST leaves parameters, and the look into the core's memories, away.
`timescale 1 ns / 1 ps

module aes32x2_tb;
  parameter KEY_EXPANSION = 1, STATE_IN_LUTS = 0;
  localparam Patience = 2000, WriteCycles = 2, Queue = 65536;
  localparam StateBits = KEY_EXPANSION != 0 ? 4 : 3;
  localparam KeyWords = KEY_EXPANSION != 0 ? 64 : 128;
  localparam EraseCycles = KEY_EXPANSION != 0 ? 64 : 128;

  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0, erase = 1'b0;
  reg [31:0] key = 32'd0, data = 32'd0;
  reg [1:0] key_bits = 2'd0;
  reg key_valid = 1'b0, data_valid = 1'b0, decrypt = 1'b0, take = 1'b0;
  wire key_ready, data_ready, given_valid;
  wire [31:0] given;

`ifdef NETLIST
  aes32x2 dut (
`else
  aes32x2 #(
      .KEY_EXPANSION(KEY_EXPANSION),
      .STATE_IN_LUTS(STATE_IN_LUTS)
  ) dut (
`endif
      .clk_i       (clk),
      .rst_ni      (rst_n),
      .erase_i     (erase),
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

  integer file, found, first, cycle = 0, quiet = 0, waiting = 0, holding = 4;
  integer words_in = 0, words_out = 0, key_words = 0, wanted_words = 0, erasing = 0, n;
  reg [31:0] wanted[0:Queue-1];
  integer put = 0, got = 0;
  reg [8*256-1:0] name;
  reg [7:0] command = " ";
  reg [31:0] word;
  reg [1:0] gaps = 2'd0;
  reg [31:0] random = 32'h2545f491;
  reg ended = 1'b0, over = 1'b0, taken, by_erase = 1'b0;

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
          "x": begin
            wanted[put%Queue] = word;
            put = put + 1;
          end
          "s": gaps <= first[1:0];
          "w": waiting = first;
          "r", "z": begin
            holding  = first + 2;
            by_erase = command == "z";
          end
          default: fail(" a command that is none");
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
        if (words_in % 4 == 0) $display("in %0d", cycle);
        words_in  = words_in + 1;
        key_words = 0;
      end
      if (given_valid && take) begin
        $display("word %0d %h", cycle, given);
        if (got >= put) fail(" a word that is not wanted");
        else if (given !== wanted[got%Queue]) fail(" a wrong word");
        got = got + 1;
        words_out = words_out + 1;
      end
      if ((key_valid && key_ready === 1'bx) || (data_valid && data_ready === 1'bx)
          || given_valid === 1'bx) fail(" an unknown signal");
    end
  endtask

`ifndef NETLIST
  // The core's memories: a word of its keys, and one byte of four of its states.
  wire [6:0] at = n[6:0];
  wire [31:0] key_left, state_left;

  generate
    if (KEY_EXPANSION != 0) begin : gen_short
      assign key_left = dut.u_keys.gen_expand.u_words.gen_block.words[at[5:0]];
    end else begin : gen_long
      assign key_left = dut.u_keys.gen_load.u_words.gen_block.words[at];
    end
    if (STATE_IN_LUTS != 0) begin : gen_small
      assign state_left = {
        dut.u_state.gen_row[0].u_row.gen_small.words[at[StateBits-1:0]],
        dut.u_state.gen_row[1].u_row.gen_small.words[at[StateBits-1:0]],
        dut.u_state.gen_row[2].u_row.gen_small.words[at[StateBits-1:0]],
        dut.u_state.gen_row[3].u_row.gen_small.words[at[StateBits-1:0]]
      };
    end else begin : gen_block
      assign state_left = {
        dut.u_state.gen_row[0].u_row.gen_block.words[at[StateBits-1:0]],
        dut.u_state.gen_row[1].u_row.gen_block.words[at[StateBits-1:0]],
        dut.u_state.gen_row[2].u_row.gen_block.words[at[StateBits-1:0]],
        dut.u_state.gen_row[3].u_row.gen_block.words[at[StateBits-1:0]]
      };
    end
  endgenerate
`endif

  task look_for_remains;
    begin
`ifndef NETLIST
      if (given !== 32'd0) fail(" a word of output that is left");
      for (n = 0; n < KeyWords; n = n + 1)
      #0 if (key_left !== 32'd0) fail(" a key word that is left");
      for (n = 0; n < 1 << StateBits; n = n + 1)
      #0 if (state_left !== 32'd0) fail(" a state that is left");
`endif
    end
  endtask

  always @(posedge clk) begin
    cycle = cycle + 1;
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
    taken = (key_valid && key_ready) || (data_valid && data_ready);
    quiet = taken || (given_valid && take) || holding > 0 || waiting > 0 || command == "x" ? 0
        : quiet + 1;
    if (rst_n && !erase) report;
    take <= !(gaps[1] && random[3:2] != 2'd0);

    if (erasing > 0 && rst_n && !erase) begin
      if (erasing > WriteCycles && (taken || given_valid))
        fail(" a word that moves while keys are erased");
      erasing = erasing - 1;
      if (erasing == 0) look_for_remains;
    end
    if (holding > 0) begin
      holding = holding - 1;
      if (holding == 1) $display("reset %0d", cycle);
      if (holding <= 1) begin
        rst_n <= by_erase || holding == 0;
        erase <= by_erase && holding == 1;
        key_valid <= 1'b0;
        data_valid <= 1'b0;
        words_in = 0;
        words_out = 0;
        key_words = 0;
        got = put;
        erasing = EraseCycles + WriteCycles;
      end
    end else if (waiting > 0) waiting = waiting - 1;
    else if (!(key_valid || data_valid) || taken) begin
      key_valid  <= 1'b0;
      data_valid <= 1'b0;
      if (!ended && !(gaps[0] && random[1:0] != 2'd0)) next_command;
    end

    if (ended && !(key_valid || data_valid) && words_out == words_in && erasing == 0) begin
      if (put == 0) fail(" nothing to compare");
      else if (got != put) fail(" words that did not come");
      else if (!over) $display("PASS %0d words", put);
      over = 1'b1;
      $finish;
    end
    if (quiet > Patience) fail(" stuck");
  end

endmodule
