// SPDX-License-Identifier: MIT
// A processor, one memory with wait states, and a mailbox through which calls are asked for.
//
// Address map: 0000_0000h the caller, a ROM (caller.v); 4000_0000h the memory; 8000_0000h and
// above the mailbox, which VexRiscv's data cache leaves alone.
//
// The memory is one port: the first access is answered after `wait_states` cycles, 0 being the
// cycle that asks; further beats of a burst take a cycle each.  The mailbox answers at once.
//
// The window of a call begins when the caller's jump is done and ends when the function's return
// is done; `cycles` and `instructions` are those between, the return's included.
`default_nettype none

module soc #(
    parameter WORDS = 131072,  // 512 KiB
    parameter LETTERS = 65536
) (
    input wire clk,
    input wire reset,
    input wire [7:0] wait_states,
    output reg done,  // the call returned; for one cycle
    output reg [31:0] result,
    output reg [63:0] cycles,
    output reg [63:0] instructions,
    output reg [31:0] lowest,  // value of the stack pointer inside the window
    output reg fault,  // an access outside of the map, or a trap
    output reg [31:0] fault_address,
    output reg [31:0] last_pc,  // of the last instruction that was done
    output reg [15:0] head  // index of the next letter
);
    localparam [31:0] CALL = 32'h44, BACK = 32'h48;  // in the caller
    localparam BITS = $clog2(WORDS);

    // --- processor and bus

    reg running;
    wire ask, write, more, retired, sp_written, trap;
    wire [31:0] address, wdata, retired_pc, sp;
    wire [3:0] strobe;
    wire ack;
    wire [31:0] rdata;

    processor cpu (
        .clk(clk), .reset(reset),
        .ask(ask), .write(write), .more(more), .address(address), .wdata(wdata), .strobe(strobe),
        .ack(ack), .rdata(rdata),
        .retired(retired), .retired_pc(retired_pc), .sp_written(sp_written), .sp(sp), .trap(trap)
    );

    // --- memory, caller, mailbox

    reg [31:0] memory [0:WORDS - 1];
    reg [31:0] letters [0:LETTERS - 1];

    wire in_mailbox = address[31];
    wire in_memory = address[31:30] == 2'b01 && address[29:2] < WORDS;
    wire in_caller = address[31:7] == 25'b0;
    wire [BITS - 1:0] word = address[BITS + 1:2];
    wire [31:0] instruction;
    caller rom (.address(address[6:2]), .instruction(instruction));

    reg [7:0] waited;
    reg streaming;
    assign ack = ask && (in_mailbox || streaming || waited == wait_states);

    // Assignments, not a block: Icarus would make the block wait for each word of the arrays.
    wire [31:0] stored = memory[word];
    wire [31:0] letter = letters[head];
    assign rdata = in_mailbox ? letter : in_memory ? stored : instruction;

    // VexRiscv traps to address 0, as its vector is never set; PicoRV32 has a signal.
    wire stray = ack && !in_mailbox && !in_memory && !in_caller;
    wire trapped = trap || (running && retired && retired_pc < CALL);

    integer lane;
    always @(posedge clk) begin
        waited <= ask && !ack ? waited + 8'd1 : 8'd0;
        if (ack) streaming <= more;
        if (ack && write && in_memory)
            for (lane = 0; lane < 4; lane = lane + 1)
                if (strobe[lane]) memory[word][8 * lane +: 8] <= wdata[8 * lane +: 8];
        if (ack && !write && in_mailbox) head <= head + 16'd1;
        done <= ack && write && in_mailbox;
        if (ack && write && in_mailbox) result <= wdata;
        if (!fault && (stray || trapped)) begin
            fault <= 1'b1;
            fault_address <= stray ? address : last_pc;
        end
        if (reset) begin
            waited <= 8'd0;
            streaming <= 1'b0;
            head <= 16'd0;
            done <= 1'b0;
            fault <= 1'b0;
        end
    end

    // --- the window

    reg [63:0] now, entered, last;
    always @(posedge clk) begin
        now <= now + 64'd1;
        if (retired) begin
            last <= now;
            last_pc <= retired_pc;
            if (running && retired_pc != BACK) instructions <= instructions + 64'd1;
        end
        if (running && sp_written && sp < lowest) lowest <= sp;
        if (retired && retired_pc == CALL) begin
            running <= 1'b1;
            entered <= now;
            instructions <= 64'd0;
            lowest <= 32'hFFFF_FFFF;
        end
        if (retired && retired_pc == BACK && running) begin
            running <= 1'b0;
            cycles <= last - entered;
        end
        if (reset) begin
            running <= 1'b0;
            now <= 64'd0;
        end
    end
endmodule
`default_nettype wire
