// SPDX-License-Identifier: MIT
// VexRiscv with its two Wishbone masters on one port; data go first when both ask.
`default_nettype none

module processor (
    input wire clk,
    input wire reset,
    output wire ask,
    output wire write,
    output wire more,  // another beat of the burst follows
    output wire [31:0] address,
    output wire [31:0] wdata,
    output wire [3:0] strobe,
    input wire ack,
    input wire [31:0] rdata,
    output wire code_ask,  // nothing: code comes by the port of data
    output wire [31:0] code_address,
    input wire code_ack,
    input wire [31:0] code_rdata,
    output wire retired,  // an instruction is done
    output wire [31:0] retired_pc,
    output wire sp_written,
    output wire [31:0] sp,
    output wire trap
);
    assign code_ask = 1'b0;
    assign code_address = 32'b0;

    localparam [2:0] INCREMENTING = 3'b010;  // Wishbone B4, table 4-2

    wire i_cyc, i_stb, d_cyc, d_stb, d_we;
    wire [29:0] i_adr, d_adr;
    wire [2:0] i_cti, d_cti;
    wire [3:0] d_sel;
    wire [31:0] d_wdata;

    // --- one of the two, until it is answered to the end

    wire code_asks = i_cyc && i_stb, data_asks = d_cyc && d_stb;
    reg held, held_by_data;
    wire data = held ? held_by_data : data_asks;
    assign ask = data ? data_asks : code_asks;
    assign write = data && d_we;
    assign address = {data ? d_adr : i_adr, 2'b00};
    assign wdata = d_wdata;
    assign strobe = d_sel;
    assign more = (data ? d_cti : i_cti) == INCREMENTING;

    always @(posedge clk)
        if (reset) held <= 1'b0;
        else if (ask) begin
            held <= !ack || more;
            held_by_data <= data;
        end

    VexRiscv core (
        .clk(clk), .reset(reset), .externalResetVector(32'h0),
        .timerInterrupt(1'b0), .softwareInterrupt(1'b0), .externalInterruptArray(32'h0),
        .iBusWishbone_CYC(i_cyc), .iBusWishbone_STB(i_stb), .iBusWishbone_ACK(ack && !data),
        .iBusWishbone_WE(), .iBusWishbone_ADR(i_adr), .iBusWishbone_DAT_MISO(rdata),
        .iBusWishbone_DAT_MOSI(), .iBusWishbone_SEL(), .iBusWishbone_ERR(1'b0),
        .iBusWishbone_CTI(i_cti), .iBusWishbone_BTE(),
        .dBusWishbone_CYC(d_cyc), .dBusWishbone_STB(d_stb), .dBusWishbone_ACK(ack && data),
        .dBusWishbone_WE(d_we), .dBusWishbone_ADR(d_adr), .dBusWishbone_DAT_MISO(rdata),
        .dBusWishbone_DAT_MOSI(d_wdata), .dBusWishbone_SEL(d_sel), .dBusWishbone_ERR(1'b0),
        .dBusWishbone_CTI(d_cti), .dBusWishbone_BTE()
    );

    // --- what the last stage does

    assign retired = core.lastStageIsFiring;
    assign retired_pc = core.lastStagePc;
    assign sp_written =
        core.lastStageRegFileWrite_valid && core.lastStageRegFileWrite_payload_address == 5'd2;
    assign sp = core.lastStageRegFileWrite_payload_data;
    assign trap = 1'b0;  // soc.v sees it jump
endmodule
`default_nettype wire
