// SPDX-License-Identifier: MIT
// PicoRV32 on one port, as aesfit/rigs/emulator/timing/picorv32.py has it: with a barrel shifter.
//
// An instruction is done when the next one begins.
`default_nettype none

module processor (
    input wire clk,
    input wire reset,
    output wire ask,
    output wire write,
    output wire more,
    output wire [31:0] address,
    output wire [31:0] wdata,
    output wire [3:0] strobe,
    input wire ack,
    input wire [31:0] rdata,
    output wire code_ask,  // nothing: code comes by the port of data
    output wire [31:0] code_address,
    input wire code_ack,
    input wire [31:0] code_rdata,
    output wire retired,
    output wire [31:0] retired_pc,
    output wire sp_written,
    output wire [31:0] sp,
    output wire trap
);
    assign code_ask = 1'b0;
    assign code_address = 32'b0;

    picorv32 #(.BARREL_SHIFTER(1), .REGS_INIT_ZERO(1)) core (
        .clk(clk), .resetn(!reset), .trap(trap),
        .mem_valid(ask), .mem_instr(), .mem_ready(ack), .mem_addr(address), .mem_wdata(wdata),
        .mem_wstrb(strobe), .mem_rdata(rdata),
        .mem_la_read(), .mem_la_write(), .mem_la_addr(), .mem_la_wdata(), .mem_la_wstrb(),
        .pcpi_valid(), .pcpi_insn(), .pcpi_rs1(), .pcpi_rs2(),
        .pcpi_wr(1'b0), .pcpi_rd(32'b0), .pcpi_wait(1'b0), .pcpi_ready(1'b0),
        .irq(32'b0), .eoi(), .trace_valid(), .trace_data()
    );
    assign write = |strobe;
    assign more = 1'b0;

    reg begun;
    reg [31:0] pc;
    always @(posedge clk)
        if (reset) begun <= 1'b0;
        else if (core.dbg_next) begin
            begun <= 1'b1;
            pc <= core.dbg_insn_addr;
        end
    assign retired = core.dbg_next && begun;
    assign retired_pc = pc;
    assign sp_written = core.cpuregs_write && core.latched_rd == 2;
    assign sp = core.cpuregs_wrdata;
endmodule
`default_nettype wire
