// SPDX-License-Identifier: MIT
// Asks the co-processor for each of its instructions on random words, as PicoRV32 asks: valid stays
// high until ready.  Prints "pcpi FUNCT3 FUNCT7 RS1 RS2 RD CYCLES", and "left FUNCT3 OPCODE" of an
// instruction that it leaves alone for 20 cycles; "error ..." where it answers half.
`timescale 1 ns / 1 ps

module pcpi_aes_tb #(
    parameter DOUBLE = 1,
    parameter SUB = 1
);
  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0, valid = 1'b0;
  reg [31:0] insn, rs1, rs2;
  wire wr, waits, ready;
  wire [31:0] rd;

  pcpi_aes #(.DOUBLE(DOUBLE), .SUB(SUB)) dut (
      .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .insn_i(insn), .rs1_i(rs1), .rs2_i(rs2),
      .wr_o(wr), .rd_o(rd), .wait_o(waits), .ready_o(ready)
  );

  integer cycles;
  task ask;
    input [6:0] funct7;
    input [2:0] funct3;
    input [6:0] opcode;
    begin
      insn = {funct7, 10'b11111_01010, funct3, 5'b10101, opcode};
      valid = 1'b1;
      cycles = 1;
      #1;
      while (!ready && cycles < 20) begin
        if (wr) $display("error: a result before it is ready");
        @(negedge clk);
        cycles = cycles + 1;
        #1;
      end
      if (ready && wr && waits)
        $display("pcpi %0d %0d %h %h %h %0d", funct3, funct7, rs1, rs2, rd, cycles);
      else if (!ready && !wr && !waits) $display("left %0d %b", funct3, opcode);
      else $display("error: ready %b, wr %b, wait %b", ready, wr, waits);
      @(negedge clk);
      valid = 1'b0;
      if (cycles % 2) @(negedge clk);
    end
  endtask

  integer n, kind, by, seed;
  initial begin
    seed = 1;
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
    for (n = 0; n < 64; n = n + 1) begin
      rs1 = {4{n[7:0]}} + 32'h004080c0;
      rs2 = n < 32 ? rs1 : $random(seed);
      if (n > 48) rs1 = $random(seed);
      for (kind = 0; kind < 3; kind = kind + 1)
        for (by = 0; by < (kind ? 4 : 1); by = by + 1) ask(by, kind, 7'b0101011);
    end
    for (kind = 3; kind < 8; kind = kind + 1) ask(0, kind, 7'b0101011);
    for (kind = 0; kind < 3; kind = kind + 1) ask(0, kind, 7'b0001011);
    $finish;
  end

endmodule
