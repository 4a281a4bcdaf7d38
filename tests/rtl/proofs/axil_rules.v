// SPDX-License-Identifier: MIT
// Rules of AXI4-Lite (IHI 0022, A3.2 and A3.3) that aes32_axil keeps with every master that keeps
// its own: a valid that is high stays, and so do its address and data, until ready.
//   An answer that waits stays as it is, and a word that is read too.
//   Each transfer gets one answer, in the cycle after it, and nothing else gets one.
//   Address and data of a write are taken in the same cycle, when both are there.
//   No transfer waits for more than two cycles when the answer before it is taken.
//   After a reset no answer is left.
`default_nettype none

module axil_rules (
    input wire        clk,
    input wire        rst_n,
    input wire [ 7:0] awaddr,
    input wire        awvalid,
    input wire [31:0] wdata,
    input wire [ 3:0] wstrb,
    input wire        wvalid,
    input wire        bready,
    input wire [ 7:0] araddr,
    input wire        arvalid,
    input wire        rready
);
  wire awready, wready, bvalid, arready, rvalid;
  wire [1:0] bresp, rresp;
  wire [31:0] rdata;

  aes32_axil dut (
      .aclk         (clk),
      .aresetn      (rst_n),
      .s_axi_awaddr (awaddr),
      .s_axi_awprot (3'd0),
      .s_axi_awvalid(awvalid),
      .s_axi_awready(awready),
      .s_axi_wdata  (wdata),
      .s_axi_wstrb  (wstrb),
      .s_axi_wvalid (wvalid),
      .s_axi_wready (wready),
      .s_axi_bresp  (bresp),
      .s_axi_bvalid (bvalid),
      .s_axi_bready (bready),
      .s_axi_araddr (araddr),
      .s_axi_arprot (3'd0),
      .s_axi_arvalid(arvalid),
      .s_axi_arready(arready),
      .s_axi_rdata  (rdata),
      .s_axi_rresp  (rresp),
      .s_axi_rvalid (rvalid),
      .s_axi_rready (rready),
      .irq          ()
  );

  // Of the cycle before.
  reg begun = 1'b0, was_reset;
  reg address_waited, data_waited, read_waited, written, was_read, answered, gave;
  reg could_write, could_read;
  reg [43:0] kept_write;
  reg [7:0] kept_araddr;
  reg [1:0] kept_bresp, kept_rresp;
  reg [31:0] kept_rdata;

  always @(posedge clk) begin
    begun          <= 1'b1;
    was_reset      <= !rst_n;
    address_waited <= awvalid && !awready && rst_n;
    data_waited    <= wvalid && !wready && rst_n;
    read_waited    <= arvalid && !arready && rst_n;
    kept_write     <= {awaddr, wdata, wstrb};
    kept_araddr    <= araddr;
    written        <= awvalid && awready && wvalid && wready;
    was_read       <= arvalid && arready;
    answered       <= bvalid && !bready;
    gave           <= rvalid && !rready;
    could_write    <= awvalid && wvalid && !awready && !bvalid;
    could_read     <= arvalid && !arready && !rvalid;
    kept_bresp     <= bresp;
    kept_rresp     <= rresp;
    kept_rdata     <= rdata;
  end

  always @* begin
    assume (begun || !rst_n);
    if (begun && address_waited) assume (awvalid && awaddr == kept_write[43:36]);
    if (begun && data_waited) assume (wvalid && {wdata, wstrb} == kept_write[35:0]);
    if (begun && read_waited) assume (arvalid && araddr == kept_araddr);
  end

  always @* begin
    if (begun && was_reset) assert (!bvalid && !rvalid && !awready && !arready);
    if (begun && !was_reset) begin
      if (answered) assert (bvalid && bresp == kept_bresp);
      if (gave) assert (rvalid && rresp == kept_rresp && rdata == kept_rdata);
      assert (bvalid == (written || answered));
      assert (rvalid == (was_read || gave));
      assert (!written || !answered);
      assert (!was_read || !gave);
      if (could_write) assert (awready);
      if (could_read) assert (arready);
    end
    if (begun) begin
      assert (awready == wready);
      if (awready) assert (awvalid && wvalid);
      if (arready) assert (arvalid);
    end
  end

endmodule

`default_nettype wire
