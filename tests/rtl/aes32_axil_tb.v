// SPDX-License-Identifier: MIT
// Drives aes32_axil from a file of commands over AXI4-Lite, and compares what it answers.
//
// +commands=FILE, one a line, all numbers hexadecimal:
//   w ADDRESS WORD ANSWER   write, which must be answered so (0 OKAY, 2 SLVERR, 3 DECERR)
//   r ADDRESS WORD ANSWER   read, which must give this word and this answer
//   o ADDRESS BITS 0        read until any of these bits is 1;  n likewise, until all are 0
//   b STROBES 0 0           byte strobes of the next write, else f
//   s CHANNELS 0 0          from here on, random waits: bit 0 address, 1 data, 2 answer of writes,
//                           3 address, 4 answer of reads; bit 5: a write goes with a read of ID
//   h CYCLES 0 0            the next answer is not taken for so long
//   i CYCLES 0 0            idle so long
//   x 0 0 0                 reset for two cycles
//   l LEVEL 0 0             the interrupt must be so
//   e 0 0 0                 all keys, states and waiting words of the core must be zero
// Answers must stay as they are until they are taken, and none may come without a transfer.
// Prints at last "PASS", with how many answers were compared, or "FAIL", with why; with +waves also
// "wave" and the levels of a cycle: reset, address and data of writes (valid, ready, register),
// their answer (valid, ready, answer), address of reads, their answer, and whether keys are erased.
`timescale 1 ns / 1 ps

module aes32_axil_tb;
  parameter STATE_IN_LUTS = 0;
  localparam Patience = 4000, KeyWords = 64, StateWords = 16, QueueWords = 8;
  localparam [31:0] Identity = 32'h41455333;

  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0;
  reg [7:0] awaddr = 8'd0, araddr = 8'd0;
  reg [31:0] wdata = 32'd0;
  reg [3:0] wstrb = 4'd0;
  reg awvalid = 1'b0, wvalid = 1'b0, bready = 1'b0, arvalid = 1'b0, rready = 1'b0;
  wire awready, wready, bvalid, arready, rvalid, interrupt;
  wire [1:0] bresp, rresp;
  wire [31:0] rdata;

  aes32_axil #(
      .STATE_IN_LUTS(STATE_IN_LUTS)
  ) dut (
      .aclk         (clk),
      .aresetn      (rst_n),
      .s_axi_awaddr (awaddr),
      .s_axi_awprot (3'd0),
      .s_axi_awvalid(awvalid),
      .s_axi_awready(awready),
      .s_axi_wdata  (wdata),
      .s_axi_wstrb  (wstrb),
      .s_axi_wvalid (wvalid),
      .s_axi_wready (wready),
      .s_axi_bresp  (bresp),
      .s_axi_bvalid (bvalid),
      .s_axi_bready (bready),
      .s_axi_araddr (araddr),
      .s_axi_arprot (3'd0),
      .s_axi_arvalid(arvalid),
      .s_axi_arready(arready),
      .s_axi_rdata  (rdata),
      .s_axi_rresp  (rresp),
      .s_axi_rvalid (rvalid),
      .s_axi_rready (rready),
      .irq          (interrupt)
  );

  integer file, found, n, cycle = 0, quiet = 0, waiting = 4, holding = 0, compared = 0;
  reg [8*256-1:0] name;
  reg [7:0] command = " ";
  reg [31:0] address, word, answer;
  reg [3:0] strobes = 4'hf;
  reg [5:0] waits = 6'd0;
  reg [31:0] random = 32'h2545f491;
  reg ended = 1'b0, over = 1'b0, beside;
  reg address_due = 1'b0, data_due = 1'b0, read_due = 1'b0;  // still to be offered
  reg writing = 1'b0, reading = 1'b0;  // until the answer is taken
  reg held_b = 1'b0, held_r = 1'b0;  // an answer was offered and not taken
  reg [1:0] kept_bresp, kept_rresp;
  reg [31:0] kept_rdata;

  task fail;
    input [8*48-1:0] why;
    begin
      if (!over) $display("FAIL in cycle %0d:%0s (%s %h %h)", cycle, why, command, address, word);
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

  // --- what the core keeps: one word of each of its memories

  wire [5:0] at = n[5:0];
  wire [31:0] key_left, state_left, data_left, result_left;
  assign key_left = dut.u_core.u_keys.gen_expand.u_words.gen_block.words[at];
  generate
    if (STATE_IN_LUTS != 0) begin : gen_small
      assign state_left = {
        dut.u_core.u_state.gen_row[0].u_row.gen_small.words[at[3:0]],
        dut.u_core.u_state.gen_row[1].u_row.gen_small.words[at[3:0]],
        dut.u_core.u_state.gen_row[2].u_row.gen_small.words[at[3:0]],
        dut.u_core.u_state.gen_row[3].u_row.gen_small.words[at[3:0]]
      };
      assign data_left = dut.u_data.u_words.gen_small.words[at[2:0]][31:0];
      assign result_left = dut.u_results.u_words.gen_small.words[at[2:0]];
    end else begin : gen_block
      assign state_left = {
        dut.u_core.u_state.gen_row[0].u_row.gen_block.words[at[3:0]],
        dut.u_core.u_state.gen_row[1].u_row.gen_block.words[at[3:0]],
        dut.u_core.u_state.gen_row[2].u_row.gen_block.words[at[3:0]],
        dut.u_core.u_state.gen_row[3].u_row.gen_block.words[at[3:0]]
      };
      assign data_left = dut.u_data.u_words.gen_block.words[at[2:0]][31:0];
      assign result_left = dut.u_results.u_words.gen_block.words[at[2:0]];
    end
  endgenerate

  task look_for_remains;
    begin
      for (n = 0; n < KeyWords; n = n + 1)
      #0 if (key_left !== 32'd0) fail(" a key word that is left");
      for (n = 0; n < StateWords; n = n + 1)
      #0 if (state_left !== 32'd0) fail(" a state that is left");
      for (n = 0; n < QueueWords; n = n + 1)
      #0 if ((data_left | result_left) !== 32'd0) fail(" a waiting word that is left");
      if (dut.u_core.data_o !== 32'd0 || dut.waiting[31:0] !== 32'd0 || dut.result !== 32'd0
          || rdata !== 32'd0) fail(" an output that is left");
      compared = compared + 1;
    end
  endtask

  // --- commands

  task next_command;
    begin
      found = $fscanf(file, " %c %h %h %h", command, address, word, answer);
      quiet = 0;
      if (found != 4) ended = 1'b1;
      else
        case (command)
          "w": begin
            {address_due, data_due, writing} = 3'b111;
            beside = waits[5];
            if (beside) {read_due, reading} = 2'b11;
          end
          "r", "o", "n": {read_due, reading} = 2'b11;
          "b": strobes = address[3:0];
          "s": waits = address[5:0];
          "h": holding = address;
          "i": waiting = address;
          "x": begin
            rst_n <= 1'b0;
            waiting = 2;
          end
          "l": begin
            compared = compared + 1;
            if (interrupt !== address[0]) fail(" a wrong interrupt");
          end
          "e": look_for_remains;
          default: fail(" a command that is none");
        endcase
    end
  endtask

  task written;
    begin
      writing = 1'b0;
      strobes = 4'hf;
      compared = compared + 1;
      if (bresp !== answer[1:0]) fail(" a wrong answer of a write");
    end
  endtask

  task have_read;
    begin
      reading = 1'b0;
      case (command)
        "w": if (rdata !== Identity || rresp !== 2'd0) fail(" a wrong read beside a write");
        "r": begin
          compared = compared + 1;
          if (rresp !== answer[1:0]) fail(" a wrong answer of a read");
          if (rdata !== word) fail(" a wrong word");
        end
        default: begin
          if (rresp !== 2'd0 || ^rdata === 1'bx) fail(" a status that cannot be read");
          if (command == "o" ? (rdata & word) == 32'd0 : (rdata & word) != 32'd0)
            {read_due, reading} = 2'b11;
        end
      endcase
    end
  endtask

  // Gives what is due on each channel, now or later.
  task offer;
    begin
      if (awvalid && awready) awvalid <= 1'b0;
      if (wvalid && wready) wvalid <= 1'b0;
      if (arvalid && arready) arvalid <= 1'b0;
      if (address_due && !(waits[0] && random[1:0] != 2'd0)) begin
        awvalid <= 1'b1;
        awaddr <= address[7:0];
        address_due = 1'b0;
      end
      if (data_due && !(waits[1] && random[4:3] != 2'd0)) begin
        wvalid <= 1'b1;
        wdata <= word;
        wstrb <= strobes;
        data_due = 1'b0;
      end
      if (read_due && !(waits[3] && random[7:6] != 2'd0)) begin
        arvalid <= 1'b1;
        araddr <= command == "w" ? 8'd0 : address[7:0];
        read_due = 1'b0;
      end
      if (holding > 0 && (bvalid || rvalid)) holding = holding - 1;
      bready <= !(waits[2] && random[10:9] != 2'd0) && holding == 0;
      rready <= !(waits[4] && random[13:12] != 2'd0) && holding == 0;
    end
  endtask

  // Answers that are offered stay; after a reset there are none.
  task judge_answers;
    begin
      if (held_b && !(bvalid === 1'b1 && bresp === kept_bresp)) fail(" an answer that changes");
      if (held_r && !(rvalid === 1'b1 && rresp === kept_rresp && rdata === kept_rdata))
        fail(" a word that changes");
      if ((^{awready, wready, bvalid, arready, rvalid}) === 1'bx) fail(" an unknown signal");
      if ((bvalid && !writing) || (rvalid && !reading)) fail(" an answer to nothing");
      held_b = bvalid && !bready;
      held_r = rvalid && !rready;
      kept_bresp = bresp;
      kept_rresp = rresp;
      kept_rdata = rdata;
      if (bvalid && bready) written;
      if (rvalid && rready) have_read;
    end
  endtask

  reg waves;
  initial waves = $test$plusargs("waves");

  always @(posedge clk) begin
    if (waves)
      $display("wave %b %b%b%h %b%b %b%b%h %b%b%h %b%b%h %b", rst_n, awvalid, awready, awaddr, wvalid,
               wready, bvalid, bready, bresp, arvalid, arready, araddr, rvalid, rready, rresp,
               dut.erasing_q);
    cycle = cycle + 1;
    quiet = quiet + 1;
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
    if (rst_n) judge_answers;
    if (waiting > 0) begin
      waiting = waiting - 1;
      if (waiting == 0) rst_n <= 1'b1;
    end else if (!writing && !reading && rst_n && !ended) next_command;
    if (rst_n) offer;
    if (ended && !over) begin
      if (compared == 0) fail(" nothing to compare");
      else $display("PASS %0d answers", compared);
      over = 1'b1;
      $finish;
    end
    if (quiet > Patience) fail(" stuck");
  end

endmodule
