// SPDX-License-Identifier: MIT
// Runs aesfit/rigs/rtl/soc/soc.v without Verilator: tells cycles, instructions and result of each call.
//
// +memory and +letters name files for $readmemh, +calls their number, +wait the wait states.
`timescale 1 ns / 1 ps

module soc_bench;
    reg clk = 0, reset = 1;
    always #5 clk = ~clk;

    reg [7:0] wait_states;
    wire done, fault;
    wire [31:0] result, lowest, fault_address, last_pc;
    wire [63:0] cycles, instructions;
    wire [15:0] head;
    soc system (
        .clk(clk), .reset(reset), .wait_states(wait_states), .done(done), .result(result),
        .cycles(cycles), .instructions(instructions), .lowest(lowest), .fault(fault),
        .fault_address(fault_address), .last_pc(last_pc), .head(head)
    );

    reg [8 * 1024 - 1:0] memory_file, letters_file;
    integer left;
    initial begin
        if (!$value$plusargs("memory=%s", memory_file)) $finish;
        if (!$value$plusargs("letters=%s", letters_file)) $finish;
        if (!$value$plusargs("calls=%d", left)) $finish;
        if (!$value$plusargs("wait=%d", wait_states)) $finish;
        $readmemh(memory_file, system.memory);
        $readmemh(letters_file, system.letters);
        repeat (8) @(posedge clk);
        #1 reset = 0;
    end

    always @(negedge clk) begin
        if (!reset && done) begin
            $display("%0d %0d %0d", cycles, instructions, result);
            left = left - 1;
        end
        if (!reset && (left == 0 || fault)) $finish;
    end
endmodule
