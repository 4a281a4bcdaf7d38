// SPDX-License-Identifier: MIT
// Drives aes_gcm, or with AXIS 1 aes_gcm_axis, from a file of commands, and compares what it answers with what the file wants.
//
// +commands=FILE, one a line; words are offered in the order of the file, one at a time:
//   k BITS WORD   a key word; BITS is 0, 1, 2 for 128, 192, 256 bits
//   d MARKS WORD  a data word: its bytes in bits 2 to 0, 8 more if it is the last of its part, 16
//                 more if decrypt_i is high with it, which counts with a packet's first word alone
//   x MARKS WORD  the next word of output that is wanted, its bytes and 8 more if it is a last one
//   o OK 0        what ok_o is to be at the end of the next packet, likewise
//   s MASK 0      from here on, random gaps: 1 before words offered, 2 in taking words, 3 both; with
//                 4 more, no word is taken in the first cycle in which it is valid
//   w CYCLES 0    wait so long
//   r CYCLES 0    wait so long, then reset for a cycle; z CYCLES 0 likewise, by erase_i
//   y CYCLES WORD as z, with WORD offered beside erase_i and in the cycle after it: as a key word if
//                 its lowest bit is 1, as a data word if the next is
// What is wanted stands anywhere before its packet.
// Reset and erasing drop the packet in work, the key, and what is wanted; in the cycles after them no
// word may move, and no data before a key.  A word of output must stay until it is taken.
// A word of a key is at random offered as a data word too, and must not be taken as one.
// Prints "word CYCLE WORD" for a word of output, "done CYCLE OK" for the end of a packet; at last
// "PASS", with how many words were compared, or "FAIL", with why.
`timescale 1 ns / 1 ps

module aes_gcm_tb;
  parameter AXIS = 0;
  localparam Patience = 2000, Queue = 65536, EraseCycles = 65;

  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0, erase = 1'b0;
  reg [31:0] offered = 32'd0;
  reg [4:0] marks = 5'd0;
  reg key_valid = 1'b0, data_valid = 1'b0, take = 1'b0;
  wire key_ready, data_ready, given_valid, given_last, done, ok;
  wire [2:0] given_bytes;
  wire [31:0] given_word;
  wire [35:0] given = {given_last, given_bytes, given_word};

  // Of a last word tkeep has its bytes, of others anything.
  wire [3:0] keep = marks[3] ? ~(4'hf << marks[2:0]) : random[23:20];
  wire [3:0] given_keep;
  wire [31:0] swapped;

  generate
    if (AXIS != 0) begin : gen_axis
      aes_gcm_axis u_dut (
          .aclk             (clk),
          .aresetn          (rst_n),
          .erase            (erase),
          .s_axis_key_tdata ({offered[7:0], offered[15:8], offered[23:16], offered[31:24]}),
          .s_axis_key_tuser (marks[1:0]),
          .s_axis_key_tvalid(key_valid),
          .s_axis_key_tready(key_ready),
          .s_axis_tdata     ({offered[7:0], offered[15:8], offered[23:16], offered[31:24]}),
          .s_axis_tkeep     (keep),
          .s_axis_tlast     (marks[3]),
          .s_axis_tuser     (marks[4]),
          .s_axis_tvalid    (data_valid),
          .s_axis_tready    (data_ready),
          .m_axis_tdata     (swapped),
          .m_axis_tkeep     (given_keep),
          .m_axis_tlast     (given_last),
          .m_axis_tvalid    (given_valid),
          .m_axis_tready    (take),
          .done             (done),
          .ok               (ok)
      );

      assign given_word = {swapped[7:0], swapped[15:8], swapped[23:16], swapped[31:24]};
      assign given_bytes = given_keep == 4'h0 ? 3'd0 : given_keep == 4'h1 ? 3'd1 :
          given_keep == 4'h3 ? 3'd2 : given_keep == 4'h7 ? 3'd3 : given_keep == 4'hf ? 3'd4 : 3'd7;
    end else begin : gen_words
      aes_gcm u_dut (
          .clk_i             (clk),
          .rst_ni            (rst_n),
          .erase_i           (erase),
          .key_i             (offered),
          .key_valid_i       (key_valid),
          .key_ready_o       (key_ready),
          .key_bits_i        (marks[1:0]),
          .data_i            (offered),
          .data_bytes_i      (marks[2:0]),
          .data_last_i       (marks[3]),
          .data_valid_i      (data_valid),
          .data_ready_o      (data_ready),
          .decrypt_i         (marks[4]),
          .unverified_o      (given_word),
          .unverified_bytes_o(given_bytes),
          .unverified_last_o (given_last),
          .unverified_valid_o(given_valid),
          .unverified_ready_i(take),
          .done_o            (done),
          .ok_o              (ok)
      );
    end
  endgenerate

  integer file, found, first, cycle = 0, quiet = 0, waiting = 0, holding = 4, erasing = 0;
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
  reg by_erase = 1'b0, keyless = 1'b1;

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
            offered <= word;
            marks <= first[4:0];
            key_valid <= command == "k";
            data_valid <= command == "d" || random[7];
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
      if (given_valid === 1'bx || (key_valid && key_ready === 1'bx) || done === 1'bx
          || (data_valid && data_ready === 1'bx))
        fail(" an unknown signal");
      if (erasing > 0 && (taken || given_valid)) fail(" a word that moves while keys are erased");
      if (erasing > 0) erasing = erasing - 1;
      if (key_valid && key_ready) keyless = 1'b0;
      if (keyless && data_ready) fail(" data that is taken without a key");
      if (key_valid && data_valid && data_ready) fail(" a packet that begins beside a key");
      if (holds && (!given_valid || given !== held)) fail(" a word that did not wait");
      holds = given_valid && !take;
      held  = given;
      if (given_valid && take) begin
        $display("word %0d %h", cycle, given);
        if (got >= put) fail(" a word that is not wanted");
        else if (given !== wanted[got%Queue]) fail(" a wrong word");
        got = got + 1;
      end
      if (done && !was_done) begin
        $display("done %0d %b", cycle, ok);
        if (packets_done >= packets) fail(" an end that is not wanted");
        else if (ok !== verdicts[packets_done%Queue]) fail(" a wrong verdict");
        packets_done = packets_done + 1;
      end
      was_done = done;
    end
  endtask

  task rest;
    begin
      key_valid <= 1'b0;
      data_valid <= 1'b0;
    end
  endtask

  // Reset or erasing, with what is offered beside it, drops what is in work.
  task restart;
    begin
      rst_n <= by_erase || holding == 0;
      erase <= by_erase && holding == 1;
      {data_valid, key_valid} <= beside;
      if (beside != 2'd0) offered <= word;
      erasing = EraseCycles;
      keyless = 1'b1;
      got = put;
      packets_done = packets;
      was_done = 1'b0;
      holds = 1'b0;
    end
  endtask

  always @(posedge clk) begin
    cycle = cycle + 1;
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
    valid = key_valid || data_valid;
    taken = (key_valid && key_ready) || (data_valid && data_ready);
    quiet = taken || (given_valid && take) || holding > 0 || waiting > 0 || !valid && !ended ? 0
        : quiet + 1;
    if (rst_n && !erase) report;
    take <= !(gaps[1] && random[3:2] != 2'd0) && !(gaps[2] && (!given_valid || take));

    if (taken || (holding == 0 && beside != 2'd0)) rest;
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
