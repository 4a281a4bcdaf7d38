// SPDX-License-Identifier: MIT
// A small system to be simulated: PicoRV32, a memory, aes32_axil, and a port for text.
//
//   0000_0000  memory, 128 KiB, which answers in the cycle that asks; +firmware=FILE fills it
//   1000_0000  aes32_axil, behind PicoRV32's own bridge to AXI4-Lite
//   2000_0000  write: a character;  2000_0004  write: the end, 0 is good
// An access elsewhere, and a trap of the processor, end the simulation as a failure.
`timescale 1 ns / 1 ps
`default_nettype none

module system;
  localparam Words = 32768, ResetCycles = 4, LastCycle = 100_000_000;

  reg clk = 1'b0;
  reg ended = 1'b0;
  initial while (!ended) #5 clk = !clk;  // $finish would print a line

  integer cycle = 0;
  wire resetn = cycle >= ResetCycles;

  wire valid, instruction, trap;
  wire [31:0] address, wdata;
  wire [3:0] strobe;
  wire in_memory = address < 4 * Words;
  wire in_core = address[31:8] == 24'h10_0000;
  wire in_port = address[31:3] == 29'h400_0000;

  reg [31:0] memory[0:Words-1];
  wire [31:0] stored = memory[address[16:2]];
  wire core_ready;
  wire [31:0] core_rdata;

  picorv32 #(
      .BARREL_SHIFTER(1)
  ) cpu (
      .clk         (clk),
      .resetn      (resetn),
      .trap        (trap),
      .mem_valid   (valid),
      .mem_instr   (instruction),
      .mem_ready   (in_core ? core_ready : valid),
      .mem_addr    (address),
      .mem_wdata   (wdata),
      .mem_wstrb   (strobe),
      .mem_rdata   (in_core ? core_rdata : stored),
      .mem_la_read (),
      .mem_la_write(),
      .mem_la_addr (),
      .mem_la_wdata(),
      .mem_la_wstrb(),
      .pcpi_valid  (),
      .pcpi_insn   (),
      .pcpi_rs1    (),
      .pcpi_rs2    (),
      .pcpi_wr     (1'b0),
      .pcpi_rd     (32'd0),
      .pcpi_wait   (1'b0),
      .pcpi_ready  (1'b0),
      .irq         (32'd0),
      .eoi         (),
      .trace_valid (),
      .trace_data  ()
  );

  // --- the core behind the bridge

  wire awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  wire [31:0] awaddr, axi_wdata, araddr, rdata;
  wire [3:0] wstrb;
  wire [2:0] awprot, arprot;

  picorv32_axi_adapter bridge (
      .clk            (clk),
      .resetn         (resetn),
      .mem_axi_awvalid(awvalid),
      .mem_axi_awready(awready),
      .mem_axi_awaddr (awaddr),
      .mem_axi_awprot (awprot),
      .mem_axi_wvalid (wvalid),
      .mem_axi_wready (wready),
      .mem_axi_wdata  (axi_wdata),
      .mem_axi_wstrb  (wstrb),
      .mem_axi_bvalid (bvalid),
      .mem_axi_bready (bready),
      .mem_axi_arvalid(arvalid),
      .mem_axi_arready(arready),
      .mem_axi_araddr (araddr),
      .mem_axi_arprot (arprot),
      .mem_axi_rvalid (rvalid),
      .mem_axi_rready (rready),
      .mem_axi_rdata  (rdata),
      .mem_valid      (valid && in_core),
      .mem_instr      (instruction),
      .mem_ready      (core_ready),
      .mem_addr       (address),
      .mem_wdata      (wdata),
      .mem_wstrb      (strobe),
      .mem_rdata      (core_rdata)
  );

  aes32_axil core (
      .aclk         (clk),
      .aresetn      (resetn),
      .s_axi_awaddr (awaddr[7:0]),
      .s_axi_awprot (awprot),
      .s_axi_awvalid(awvalid),
      .s_axi_awready(awready),
      .s_axi_wdata  (axi_wdata),
      .s_axi_wstrb  (wstrb),
      .s_axi_wvalid (wvalid),
      .s_axi_wready (wready),
      .s_axi_bresp  (),
      .s_axi_bvalid (bvalid),
      .s_axi_bready (bready),
      .s_axi_araddr (araddr[7:0]),
      .s_axi_arprot (arprot),
      .s_axi_arvalid(arvalid),
      .s_axi_arready(arready),
      .s_axi_rdata  (rdata),
      .s_axi_rresp  (),
      .s_axi_rvalid (rvalid),
      .s_axi_rready (rready),
      .irq          ()
  );

  // --- memory, text, end

  task fail;
    input [8*32-1:0] why;
    begin
      $display("FAIL in cycle %0d: %0s at %h", cycle, why, address);
      $fatal;
    end
  endtask

  reg [8*256-1:0] name;
  initial begin
    if (!$value$plusargs("firmware=%s", name)) fail("no +firmware");
    $readmemh(name, memory);
  end

  integer lane;
  always @(posedge clk) begin
    cycle = cycle + 1;
    if (resetn && valid && in_memory) begin
      for (lane = 0; lane < 4; lane = lane + 1)
        if (strobe[lane]) memory[address[16:2]][8*lane+:8] <= wdata[8*lane+:8];
    end
    if (resetn && valid && in_port && strobe != 4'd0) begin
      if (!address[2]) $write("%c", wdata[7:0]);
      else if (wdata == 32'd0) ended = 1'b1;
      else fail("the firmware says so");
    end
    if (resetn && valid && !(in_memory || in_core || in_port)) fail("nothing is there");
    if (resetn && trap) fail("a trap");
    if (cycle > LastCycle) fail("no end");
  end

endmodule
