// SPDX-License-Identifier: MIT
// Asks the co-processor for each instruction, byte and value, as PicoRV32 asks: valid stays high until
// ready.  Then for every other funct7 and funct3 and another opcode, which it must leave alone for 8
// cycles.  At last "PASS", with how many answers were compared, or "FAIL", with the first that is
// wrong.
`timescale 1 ns / 1 ps

module pcpi_zkn_tb;
  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0, valid = 1'b0;
  reg [31:0] insn, rs1, rs2;
  wire wr, waits, ready;
  wire [31:0] rd;

  pcpi_zkn dut (
      .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .insn_i(insn), .rs1_i(rs1), .rs2_i(rs2),
      .wr_o(wr), .rd_o(rd), .wait_o(waits), .ready_o(ready)
  );
  fips_197 u_fips ();

  reg [7:0] table_of[0:255], inverse_of[0:255];

  // What a byte of rs2 adds to rs1: its row of the matrix of (Inv)MixColumns, from its own place on.
  reg [7:0] from, to;
  reg [31:0] share;
  function [31:0] wanted;
    input [6:0] funct7;
    begin
      from = rs2 >> (8 * funct7[6:5]);
      to = funct7[2] ? inverse_of[from] : table_of[from];
      if (!funct7[1]) share = to;
      else if (!funct7[2]) share = {u_fips.product(to, 8'd3), to, to, u_fips.product(to, 8'd2)};
      else
        share = {
          u_fips.product(to, 8'd11), u_fips.product(to, 8'd13), u_fips.product(to, 8'd9),
          u_fips.product(to, 8'd14)
        };
      wanted = rs1 ^ (share << (8 * funct7[6:5])) ^ (share >> (32 - 8 * funct7[6:5]));
    end
  endfunction

  integer cycles, compared = 0;
  reg over = 1'b0;
  task fail;
    input [8*32-1:0] why;
    begin
      if (!over)
        $display("FAIL at %b %h %h: %h after %0d,%0s", insn, rs1, rs2, rd, cycles, why);
      over = 1'b1;
      $finish;
    end
  endtask

  task ask;
    input [6:0] funct7;
    input [2:0] funct3;
    input [6:0] opcode;
    input ours;
    begin
      insn = {funct7, 10'b11111_01010, funct3, 5'b10101, opcode};
      valid = 1'b1;
      cycles = 1;
      #1;
      while (!ready && cycles < 8) begin
        if (wr) fail(" a result before it is ready");
        if (waits !== ours) fail(" a wait that is wrong");
        @(negedge clk);
        cycles = cycles + 1;
        #1;
      end
      if ({ready, wr, waits} !== {3{ours}}) fail(" half an answer, or the wrong one");
      else if (ours && rd !== wanted(funct7)) fail(" a wrong result");
      else if (ours && cycles != 2) fail(" a wrong number of cycles");
      compared = compared + 1;
      @(negedge clk);
      valid = 1'b0;
      if (rs2[0]) @(negedge clk);
    end
  endtask

  integer n, place, kind, seed;
  initial begin
    seed = 1;
    for (n = 0; n < 256; n = n + 1) begin
      table_of[n] = u_fips.sbox(n);
      inverse_of[table_of[n]] = n;
    end
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
    for (n = 0; n < 256; n = n + 1)
      for (place = 0; place < 4; place = place + 1)
        for (kind = 0; kind < 4; kind = kind + 1) begin
          rs1 = $random(seed);
          rs2 = $random(seed);
          rs2[8*place+:8] = n;
          ask({place[1:0], 2'b10, kind[1:0], 1'b1}, 3'd0, 7'b0110011, 1'b1);
        end
    for (n = 0; n < 128; n = n + 1)
      if ({n[4:3], n[0]} != 3'b101) ask(n, 3'd0, 7'b0110011, 1'b0);
    for (n = 1; n < 8; n = n + 1) ask(7'b0010001, n, 7'b0110011, 1'b0);
    for (n = 0; n < 128; n = n + 1) if (n != 7'b0110011) ask(7'b0010001, 3'd0, n, 1'b0);
    if (!over) $display("PASS %0d answers", compared);
    $finish;
  end

endmodule
