// SPDX-License-Identifier: MIT
// aes32 behind AXI4-Lite: registers of 32 bits, one transfer of each direction at a time.
//
//   address  register  access  meaning
//   00       ID        read    41455333, "AES3"
//   04       VERSION   read    00010000: 1.0.0, 8 bits for the last two numbers
//   08       CONTROL   both    bit 0: blocks are decrypted; bits 2 to 1: 0, 1, 2 for keys of 128,
//                              192, 256 bits
//   0c       STATUS    read    bit 0: KEY takes a word; 1: DATA takes a word; 2: RESULT has a word
//   10       KEY       write   next word of the key, byte 0 highest; CONTROL counts with the first
//   14       DATA      write   next word of the block; CONTROL counts with the first
//   18       RESULT    read    next word of the result
// Answers: DECERR for any other address; SLVERR, and nothing done, for a read of a register that is
// written only and the reverse, for a write of less than four bytes, for 3 as the size of keys, and
// for KEY, DATA and RESULT while STATUS denies them, so that the bus is never held up.  Protection
// bits have no meaning.
// A key is taken while no block is in work, and blocks when a key is ready (see aes32).
//
// Cycles: 3 a write and 3 a read, from the address to the end of the answer, when the master does
// not wait; a block takes 12 for its 4 writes, 12 for its 4 reads, and waits in between.
// Cost: aes32 and about 45 flip-flops.  No output depends on an input of the same cycle.
// Source: AMBA AXI and ACE protocol specification, IHI 0022, part B.

module aes32_axil #(
    parameter DECRYPT = 1,
    parameter COLUMN = 0
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

  localparam [31:0] Identity = 32'h41455333, Version = 32'h00010000;
  localparam [5:0] Id = 6'd0, Number = 6'd1, Control = 6'd2, Status = 6'd3, Key = 6'd4, Data = 6'd5,
      Result = 6'd6;
  localparam [1:0] Okay = 2'b00, SlaveError = 2'b10, DecodeError = 2'b11;

  reg [2:0] control_q;
  wire key_ready, data_ready, result_valid;
  wire [31:0] result;

  // A write is done in the one cycle in which its address and data are both taken.
  wire write = awready_o;
  wire [5:0] written = awaddr_i[7:2];
  wire write_known = written <= Result && awaddr_i[1:0] == 2'd0;
  wire write_whole = write_known && wstrb_i == 4'hf;
  wire write_possible = (written == Control && wdata_i[2:1] != 2'd3)
                     || (written == Key && key_ready) || (written == Data && data_ready);
  assign wready_o = awready_o;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      awready_o <= 1'b0;
      bvalid_o  <= 1'b0;
      control_q <= 3'd0;
    end else begin
      awready_o <= awvalid_i && wvalid_i && !awready_o && !bvalid_o;
      bvalid_o  <= write || (bvalid_o && !bready_i);
      if (write && write_whole && write_possible && written == Control) control_q <= wdata_i[2:0];
    end
  end

  always @(posedge clk_i) begin
    if (write) begin
      bresp_o <= !write_known ? DecodeError : write_whole && write_possible ? Okay : SlaveError;
    end
  end

  // A read likewise.
  wire read = arready_o;
  wire [5:0] asked = araddr_i[7:2];
  wire read_known = asked <= Result && araddr_i[1:0] == 2'd0;
  wire read_possible = asked <= Status || (asked == Result && result_valid);
  wire read_done = read && read_known && read_possible;

  reg [31:0] value;
  always @* begin
    case (asked)
      Id:      value = Identity;
      Number:  value = Version;
      Control: value = {29'd0, control_q};
      Status:  value = {29'd0, result_valid, data_ready, key_ready};
      default: value = result;
    endcase
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      arready_o <= 1'b0;
      rvalid_o  <= 1'b0;
    end else begin
      arready_o <= arvalid_i && !arready_o && !rvalid_o;
      rvalid_o  <= read || (rvalid_o && !rready_i);
    end
  end

  always @(posedge clk_i) begin
    if (read) begin
      rdata_o <= read_done ? value : 32'd0;
      rresp_o <= !read_known ? DecodeError : read_possible ? Okay : SlaveError;
    end
  end

  aes32 #(
      .DECRYPT(DECRYPT),
      .COLUMN (COLUMN)
  ) u_core (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .key_i       (wdata_i),
      .key_valid_i (write && write_whole && written == Key),
      .key_ready_o (key_ready),
      .key_bits_i  (control_q[2:1]),
      .data_i      (wdata_i),
      .data_valid_i(write && write_whole && written == Data),
      .data_ready_o(data_ready),
      .decrypt_i   (control_q[0]),
      .data_o      (result),
      .data_valid_o(result_valid),
      .data_ready_i(read_done && asked == Result)
  );

endmodule
