// SPDX-License-Identifier: MIT
// AES-128 on packets, 87 cycles a block: the core of Parikh and Patel, rebuilt as a baseline.
//
// Source: C. Parikh, P. Patel, Performance Evaluation of AES Algorithm on Various Development
// Platforms; FIPS 197, 5.3.5 for the equivalent inverse cipher.  32-bit datapath, the hardware of
// one round re-used, S-boxes, round keys and packet in synchronous block RAM.
//
// Interface: software fills the round keys, {decrypt, round, column} being the address, those for
// decryption in the order of use with InvMixColumns applied; it fills the packet, and raises
// start_i with decrypt_i and the number of blocks (0 means 128).  ack_o answers in the same cycle,
// busy_o follows for exactly 87 * blocks_i cycles, the packet is replaced.  packet_o holds the
// word of the address of the cycle before.  Keys and packet are not written in the cycle of start_i
// nor while busy_o is high; packet_o is undefined after a cycle that writes its address.
// Reset is asynchronous, active low, and ends the work; keys and packet stay.
//
// Cycles: load 4, nine rounds of 8, last round 7, store 4.  Column c (0 to 3) of a round is
//   cycle c      picked from the state by ShiftRows into row_q
//   cycle c + 1  given to the S-box RAM
//   cycle c + 2  out of the RAM and into sub_q, its output register (the RAM's latency)
//   cycle c + 3  mixed into mix_q; the last round has no such stage, hence 7
//   cycle c + 4  added to the round key and shifted into the state (last round: c + 3)
// so 4 columns through 5 stages take 8 cycles, and the next round begins when the state is whole.
// Cost: 128 bits of state, 96 bits of registers, aes32_mix_column, 4 RAMs (two for S-boxes).

`default_nettype none

module aes32_paper (
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

  // Control: the phase, the cycle within it or within the round, and the block of the packet.
  reg [1:0] phase_q;
  reg [2:0] cycle_q;
  reg [3:0] round_q;
  reg [6:0] block_q, blocks_left_q;
  reg decrypt_q;

  wire last = round_q == LastRound;
  wire phase_ends = cycle_q == (phase_q != Round ? 3'd3 : last ? 3'd6 : 3'd7);
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

  // Packet: a word is asked for one cycle before it is loaded; word 0 in the last cycle of Store.
  wire loading = phase_q == Load;
  wire storing = phase_q == Store;
  reg [8:0] packet_read;
  always @* begin
    if (busy_o)
      packet_read = {storing ? next_block : block_q, loading ? cycle_q[1:0] + 2'd1 : 2'd0};
    else packet_read = start_i ? 9'd0 : packet_address_i;
  end

  wire [31:0] first_column;
  aes32_word_ram #(
      .ADDRESS_BITS(9)
  ) u_packet (
      .clk_i          (clk_i),
      .write_i        (busy_o ? storing : packet_write_i),
      .write_address_i(busy_o ? {block_q, cycle_q[1:0]} : packet_address_i),
      .data_i         (busy_o ? first_column : packet_i),
      .read_i         (1'b1),
      .read_address_i (packet_read),
      .data_o         (packet_o)
  );

  // Round keys: asked for one cycle before they are added.  The column being added is cycle_q in
  // Load, cycle_q - 4 in a round, cycle_q - 3 in the last one.
  wire adding = phase_q == Round && (cycle_q[2] || (last && cycle_q[1:0] == 2'd3));
  wire [1:0] key_column = cycle_q[1:0] + (last ? 2'd2 : 2'd1);
  wire [31:0] round_key;
  aes32_word_ram #(
      .ADDRESS_BITS(7)
  ) u_keys (
      .clk_i          (clk_i),
      .write_i        (key_write_i),
      .write_address_i(key_address_i),
      .data_i         (key_i),
      .read_i         (1'b1),
      .read_address_i (phase_q == Load || phase_q == Round ?
                       {decrypt_q, round_q, key_column} :
                       {busy_o ? decrypt_q : decrypt_i, 6'd0}),
      .data_o         (round_key)
  );

  // State: columns shift through; a round's own first four shifts turn it around once, so that
  // ShiftRows finds the columns at fixed places.
  reg [31:0] row_q, sub_q, mix_q;
  reg [127:0] state_q;
  wire [31:0] substituted, mixed;
  assign first_column = state_q[127:96];

  wire [31:0] summand = loading ? packet_o : last ? sub_q : mix_q;
  wire [31:0] entering = loading || adding ? summand ^ round_key : first_column;

  always @(posedge clk_i) begin
    if (busy_o) state_q <= {state_q[95:0], entering};
    row_q <= {
      state_q[127:120],
      decrypt_q ? state_q[23:16] : state_q[87:80],
      state_q[47:40],
      decrypt_q ? state_q[71:64] : state_q[7:0]
    };
    sub_q <= substituted;
    mix_q <= mixed;
  end

  aes32_sbox_table u_sbox (
      .clk_i    (clk_i),
      .en_i     (1'b1),
      .inverse_i(decrypt_q),
      .word_i   (row_q),
      .word_o   (substituted)
  );

  aes32_mix_column u_mix (
      .inverse_i(decrypt_q),
      .column_i (sub_q),
      .column_o (mixed)
  );

endmodule

`default_nettype wire
