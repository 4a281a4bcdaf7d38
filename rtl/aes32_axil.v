// SPDX-License-Identifier: MIT
// aes32x2 behind AXI4-Lite: registers of 32 bits, one transfer of each direction at a time.
//
// The registers are those of aes32_axil.toml; docs/registers.md is their page.  Byte 0 of a key or
// block is the lowest byte of its first word, as a little-endian processor loads it.
// Words of DATA wait in a queue until the core takes them, and results wait in another, so that
// STATUS counts what can be written and read at once.  A key is taken when both the queue of DATA
// and the core are empty; blocks may follow its last word at once.
// Answers: DECERR for an address that is no register's; SLVERR, and nothing done, for a read of a
// register that is written only and the reverse, for a write of less than four bytes, for 3 as the
// size of keys, and for KEY, DATA and RESULT while STATUS denies them, so that the bus is never
// held up.  STATUS remembers both answers, for processors that do not see them.
// Erasing, and a reset, write zeros over round keys, states and queues.  Reset is synchronous: hold
// aresetn low over two rising edges.  s_axi_awprot and s_axi_arprot have no meaning here.
// irq is high while CONTROL has INTERRUPT and RESULT a block, and falls when it is read.
// Names and attributes are those from which Vivado infers the bus, its clock, reset and interrupt.
//
// Cycles: 3 a write and 3 a read, from the address to the end of the answer, when the master does
// not wait; 68 to erase.  For the core see aes32x2.
// Cost: aes32x2, two aes32_fifo of 8 words, and 52 flip-flops.
// No output depends on an input of the same cycle.
// Source: AMBA AXI and ACE protocol specification, IHI 0022, part B.
`default_nettype none

module aes32_axil #(
    parameter STATE_IN_LUTS = 0
) (
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s_axi, ASSOCIATED_RESET aresetn" *)
    input  wire        aclk,
    input  wire        aresetn,
    input  wire [ 7:0] s_axi_awaddr,
    input  wire [ 2:0] s_axi_awprot,
    input  wire        s_axi_awvalid,
    output reg         s_axi_awready,
    input  wire [31:0] s_axi_wdata,
    input  wire [ 3:0] s_axi_wstrb,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    output reg  [ 1:0] s_axi_bresp,
    output reg         s_axi_bvalid,
    input  wire        s_axi_bready,
    input  wire [ 7:0] s_axi_araddr,
    input  wire [ 2:0] s_axi_arprot,
    input  wire        s_axi_arvalid,
    output reg         s_axi_arready,
    output reg  [31:0] s_axi_rdata,
    output reg  [ 1:0] s_axi_rresp,
    output reg         s_axi_rvalid,
    input  wire        s_axi_rready,
    (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 irq INTERRUPT" *)
    (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
    output reg         irq
);

  `include "aes32_axil.vh"

  localparam CountBits = 4;
  localparam [1:0] Okay = 2'b00, SlaveError = 2'b10, DecodeError = 2'b11;

  wire unused = &{1'b0, s_axi_awprot, s_axi_arprot};
  reg decrypt_q, interrupts_q, erasing_q, refused_q;
  reg [1:0] key_size_q;
  reg begun_q, keyed_q;  // a part of a key was written; all of it
  reg [2:0] key_left_q;  // words of it that are missing
  wire core_key_ready, core_data_ready, core_valid;
  wire [31:0] core_data;
  wire [32:0] waiting;  // whether the block is decrypted, and a word
  wire waits, full, result_full, result_valid;
  wire [31:0] result;
  wire [CountBits-1:0] waiting_words, result_words;
  wire [CountBits-1:0] space = keyed_q ? FifoWords[CountBits-1:0] - waiting_words : 0;
  wire key_ready = core_key_ready && waiting_words == 0 && !erasing_q;
  wire [31:0] swapped = {
    s_axi_wdata[7:0], s_axi_wdata[15:8], s_axi_wdata[23:16], s_axi_wdata[31:24]
  };

  // A write is done in the one cycle in which its address and data are both taken.
  wire write = s_axi_awready;
  wire [5:0] written = s_axi_awaddr[7:2];
  wire write_known = written <= LastRegister && s_axi_awaddr[1:0] == 2'd0;
  wire write_possible = write_known && s_axi_wstrb == 4'hf && Writable[written[2:0]]
      && !(written == Control && s_axi_wdata[ControlKeySize+:2] == 2'd3)
      && !(written == Key && !key_ready)
      && !(written == Data && (!keyed_q || full));
  wire write_done = write && write_possible;
  wire write_key = write_done && written == Key;
  wire write_data = write_done && written == Data;
  wire write_control = write_done && written == Control;
  wire erase = write_control && s_axi_wdata[ControlErase];
  wire clear = erase || !aresetn;
  wire absolve = write_done && written == Status && s_axi_wdata[StatusRefused];
  assign s_axi_wready = s_axi_awready;

  always @(posedge aclk) begin
    s_axi_awready <= s_axi_awvalid && s_axi_wvalid && !s_axi_awready && !s_axi_bvalid;
    s_axi_bvalid  <= write || (s_axi_bvalid && !s_axi_bready);
    if (write) s_axi_bresp <= !write_known ? DecodeError : write_possible ? Okay : SlaveError;
    if (write_control) begin
      decrypt_q  <= s_axi_wdata[ControlDecrypt];
      key_size_q <= s_axi_wdata[ControlKeySize+:2];
      interrupts_q <= s_axi_wdata[ControlInterrupt];
    end
    if (!aresetn) begin
      s_axi_awready  <= 1'b0;
      s_axi_bvalid   <= 1'b0;
      decrypt_q  <= 1'b0;
      key_size_q <= 2'd0;
      interrupts_q <= 1'b0;
    end
  end

  // A read likewise.
  wire read = s_axi_arready;
  wire [5:0] asked = s_axi_araddr[7:2];
  wire read_known = asked <= LastRegister && s_axi_araddr[1:0] == 2'd0;
  wire read_possible = read_known && Readable[asked[2:0]] && !(asked == Result && !result_valid);
  wire read_done = read && read_possible;

  reg [31:0] control, status, value;
  always @* begin
    control = 32'd0;
    control[ControlDecrypt] = decrypt_q;
    control[ControlKeySize+:2] = key_size_q;
    control[ControlInterrupt] = interrupts_q;
    status = 32'd0;
    status[StatusKeyReady] = key_ready;
    status[StatusKeyed] = keyed_q;
    status[StatusErasing] = erasing_q;
    status[StatusRefused] = refused_q;
    status[StatusDataSpace+:CountBits] = space;
    status[StatusResultWords+:CountBits] = result_words;
    case (asked)
      Id:      value = IdValue;
      Version: value = VersionValue;
      Control: value = control;
      Status:  value = status;
      default: value = {result[7:0], result[15:8], result[23:16], result[31:24]};
    endcase
  end

  always @(posedge aclk) begin
    s_axi_arready <= s_axi_arvalid && !s_axi_arready && !s_axi_rvalid;
    s_axi_rvalid  <= read || (s_axi_rvalid && !s_axi_rready);
    if (read) begin
      s_axi_rdata <= value & {32{read_done}};
      s_axi_rresp <= !read_known ? DecodeError : read_possible ? Okay : SlaveError;
    end else if (s_axi_rready) begin
      s_axi_rdata <= 32'd0;  // so that no result is left here
    end
    if (!aresetn) begin
      s_axi_arready <= 1'b0;
      s_axi_rvalid  <= 1'b0;
      s_axi_rdata   <= 32'd0;
    end
  end

  // What STATUS tells.  The core takes a key again when erasing is complete.
  always @(posedge aclk) begin
    refused_q <= (refused_q && !absolve) || (write && !write_possible) || (read && !read_possible);
    irq <= interrupts_q && result_words[CountBits-1:2] != 0 && !clear;
    erasing_q <= clear || (erasing_q && !core_key_ready);
    if (write_key) begin
      begun_q <= !begun_q || key_left_q != 3'd1;
      keyed_q <= begun_q && key_left_q == 3'd1;
      key_left_q <= begun_q ? key_left_q - 3'd1 : {key_size_q + 2'd1, 1'b1};  // 3, 5, 7
    end
    if (clear) {begun_q, keyed_q} <= 2'b00;
    if (!aresetn) refused_q <= 1'b0;
  end

  aes32_fifo #(
      .WIDTH       (33),
      .ADDRESS_BITS(CountBits - 1),
      .IN_LUTS     (STATE_IN_LUTS)
  ) u_data (
      .clk_i  (aclk),
      .erase_i(clear),
      .write_i(write_data),
      .data_i ({decrypt_q, swapped}),
      .full_o (full),
      .data_o (waiting),
      .valid_o(waits),
      .read_i (core_data_ready),
      .words_o(waiting_words)
  );

  aes32x2 #(
      .STATE_IN_LUTS(STATE_IN_LUTS)
  ) u_core (
      .clk_i       (aclk),
      .rst_ni      (aresetn),
      .erase_i     (erase),
      .key_i       (swapped),
      .key_valid_i (write_key),
      .key_ready_o (core_key_ready),
      .key_bits_i  (key_size_q),
      .data_i      (waiting[31:0]),
      .data_valid_i(waits),
      .data_ready_o(core_data_ready),
      .decrypt_i   (waiting[32]),
      .data_o      (core_data),
      .data_valid_o(core_valid),
      .data_ready_i(!result_full)
  );

  aes32_fifo #(
      .ADDRESS_BITS(CountBits - 1),
      .IN_LUTS     (STATE_IN_LUTS)
  ) u_results (
      .clk_i  (aclk),
      .erase_i(clear),
      .write_i(core_valid && !result_full),
      .data_i (core_data),
      .full_o (result_full),
      .data_o (result),
      .valid_o(result_valid),
      .read_i (read_done && asked == Result),
      .words_o(result_words)
  );

endmodule

`default_nettype wire
