// SPDX-License-Identifier: MIT
// Counter mode over CORES cores aes32 side by side, or, with PAIRED 1, over one aes32x2, which
// CORES and SBOX do not concern: encryption and decryption are the same.
//
// Streams: as for aes32.
//   key      loaded into all cores; taken when none has work.
//   counter  4 words, byte 0 of the first counter block highest; taken between blocks, and in force
//            for the blocks that come after.  Its lowest COUNTER_BITS bits count, modulo
//            2^COUNTER_BITS, and the others stay.  32: the last word (RFC 3686, and GCM's inc32);
//            128: the whole block (OpenSSL).  A counter serves at most 2^COUNTER_BITS blocks; the
//            caller sees to it.  After a reset or erasing no data is taken before a counter.
//   data     4 words a block; a last block is filled up by the caller, and what is over is dropped
//            from the output.  key_valid_i or counter_valid_i high lets no further block begin.
//   output   4 words a block, in order.
// Each block of data waits in a RAM for its key stream, so that nothing has to be thrown away when
// a message ends: a core has begun 3 blocks at most (giving, in work, filling).
// erase_i, and rst_ni, which is active low and synchronous, drop counter and blocks and erase the
// key as in the core: no word of key or data moves in the 64 cycles after it, 66 if PAIRED, and no
// data before a new counter.  The counter's bits and data that waits in the RAM stay there until
// others replace them.  PAIRED: hold rst_ni low over two rising edges.
//
// Cycles: as for aes32_parallel, or as for aes32x2; a counter 4.
// Cost: aes32_parallel without decryption, or aes32x2; about 140 flip-flops, an adder of 32 bits, a
// RAM.  A word leaves before the words below it, so whether they carry is looked up in advance: an
// AND of 32 bits for COUNTER_BITS 64, of 96 for 128.
// Source: SP 800-38A, 6.5 and B.1.

`default_nettype none

module aes_ctr #(
    parameter CORES        = 1,
    parameter [8*13-1:0] SBOX = "column_table",
    parameter PAIRED       = 0,
    parameter COUNTER_BITS = 32
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        erase_i,
    input  wire [31:0] key_i,
    input  wire        key_valid_i,
    output wire        key_ready_o,
    input  wire [ 1:0] key_bits_i,
    input  wire [31:0] counter_i,
    input  wire        counter_valid_i,
    output wire        counter_ready_o,
    input  wire [31:0] data_i,
    input  wire        data_valid_i,
    output wire        data_ready_o,
    output wire [31:0] data_o,
    output wire        data_valid_o,
    input  wire        data_ready_i
);

  localparam AddressBits = 4 + $clog2(CORES);  // of 16 words a core; 12 can be in use

  wire clear = !rst_ni || erase_i;

  // The counter block turns by a word whenever a word is loaded, or fed to a core.
  reg [127:0] counter_q;
  reg [1:0] loaded_q, fed_q;
  reg counted_q;  // there is a counter, or a part of one
  wire loading = loaded_q != 2'd0;
  wire begun = fed_q != 2'd0;

  assign counter_ready_o = !begun;
  wire load = counter_valid_i && counter_ready_o;
  wire open = begun || (counted_q && !(counter_valid_i || loading));

  wire core_ready;
  assign data_ready_o = open && core_ready;
  wire fed = data_valid_i && data_ready_o;

  always @(posedge clk_i) begin
    if (clear) begin
      loaded_q <= 2'd0;
      fed_q <= 2'd0;
      counted_q <= 1'b0;
    end else begin
      if (load) loaded_q <= loaded_q + 2'd1;
      if (load) counted_q <= 1'b1;
      if (fed) fed_q <= fed_q + 2'd1;
    end
  end

  wire [31:0] word = counter_q[127:96];

  generate
    if (COUNTER_BITS != 32 && COUNTER_BITS != 64 && COUNTER_BITS != 128) begin : gen_unknown
      COUNTER_BITS_must_be_32_or_64_or_128 u_error ();
    end
  endgenerate

  // The words below the one that is fed lie behind it, and have not counted yet.  One expression,
  // no wires, from which Yosys 0.23 and 0.70 made the very netlist of a fixed counter of 32 bits.
  always @(posedge clk_i) begin
    if (load) counter_q <= {counter_q[95:0], counter_i};
    else if (fed)
      counter_q <= {counter_q[95:0], word + {31'd0,
          COUNTER_BITS == 32 ? fed_q == 2'd3 :
          COUNTER_BITS == 64 ? fed_q == 2'd3 || (fed_q == 2'd2 && &counter_q[95:64]) :
          &({&counter_q[95:64], &counter_q[63:32], &counter_q[31:0]} |
            {fed_q == 2'd3, fed_q >= 2'd2, fed_q != 2'd0})}};
  end

  wire [31:0] stream;
  generate
    if (PAIRED != 0) begin : gen_paired
      aes32x2 u_core (
          .clk_i       (clk_i),
          .rst_ni      (rst_ni),
          .erase_i     (erase_i),
          .key_i       (key_i),
          .key_valid_i (key_valid_i),
          .key_ready_o (key_ready_o),
          .key_bits_i  (key_bits_i),
          .data_i      (word),
          .data_valid_i(data_valid_i && open),
          .data_ready_o(core_ready),
          .decrypt_i   (1'b0),
          .data_o      (stream),
          .data_valid_o(data_valid_o),
          .data_ready_i(data_ready_i)
      );
    end else begin : gen_parallel
      aes32_parallel #(
          .CORES(CORES),
          .DECRYPT(0),
          .SBOX(SBOX)
      ) u_cores (
          .clk_i       (clk_i),
          .rst_ni      (rst_ni),
          .erase_i     (erase_i),
          .key_i       (key_i),
          .key_valid_i (key_valid_i),
          .key_ready_o (key_ready_o),
          .key_bits_i  (key_bits_i),
          .data_i      (word),
          .data_valid_i(data_valid_i && open),
          .data_ready_o(core_ready),
          .decrypt_i   (1'b0),
          .data_o      (stream),
          .data_valid_o(data_valid_o),
          .data_ready_i(data_ready_i)
      );
    end
  endgenerate

  // Data that waits.  A word is written 40 cycles before it is read, at least.
  reg [AddressBits-1:0] write_q, read_q;
  wire leaves = data_valid_o && data_ready_i;
  wire [AddressBits-1:0] next_read = read_q + {{AddressBits - 1{1'b0}}, leaves};
  wire [31:0] waited;

  always @(posedge clk_i) begin
    if (clear) begin
      write_q <= 0;
      read_q  <= 0;
    end else begin
      if (fed) write_q <= write_q + {{AddressBits - 1{1'b0}}, 1'b1};
      read_q <= next_read;
    end
  end

  aes32_word_ram #(
      .ADDRESS_BITS(AddressBits)
  ) u_waiting (
      .clk_i          (clk_i),
      .write_i        (fed),
      .write_address_i(write_q),
      .data_i         (data_i),
      .read_i         (1'b1),
      .read_address_i (next_read),
      .data_o         (waited)
  );

  assign data_o = stream ^ waited;

endmodule

`default_nettype wire
