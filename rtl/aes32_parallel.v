// SPDX-License-Identifier: MIT
// CORES cores aes32 side by side behind the streams of one: blocks are dealt to them in turn, and
// results come in the order of the blocks.
//
// Ports, streams and the parameters KEY_EXPANSION, DECRYPT and SBOX are those of aes32.  Each
// core expands the key for itself; it is taken when all are empty, and key_valid_i high lets no
// further block begin.  A core whose turn has not come holds its result and waits.  erase_i, and
// rst_ni, which is active low and synchronous, erase all cores, as in aes32.
//
// Cycles: blocks move at 4 cycles each at most, on both sides, so up to 10 cores are kept busy;
// a block every 40 / CORES cycles of AES-128 in the mean (40, 20, 10 for 1, 2, 4), in bursts of
// CORES blocks; 48 and 56 for the longer keys.  The latency of a block, and key set-up, are as for
// one core.
// Cost: the cores, a ring of CORES flip-flops on each side, a multiplexer of CORES words.
// Source: the parallel operation of independent blocks (ECB, CTR), SP 800-38A, 6.1 and 6.5.

`default_nettype none

module aes32_parallel #(
    parameter CORES = 2,
    parameter KEY_EXPANSION = 1,
    parameter DECRYPT = 1,
    parameter [8*13-1:0] SBOX = "column_table"
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        erase_i,
    input  wire [31:0] key_i,
    input  wire        key_valid_i,
    output wire        key_ready_o,
    input  wire [ 1:0] key_bits_i,
    input  wire [31:0] data_i,
    input  wire        data_valid_i,
    output wire        data_ready_o,
    input  wire        decrypt_i,
    output reg  [31:0] data_o,
    output wire        data_valid_o,
    input  wire        data_ready_i
);

  // Whose turn it is, one-hot, and how many words of the block have passed.
  reg [CORES-1:0] in_turn_q, out_turn_q;
  reg [1:0] in_word_q, out_word_q;

  wire [CORES-1:0] key_ready, data_ready, given_valid;
  wire [32*CORES-1:0] given;

  assign key_ready_o = &key_ready;
  wire begun = in_word_q != 2'd0;
  wire open = begun || !key_valid_i;
  assign data_ready_o = open && |(in_turn_q & data_ready);
  assign data_valid_o = |(out_turn_q & given_valid);

  function [CORES-1:0] next;
    input [CORES-1:0] turn;
    next = (turn << 1) | (turn >> (CORES - 1));
  endfunction

  always @(posedge clk_i) begin
    if (!rst_ni || erase_i) begin
      in_turn_q  <= 1;
      in_word_q  <= 2'd0;
      out_turn_q <= 1;
      out_word_q <= 2'd0;
    end else begin
      if (data_valid_i && data_ready_o) begin
        in_word_q <= in_word_q + 2'd1;
        if (in_word_q == 2'd3) in_turn_q <= next(in_turn_q);
      end
      if (data_valid_o && data_ready_i) begin
        out_word_q <= out_word_q + 2'd1;
        if (out_word_q == 2'd3) out_turn_q <= next(out_turn_q);
      end
    end
  end

  integer n;
  always @* begin
    data_o = 32'd0;
    for (n = 0; n < CORES; n = n + 1) data_o = data_o | ({32{out_turn_q[n]}} & given[32*n+:32]);
  end

  genvar g;
  generate
    for (g = 0; g < CORES; g = g + 1) begin : gen_core
      aes32 #(
          .KEY_EXPANSION(KEY_EXPANSION),
          .DECRYPT(DECRYPT),
          .SBOX(SBOX)
      ) u_core (
          .clk_i       (clk_i),
          .rst_ni      (rst_ni),
          .erase_i     (erase_i),
          .key_i       (key_i),
          .key_valid_i (key_valid_i && key_ready_o),
          .key_ready_o (key_ready[g]),
          .key_bits_i  (key_bits_i),
          .data_i      (data_i),
          .data_valid_i(data_valid_i && open && in_turn_q[g]),
          .data_ready_o(data_ready[g]),
          .decrypt_i   (decrypt_i),
          .data_o      (given[32*g+:32]),
          .data_valid_o(given_valid[g]),
          .data_ready_i(data_ready_i && out_turn_q[g])
      );
    end
  endgenerate

endmodule

`default_nettype wire
