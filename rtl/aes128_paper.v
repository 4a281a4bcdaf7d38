// SPDX-License-Identifier: MIT
// AES-128 on packets with a 128-bit datapath: what aes32_paper would be if it were four times as
// wide.
//
// Source: C. Parikh, P. Patel, Performance Evaluation of AES Algorithm on Various Development
// Platforms, who say that a core of 32 bits needs one instance of the S-boxes where one of 128 bits
// needs four; FIPS 197, 5.3.5 for the equivalent inverse cipher.  They describe no such core, so
// this one has the stages of aes32_paper, each for the whole state at once.  The control process is
// that of aes32_paper, line by line.
//
// Interface: that of aes32_paper, in which busy_o is high for as many cycles as stand below.
//
// Cycles: load 4, nine rounds of 5, last round 4, store 4: 57 a block.  A round is
//   cycle 0   ShiftRows, into row_q                        (not with ROW_REGISTER 0)
//   cycle 1   given to the S-box RAM
//   cycle 2   out of the RAM and into sub_q, its output register
//   cycle 3   mixed into mix_q; the last round has no such stage
//   cycle 4   added to the round key, into the state
// ROW_REGISTER 0 gives the state to the S-box RAM directly, as ShiftRows of a whole state is wires
// and a choice between two directions: 4 cycles a round, 47 a block.
// WIDE_PACKET 1 has a packet RAM of 128 bits: load 1 and store 1, so 51 a block.
// Cost: 128 bits of state and three registers as wide, four aes32_mix_column, 13 RAMs (eight for
// S-boxes, four for round keys), 16 with WIDE_PACKET.

