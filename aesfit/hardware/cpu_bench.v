// SPDX-License-Identifier: MIT
// Makes one call on a PicoRV32 netlist, its memory answering without wait states.
//
// The map is that of aesfit/rigs/rtl/soc/soc.v: a caller's ROM at 0 (caller.v), 512 KiB of memory at
// 4000_0000h, a mailbox at 8000_0000h.  +memory=FILE is read before and +after=FILE written
// afterwards; +letters=FILE tells the caller what to do.  The window is from the fetch at
// +entry=ADDRESS (hexadecimal) to the one at the caller's next instruction.
// Prints "cycles N" of the window and "result WORD".  With +vcd=FILE the processor's nets are
// dumped in the window.
// With WITH_PCPI defined the processor is its Verilog, with rtl/pcpi_aes.v as its co-processor, which
// has the instructions that DOUBLE and SUB say; with WITH_ZKN too it is rtl/pcpi_zkn.v.
`timescale 1 ns / 1 ps

module cpu_bench #(
    parameter DOUBLE = 1,
    parameter SUB = 1
);
  localparam [31:0] Back = 32'h48;  // in the caller
  localparam Limit = 10000000;

  reg clk = 1'b0;
  always #5 clk = !clk;

  reg rst_n = 1'b0;
  wire valid, instr, trap;
  wire [31:0] address, written, instruction, read;
  wire [3:0] strobe;

  reg [31:0] memory [0:131071];
  reg [31:0] letters [0:63];
  reg [5:0] head = 6'd0;
  reg [31:0] entry;
  reg [8*512-1:0] name, picture, after;
  integer cycle = 0, entered = 0;
  reg inside = 1'b0, dumping;

  caller u_rom (.address(address[6:2]), .instruction(instruction));
  assign read = address[31] ? letters[head] : address[30] ? memory[address[18:2]] : instruction;

`ifdef WITH_PCPI
  wire pcpi_valid, pcpi_wr, pcpi_wait, pcpi_ready;
  wire [31:0] pcpi_insn, rs1, rs2, pcpi_rd;

  picorv32 #(.ENABLE_PCPI(1), .BARREL_SHIFTER(1), .REGS_INIT_ZERO(1)) dut (
      .clk(clk), .resetn(rst_n), .trap(trap),
      .mem_valid(valid), .mem_instr(instr), .mem_ready(valid), .mem_addr(address),
      .mem_wdata(written), .mem_wstrb(strobe), .mem_rdata(read),
      .pcpi_valid(pcpi_valid), .pcpi_insn(pcpi_insn), .pcpi_rs1(rs1), .pcpi_rs2(rs2),
      .pcpi_wr(pcpi_wr), .pcpi_rd(pcpi_rd), .pcpi_wait(pcpi_wait), .pcpi_ready(pcpi_ready),
      .irq(32'b0)
  );
`ifdef WITH_ZKN
  pcpi_zkn u_pcpi (
`else
  pcpi_aes #(.DOUBLE(DOUBLE), .SUB(SUB)) u_pcpi (
`endif
      .clk_i(clk), .rst_ni(rst_n),
      .valid_i(pcpi_valid), .insn_i(pcpi_insn), .rs1_i(rs1), .rs2_i(rs2),
      .wr_o(pcpi_wr), .rd_o(pcpi_rd), .wait_o(pcpi_wait), .ready_o(pcpi_ready)
  );
`else
  picorv32 dut (
      .clk(clk), .resetn(rst_n), .trap(trap),
      .mem_valid(valid), .mem_instr(instr), .mem_ready(valid), .mem_addr(address),
      .mem_wdata(written), .mem_wstrb(strobe), .mem_rdata(read),
      .pcpi_wr(1'b0), .pcpi_rd(32'b0), .pcpi_wait(1'b0), .pcpi_ready(1'b0), .irq(32'b0)
  );
`endif

  task watch;
    begin
      if (instr && address == entry && !inside) begin
        inside  = 1'b1;
        entered = cycle;
        if (dumping) begin
          $dumpfile(picture);
          $dumpvars(1, dut);
        end
      end
      if (instr && address == Back && inside) begin
        inside = 1'b0;
        $display("cycles %0d", cycle - entered);
        if (dumping) $dumpoff;
      end
    end
  endtask

  reg took, stored;
  integer lane;
  always @(negedge clk) begin
    #4 took = rst_n && valid === 1'b1 && address[31] && strobe == 4'd0;
    stored = rst_n && valid === 1'b1 && strobe != 4'd0;
    if (rst_n && valid === 1'b1) watch;
    if (stored && address[31]) begin
      $display("result %h", written);
      $writememh(after, memory);
      $finish;
    end
    if (stored && address[30])
      for (lane = 0; lane < 4; lane = lane + 1)
        if (strobe[lane]) memory[address[18:2]][8*lane+:8] = written[8*lane+:8];
    cycle = cycle + 1;
    if (cycle > Limit || trap === 1'b1) begin
      $display("stuck");
      $finish;
    end
    #2 if (took) head = head + 6'd1;
  end

  initial begin
    if (!$value$plusargs("memory=%s", name)) $display("stuck");
    $readmemh(name, memory);
    if (!$value$plusargs("letters=%s", name)) $display("stuck");
    $readmemh(name, letters);
    if (!$value$plusargs("after=%s", after)) $display("stuck");
    if (!$value$plusargs("entry=%h", entry)) $display("stuck");
    dumping = $value$plusargs("vcd=%s", picture);
    repeat (8) @(negedge clk);
    rst_n = 1'b1;
  end

endmodule
