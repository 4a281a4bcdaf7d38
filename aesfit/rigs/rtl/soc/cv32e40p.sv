// SPDX-License-Identifier: MIT
// CV32E40P with its two memory interfaces, each on a port; an access is granted when its port
// answers, and the word comes in the next cycle, the earliest that the interface (OBI) knows.
//
// An instruction counts as done when it leaves decode, where the processor's own counter of
// retired instructions sees it; it traps to address 0, as VexRiscv does.
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
    output wire code_ask,
    output wire [31:0] code_address,
    input wire code_ack,
    input wire [31:0] code_rdata,
    output wire retired,
    output wire [31:0] retired_pc,
    output wire sp_written,
    output wire [31:0] sp,
    output wire trap
);
    assign more = 1'b0;

    reg code_valid, data_valid;
    reg [31:0] code_word, data_word;
    always @(posedge clk) begin
        code_valid <= code_ack && !reset;
        data_valid <= ack && !reset;
        code_word <= code_rdata;
        data_word <= rdata;
    end

    cv32e40p_core #(
        .COREV_PULP(0), .COREV_CLUSTER(0), .FPU(0)
    ) core (
        .clk_i(clk), .rst_ni(!reset), .pulp_clock_en_i(1'b1), .scan_cg_en_i(1'b0),
        .boot_addr_i(32'b0), .mtvec_addr_i(32'b0), .dm_halt_addr_i(32'b0), .hart_id_i(32'b0),
        .dm_exception_addr_i(32'b0),
        .instr_req_o(code_ask), .instr_gnt_i(code_ack), .instr_rvalid_i(code_valid),
        .instr_addr_o(code_address), .instr_rdata_i(code_word),
        .data_req_o(ask), .data_gnt_i(ack), .data_rvalid_i(data_valid), .data_we_o(write),
        .data_be_o(strobe), .data_addr_o(address), .data_wdata_o(wdata),
        .data_rdata_i(data_word),
        .apu_busy_o(), .apu_req_o(), .apu_gnt_i(1'b0), .apu_operands_o(), .apu_op_o(),
        .apu_flags_o(), .apu_rvalid_i(1'b0), .apu_result_i(32'b0), .apu_flags_i('0),
        .irq_i(32'b0), .irq_ack_o(), .irq_id_o(),
        .debug_req_i(1'b0), .debug_havereset_o(), .debug_running_o(), .debug_halted_o(),
        .fetch_enable_i(1'b1), .core_sleep_o()
    );

    assign retired = core.id_stage_i.minstret;
    assign retired_pc = core.pc_id;
    assign sp_written =
        core.regfile_alu_we_fw && core.regfile_alu_waddr_fw == 6'd2;
    assign sp = core.regfile_alu_wdata_fw;
    assign trap = 1'b0;  // soc.v sees it jump
endmodule
`default_nettype wire