`default_nettype none

module aes128_paper #(
    parameter ROW_REGISTER = 1,
    parameter WIDE_PACKET  = 0
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        key_write_i,
    input  wire [ 6:0] key_address_i,
    input  wire [31:0] key_i,
    input  wire        packet_write_i,
    input  wire [ 8:0] packet_address_i,
    input  wire [31:0] packet_i,
    output wire [31:0] packet_o,
    input  wire        start_i,
    input  wire        decrypt_i,
    input  wire [ 6:0] blocks_i,
    output wire        ack_o,
    output wire        busy_o
);

  localparam [1:0] Idle = 2'd0, Load = 2'd1, Round = 2'd2, Store = 2'd3;
  localparam [3:0] LastRound = 4'd10;
  localparam [2:0] LastWord = WIDE_PACKET ? 3'd0 : 3'd3;
  localparam [2:0] Adding = ROW_REGISTER ? 3'd4 : 3'd3;

  // Control: the phase, the cycle within it or within the round, and the block of the packet.
  reg [1:0] phase_q;
  reg [2:0] cycle_q;
  reg [3:0] round_q;
  reg [6:0] block_q, blocks_left_q;
  reg decrypt_q;

  wire last = round_q == LastRound;
  wire phase_ends = cycle_q == (phase_q != Round ? LastWord : last ? Adding - 3'd1 : Adding);
  wire [6:0] next_block = block_q + 7'd1;

  assign ack_o = phase_q == Idle && start_i;
  assign busy_o = phase_q != Idle;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= Idle;
      cycle_q <= 3'd0;
      round_q <= 4'd0;
      block_q <= 7'd0;
      blocks_left_q <= 7'd0;
      decrypt_q <= 1'b0;
    end else if (phase_q == Idle) begin
      if (start_i) begin
        phase_q <= Load;
        decrypt_q <= decrypt_i;
        blocks_left_q <= blocks_i - 7'd1;
      end
      block_q <= 7'd0;
    end else if (!phase_ends) begin
      cycle_q <= cycle_q + 3'd1;
    end else begin
      cycle_q <= 3'd0;
      case (phase_q)
        Load: begin
          phase_q <= Round;
          round_q <= 4'd1;
        end
        Round: begin
          if (last) phase_q <= Store;
          round_q <= last ? 4'd0 : round_q + 4'd1;
        end
        default: begin
          phase_q <= blocks_left_q == 7'd0 ? Idle : Load;
          blocks_left_q <= blocks_left_q - 7'd1;
          block_q <= next_block;
        end
      endcase
    end
  end

  // Round keys: a RAM for each column, so that the four columns are read at once.  The key is asked
  // for one cycle before it is added, in all cycles of its round; round_q is 0 outside of rounds.
  wire [127:0] round_key;
  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : gen_key
      aes32_word_ram #(
          .ADDRESS_BITS(5)
      ) u_keys (
          .clk_i          (clk_i),
          .write_i        (key_write_i && key_address_i[1:0] == i),
          .write_address_i(key_address_i[6:2]),
          .data_i         (key_i),
          .read_i         (1'b1),
          .read_address_i ({busy_o ? decrypt_q : decrypt_i, round_q}),
          .data_o         (round_key[127-32*i-:32])
      );
    end
  endgenerate

  // Packet: a block, or a word of it, is asked for one cycle before it is loaded.
  wire loading = phase_q == Load;
  wire storing = phase_q == Store;
  wire [6:0] read_block = busy_o ? (storing ? next_block : block_q) :
                          start_i ? 7'd0 : packet_address_i[8:2];
  reg [127:0] state_q;
  wire [127:0] loaded;
  wire load_ends = loading && phase_ends;
  generate
    if (WIDE_PACKET) begin : gen_wide
      // A RAM for each column; outside, a word is picked by the address of the cycle before.
      wire [127:0] block;
      reg [1:0] column_q;
      always @(posedge clk_i) column_q <= packet_address_i[1:0];
      for (i = 0; i < 4; i = i + 1) begin : gen_packet
        aes32_word_ram #(
            .ADDRESS_BITS(7)
        ) u_packet (
            .clk_i          (clk_i),
            .write_i        (busy_o ? storing : packet_write_i && packet_address_i[1:0] == i),
            .write_address_i(busy_o ? block_q : packet_address_i[8:2]),
            .data_i         (busy_o ? state_q[127-32*i-:32] : packet_i),
            .read_i         (1'b1),
            .read_address_i (read_block),
            .data_o         (block[127-32*i-:32])
        );
      end
      assign packet_o = block[127-32*column_q-:32];
      assign loaded   = block;
    end else begin : gen_narrow
      wire [1:0] read_column = busy_o ? (loading ? cycle_q[1:0] + 2'd1 : 2'd0) :
                               start_i ? 2'd0 : packet_address_i[1:0];
      aes32_word_ram #(
          .ADDRESS_BITS(9)
      ) u_packet (
          .clk_i          (clk_i),
          .write_i        (busy_o ? storing : packet_write_i),
          .write_address_i(busy_o ? {block_q, cycle_q[1:0]} : packet_address_i),
          .data_i         (busy_o ? state_q[127:96] : packet_i),
          .read_i         (1'b1),
          .read_address_i ({read_block, read_column}),
          .data_o         (packet_o)
      );
      assign loaded = {state_q[95:0], packet_o};
    end
  endgenerate

  // State: words shift in and out; the first round key is added when the last word is there.
  wire [127:0] substituted, mixed, row;
  reg [127:0] sub_q, mix_q;
  wire adding = phase_q == Round && phase_ends;
  wire [127:0] summand = phase_q != Round ? loaded : last ? sub_q : mix_q;

  always @(posedge clk_i) begin
    if (loading || storing || adding)
      state_q <= summand ^ (load_ends || adding ? round_key : 128'd0);
    sub_q <= substituted;
    mix_q <= mixed;
  end

  // ShiftRows: row r of column c comes from column c + r, or c - r in decryption.
  wire [127:0] shifted;
  generate
    for (i = 0; i < 16; i = i + 1) begin : gen_shift
      assign shifted[127-8*i-:8] = decrypt_q ? state_q[127-8*((13*i)%16)-:8]
                                             : state_q[127-8*((5*i)%16)-:8];
    end
    if (ROW_REGISTER) begin : gen_row
      reg [127:0] row_q;
      always @(posedge clk_i) row_q <= shifted;
      assign row = row_q;
    end else begin : gen_direct
      assign row = shifted;
    end
    for (i = 0; i < 4; i = i + 1) begin : gen_column
      aes32_sbox_table u_sbox (
          .clk_i    (clk_i),
          .en_i     (1'b1),
          .inverse_i(decrypt_q),
          .word_i   (row[127-32*i-:32]),
          .word_o   (substituted[127-32*i-:32])
      );
      aes32_mix_column u_mix (
          .inverse_i(decrypt_q),
          .column_i (sub_q[127-32*i-:32]),
          .column_o (mixed[127-32*i-:32])
      );
    end
  endgenerate

endmodule

`default_nettype wire
