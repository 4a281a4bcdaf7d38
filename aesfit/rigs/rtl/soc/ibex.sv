// SPDX-License-Identifier: MIT
// Ibex with its two memory interfaces, each on a port; an access is granted when its port answers,
// and the word comes in the next cycle, the earliest that the interface knows.
//
// It starts at 80h behind the boot address, where the caller (caller.v) is not, so bit 7 of the
// address is flipped there.  RVFI says what retires, two cycles later.  IBEX_RV32M, IBEX_RV32B and
// IBEX_THIRD_STAGE are the configuration (aesfit/platforms/packaged.py).
`default_nettype none

module processor
    import ibex_pkg::*;
(
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
    function automatic [31:0] moved(input [31:0] place);
        moved = {place[31:8], place[7] ^ (place[31:8] == 24'b0), place[6:0]};
    endfunction

    wire [31:0] fetched, pc;
    assign code_address = moved(fetched);
    assign retired_pc = moved(pc);
    assign more = 1'b0;

    reg code_valid, data_valid;
    reg [31:0] code_word, data_word;
    always @(posedge clk) begin
        code_valid <= code_ack && !reset;
        data_valid <= ack && !reset;
        code_word <= code_rdata;
        data_word <= rdata;
    end

    wire [4:0] rd;
    wire valid;
    assign retired = valid;
    assign sp_written = valid && rd == 5'd2;

    ibex_top #(
        .RV32M(`IBEX_RV32M), .RV32B(`IBEX_RV32B),
        .BranchTargetALU(`IBEX_THIRD_STAGE), .WritebackStage(`IBEX_THIRD_STAGE)
    ) core (
        .clk_i(clk), .rst_ni(!reset), .test_en_i(1'b0), .ram_cfg_i('0),
        .hart_id_i(32'b0), .boot_addr_i(32'b0),
        .instr_req_o(code_ask), .instr_gnt_i(code_ack), .instr_rvalid_i(code_valid),
        .instr_addr_o(fetched), .instr_rdata_i(code_word), .instr_rdata_intg_i(7'b0),
        .instr_err_i(1'b0),
        .data_req_o(ask), .data_gnt_i(ack), .data_rvalid_i(data_valid), .data_we_o(write),
        .data_be_o(strobe), .data_addr_o(address), .data_wdata_o(wdata), .data_wdata_intg_o(),
        .data_rdata_i(data_word), .data_rdata_intg_i(7'b0), .data_err_i(1'b0),
        .irq_software_i(1'b0), .irq_timer_i(1'b0), .irq_external_i(1'b0), .irq_fast_i(15'b0),
        .irq_nm_i(1'b0),
        .scramble_key_valid_i(1'b0), .scramble_key_i('0), .scramble_nonce_i('0),
        .scramble_req_o(),
        .debug_req_i(1'b0), .crash_dump_o(), .double_fault_seen_o(),
        .rvfi_valid(valid), .rvfi_pc_rdata(pc), .rvfi_trap(trap), .rvfi_rd_addr(rd),
        .rvfi_rd_wdata(sp),
        .fetch_enable_i(IbexMuBiOn), .alert_minor_o(), .alert_major_internal_o(),
        .alert_major_bus_o(), .core_sleep_o(), .scan_rst_ni(1'b1)
    );
endmodule
`default_nettype wire
