// SPDX-License-Identifier: MIT
// A processor, one memory with wait states, and a mailbox through which calls are asked for.
//
// Address map: 0000_0000h the caller, a ROM (caller.v); 4000_0000h the memory; 8000_0000h and
// above the mailbox, which VexRiscv's data cache leaves alone.
//
// The memory's port: the first access is answered after `wait_states` cycles, 0 being the cycle
// that asks; further beats of a burst take a cycle each.  The mailbox answers at once.
// A second port, which reads alone, is for processors that fetch code beside their data; it waits
// as long, and neither port waits for the other.
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
    output reg done,  // the call returned, and its last store has retired; for one cycle
    output reg [31:0] result,
    output reg [63:0] cycles,
    output reg [63:0] instructions,
    output reg [31:0] lowest,  // value of the stack pointer inside the window
    output reg fault,  // an access outside of the map, or a trap
    output reg [31:0] fault_address,
    output reg [31:0] last_pc,  // of the last instruction that was done
    output reg [15:0] head  // index of the next letter
);
    localparam [31:0] CALL = 32'h44, BACK = 32'h48, TOLD = 32'h4C;  // in the caller
    localparam BITS = $clog2(WORDS);

    // --- processor and bus

    reg running;
    wire ask, write, more, retired, sp_written, trap;
    wire [31:0] address, wdata, retired_pc, sp;
    wire [3:0] strobe;
    wire ack;
    wire [31:0] rdata;
    wire code_ask, code_ack;
    wire [31:0] code_address, code_rdata;

    processor cpu (
        .clk(clk), .reset(reset),
        .ask(ask), .write(write), .more(more), .address(address), .wdata(wdata), .strobe(strobe),
        .ack(ack), .rdata(rdata),
        .code_ask(code_ask), .code_address(code_address),
        .code_ack(code_ack), .code_rdata(code_rdata),
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
    // Letters of the next call are there when this one is done.
    reg written, told;
    wire early = in_mailbox && !write && (written || done);
    assign ack = ask && !early && (in_mailbox || streaming || waited == wait_states);

    // Assignments, not a block: Icarus would make the block wait for each word of the arrays.
    wire [31:0] stored = memory[word];
    wire [31:0] letter = letters[head];
    assign rdata = in_mailbox ? letter : in_memory ? stored : instruction;

    // What is fetched outside of the map is no instruction; to execute it is a trap.
    reg [7:0] code_waited;
    wire code_in_memory = code_address[31:30] == 2'b01 && code_address[29:2] < WORDS;
    wire code_in_caller = code_address[31:7] == 25'b0;
    wire [31:0] code_stored = memory[code_address[BITS + 1:2]];
    wire [31:0] code_instruction;
    caller code_rom (.address(code_address[6:2]), .instruction(code_instruction));
    assign code_ack = code_ask && code_waited == wait_states;
    assign code_rdata =
        code_in_memory ? code_stored : code_in_caller ? code_instruction : 32'b0;

    // VexRiscv and CV32E40P trap to address 0, which VexRiscv's vector is until it is
    // set; the others have a signal.
    wire stray = ack && !in_mailbox && !in_memory && !in_caller;
    wire trapped = trap || (running && retired && retired_pc < CALL);

    integer lane;
    always @(posedge clk) begin
        waited <= ask && !ack ? waited + 8'd1 : 8'd0;
        code_waited <= code_ask && !code_ack ? code_waited + 8'd1 : 8'd0;
        if (ack) streaming <= more;
        if (ack && write && in_memory)
            for (lane = 0; lane < 4; lane = lane + 1)
                if (strobe[lane]) memory[word][8 * lane +: 8] <= wdata[8 * lane +: 8];
        if (ack && !write && in_mailbox) head <= head + 16'd1;
        if (ack && write && in_mailbox) begin
            written <= 1'b1;
            result <= wdata;
        end
        if (retired && retired_pc == TOLD) told <= 1'b1;
        done <= written && told;
        if (written && told) begin
            written <= 1'b0;
            told <= 1'b0;
        end
        if (!fault && (stray || trapped)) begin
            fault <= 1'b1;
            fault_address <= stray ? address : last_pc;
        end
        if (reset) begin
            waited <= 8'd0;
            streaming <= 1'b0;
            head <= 16'd0;
            done <= 1'b0;
            written <= 1'b0;
            told <= 1'b0;
            code_waited <= 8'd0;
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
