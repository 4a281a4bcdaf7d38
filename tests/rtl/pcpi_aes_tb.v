// SPDX-License-Identifier: MIT
// Asks the co-processor for each of its instructions on random words, as PicoRV32 asks: valid stays
// high until ready.  Prints "pcpi FUNCT3 FUNCT7 RS1 RS2 RD CYCLES", and "left FUNCT3 OPCODE" of an
// instruction that it leaves alone for 20 cycles; at last "PASS", with how many answers were
// compared, or "FAIL", with the first that is wrong.
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

  fips_197 u_fips ();

  // Whether rd is right: S-boxes of rs2 over rs1, rotated, or in the inverse the other way round.
  reg [31:0] joined, rotated;
  function right;
    input [1:0] by;
    input [2:0] funct3;
    integer n;
    begin
      joined  = {rs2[31:16], rs1[15:0]};
      rotated = {joined, joined} >> (8 * by);
      right   = 1'b1;
      for (n = 0; n < 32; n = n + 8)
        case (funct3)
          3'd0: if (rd[n+:8] !== (u_fips.product(rs1[n+:8], 8'd2) ^ rs2[n+:8])) right = 1'b0;
          3'd1: if (rd[n+:8] !== u_fips.sbox(rotated[n+:8])) right = 1'b0;
          default: if (u_fips.sbox(rd[n+:8]) !== rotated[n+:8]) right = 1'b0;
        endcase
    end
  endfunction

  integer cycles, compared = 0;
  reg over = 1'b0, answers;
  task fail;
    input [8*32-1:0] why;
    begin
      if (!over)
        $display("FAIL at %b %h %h: %h after %0d,%0s", insn, rs1, rs2, rd, cycles, why);
      over = 1'b1;
      $finish;
    end
  endtask

  task judge;
    input [6:0] funct7;
    input [2:0] funct3;
    input [6:0] opcode;
    begin
      answers = opcode == 7'b0101011
          && (funct3 == 3'd0 ? DOUBLE != 0 : funct3 <= 3'd2 && SUB != 0);
      if ({ready, wr, waits} !== {3{answers}}) fail(" half an answer, or the wrong one");
      else if (answers && !right(funct7[1:0], funct3)) fail(" a wrong result");
      else if (answers && cycles != (funct3 == 3'd0 ? 1 : 2)) fail(" a wrong number of cycles");
      compared = compared + 1;
    end
  endtask

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
        if (wr) fail(" a result before it is ready");
        @(negedge clk);
        cycles = cycles + 1;
        #1;
      end
      if (ready && wr && waits)
        $display("pcpi %0d %0d %h %h %h %0d", funct3, funct7, rs1, rs2, rd, cycles);
      else $display("left %0d %b", funct3, opcode);
      judge(funct7, funct3, opcode);
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
    if (!over) $display("PASS %0d answers", compared);
    $finish;
  end

endmodule
