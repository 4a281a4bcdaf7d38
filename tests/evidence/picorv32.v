// SPDX-License-Identifier: MIT
// Runs a program on the Verilog of PicoRV32 and tells when it enters and leaves functions.
//
// It is the independent witness for aesfit/rigs/timing/picorv32.py: the configuration that the
// model is for, and one memory that answers the look-ahead interface within a cycle.  The program
// begins at address 0 with a caller in the first 4 KiB; for every jump out of these and back into
// them, address, cycle and instructions so far are printed.  It ends with an ebreak, after which
// the RAM is written to a file.
`timescale 1 ns / 1 ps

module witness;
    localparam [31:0] CALLER = 32'h0000_1000;
    localparam [31:0] RAM = 32'h0001_0000, RAM_END = 32'h0002_0000;
    localparam [31:0] MEMORY = 32'h0012_0000;

    reg clk = 1, resetn = 0;
    always #5 clk = ~clk;
    initial begin
        repeat (4) @(posedge clk);
        resetn <= 1;
    end

    wire trap, la_read, la_write;
    wire [31:0] la_addr, la_wdata;
    wire [3:0] la_wstrb;
    reg [31:0] rdata;

    picorv32 #(.BARREL_SHIFTER(1), .REGS_INIT_ZERO(1)) core (
        .clk(clk), .resetn(resetn), .trap(trap),
        .mem_ready(1'b1), .mem_rdata(rdata),
        .mem_la_read(la_read), .mem_la_write(la_write), .mem_la_addr(la_addr),
        .mem_la_wdata(la_wdata), .mem_la_wstrb(la_wstrb),
        .pcpi_wr(1'b0), .pcpi_rd(32'b0), .pcpi_wait(1'b0), .pcpi_ready(1'b0), .irq(32'b0)
    );

    reg [31:0] memory [0:MEMORY / 4 - 1];
    reg [8 * 1024 - 1:0] program_file, ram_file;
    initial begin
        if (!$value$plusargs("program=%s", program_file)) $finish;
        if (!$value$plusargs("ram=%s", ram_file)) $finish;
        $readmemh(program_file, memory);
    end

    integer lane;
    always @(posedge clk) begin
        rdata <= la_read ? memory[la_addr >> 2] : 32'bx;
        for (lane = 0; lane < 4; lane = lane + 1)
            if (la_write && la_wstrb[lane])
                memory[la_addr >> 2][8 * lane +: 8] <= la_wdata[8 * lane +: 8];
    end

    integer instructions = 0;
    reg outside = 0;
    wire now_outside = core.dbg_insn_addr >= CALLER;
    always @(posedge clk) begin
        if (core.dbg_next) begin
            if (now_outside != outside)
                $display("%0d %0d", core.count_cycle, instructions);
            instructions <= instructions + 1;
            outside <= now_outside;
        end
        if (resetn && trap) begin
            $writememh(ram_file, memory, RAM / 4, RAM_END / 4 - 1);
            $finish;
        end
    end
endmodule
