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
// rst_ni low over two rising edges.  AWPROT and ARPROT have no meaning, and so no ports.
//
// Cycles: 3 a write and 3 a read, from the address to the end of the answer, when the master does
// not wait; 68 to erase.  For the core see aes32x2.
// Cost: aes32x2, two aes32_fifo of 8 words, and 50 flip-flops.
// No output depends on an input of the same cycle.
// Source: AMBA AXI and ACE protocol specification, IHI 0022, part B.
`default_nettype none

module aes32_axil #(
    parameter STATE_IN_LUTS = 0
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire [ 7:0] awaddr_i,
    input  wire        awvalid_i,
    output reg         awready_o,
    input  wire [31:0] wdata_i,
    input  wire [ 3:0] wstrb_i,
    input  wire        wvalid_i,
    output wire        wready_o,
    output reg  [ 1:0] bresp_o,
    output reg         bvalid_o,
    input  wire        bready_i,
    input  wire [ 7:0] araddr_i,
    input  wire        arvalid_i,
    output reg         arready_o,
    output reg  [31:0] rdata_o,
    output reg  [ 1:0] rresp_o,
    output reg         rvalid_o,
    input  wire        rready_i
);

  `include "aes32_axil.vh"

  localparam CountBits = 4;
  localparam [1:0] Okay = 2'b00, SlaveError = 2'b10, DecodeError = 2'b11;

  reg decrypt_q, erasing_q, refused_q;
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
  wire [31:0] swapped = {wdata_i[7:0], wdata_i[15:8], wdata_i[23:16], wdata_i[31:24]};

  // A write is done in the one cycle in which its address and data are both taken.
  wire write = awready_o;
  wire [5:0] written = awaddr_i[7:2];
  wire write_known = written <= LastRegister && awaddr_i[1:0] == 2'd0;
  wire write_possible = write_known && wstrb_i == 4'hf && Writable[written[2:0]]
      && !(written == Control && wdata_i[ControlKeySize+:2] == 2'd3)
      && !(written == Key && !key_ready)
      && !(written == Data && (!keyed_q || full));
  wire write_done = write && write_possible;
  wire write_key = write_done && written == Key;
  wire write_data = write_done && written == Data;
  wire write_control = write_done && written == Control;
  wire erase = write_control && wdata_i[ControlErase];
  wire clear = erase || !rst_ni;
  wire absolve = write_done && written == Status && wdata_i[StatusRefused];
  assign wready_o = awready_o;

  always @(posedge clk_i) begin
    awready_o <= awvalid_i && wvalid_i && !awready_o && !bvalid_o;
    bvalid_o  <= write || (bvalid_o && !bready_i);
    if (write) bresp_o <= !write_known ? DecodeError : write_possible ? Okay : SlaveError;
    if (write_control) begin
      decrypt_q  <= wdata_i[ControlDecrypt];
      key_size_q <= wdata_i[ControlKeySize+:2];
    end
    if (!rst_ni) begin
      awready_o  <= 1'b0;
      bvalid_o   <= 1'b0;
      decrypt_q  <= 1'b0;
      key_size_q <= 2'd0;
    end
  end

  // A read likewise.
  wire read = arready_o;
  wire [5:0] asked = araddr_i[7:2];
  wire read_known = asked <= LastRegister && araddr_i[1:0] == 2'd0;
  wire read_possible = read_known && Readable[asked[2:0]] && !(asked == Result && !result_valid);
  wire read_done = read && read_possible;

  reg [31:0] control, status, value;
  always @* begin
    control = 32'd0;
    control[ControlDecrypt] = decrypt_q;
    control[ControlKeySize+:2] = key_size_q;
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

  always @(posedge clk_i) begin
    arready_o <= arvalid_i && !arready_o && !rvalid_o;
    rvalid_o  <= read || (rvalid_o && !rready_i);
    if (read) begin
      rdata_o <= value & {32{read_done}};
      rresp_o <= !read_known ? DecodeError : read_possible ? Okay : SlaveError;
    end else if (rready_i) begin
      rdata_o <= 32'd0;  // so that no result is left here
    end
    if (!rst_ni) begin
      arready_o <= 1'b0;
      rvalid_o  <= 1'b0;
      rdata_o   <= 32'd0;
    end
  end

  // What STATUS tells.  The core takes a key again when erasing is complete.
  always @(posedge clk_i) begin
    refused_q <= (refused_q && !absolve) || (write && !write_possible) || (read && !read_possible);
    erasing_q <= clear || (erasing_q && !core_key_ready);
    if (write_key) begin
      begun_q <= !begun_q || key_left_q != 3'd1;
      keyed_q <= begun_q && key_left_q == 3'd1;
      key_left_q <= begun_q ? key_left_q - 3'd1 : {key_size_q + 2'd1, 1'b1};  // 3, 5, 7
    end
    if (clear) {begun_q, keyed_q} <= 2'b00;
    if (!rst_ni) refused_q <= 1'b0;
  end

  aes32_fifo #(
      .WIDTH       (33),
      .ADDRESS_BITS(CountBits - 1),
      .IN_LUTS     (STATE_IN_LUTS)
  ) u_data (
      .clk_i  (clk_i),
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
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
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
      .clk_i  (clk_i),
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
