// SPDX-License-Identifier: MIT
// The round keys of aes32x2: their RAM, what fills it, and the way of a word to its column.
//
// Interface: in a cycle with step_i high, round_i, column_i and decrypt_i say what a column in
// stage 1 needs.  after_o has its word in stage 5, where round keys are added after MixColumns.
// KEY_EXPANSION 1 expands keys (aes32x2_key_expand; its ports are handed on), and one schedule
// serves both directions: for the rounds of decryption, which between_i tells of in stage 2,
// before_o has the word in stage 3, before InvMixColumns, and after_o is zero.
// KEY_EXPANSION 0 takes expanded keys (aes32x2_key_load), and before_o is zero.
//
// Cycles: 4 from stage 1 to after_o, 2 to before_o.
// Cost: a RAM of 64 or 128 words, and those of the module that fills it.
// Source: FIPS 197, 5.3 and 5.3.5.

`default_nettype none

module aes32x2_keys #(
    parameter KEY_EXPANSION = 1
) (
    input  wire        clk_i,
    input  wire        clear_i,
    input  wire        step_i,
    input  wire [31:0] key_i,
    input  wire        key_valid_i,
    output wire        key_ready_o,
    input  wire [ 1:0] key_bits_i,
    input  wire        idle_i,
    output wire        busy_o,
    output wire        ready_o,
    output wire        erasing_o,
    output wire        erasing_blank_o,
    output wire [ 3:0] rounds_o,
    output wire [31:0] look_o,
    output wire [31:0] word_o,
    output wire [31:0] given_o,
    input  wire [31:0] made_i,
    input  wire [31:0] made_q_i,
    input  wire [ 3:0] round_i,
    input  wire [ 1:0] column_i,
    input  wire        decrypt_i,
    input  wire        between_i,
    output wire [31:0] before_o,
    output wire [31:0] after_o
);

  generate
    if (KEY_EXPANSION != 0) begin : gen_expand
      wire expanding, write;
      wire [5:0] read_address, write_address;
      wire [31:0] word;

      // In decryption Nr - round_i; Nr is even.
      wire [2:0] from = rounds_o[3:1] & {3{decrypt_i}};
      wire [2:0] minus = round_i[3:1] ^ {3{decrypt_i}};
      wire carry_1 = (from[0] && minus[0]) || ((from[0] || minus[0]) && !round_i[0] && decrypt_i);
      wire carry_2 = (from[1] && minus[1]) || ((from[1] || minus[1]) && carry_1);
      wire [3:0] number = {
        from ^ minus ^ {carry_2, carry_1, decrypt_i && !round_i[0]}, round_i[0]
      };
      reg [31:0] before_q, after_3_q, after_4_q, after_5_q;

      aes32x2_ram #(
          .ADDRESS_BITS(6)
      ) u_words (
          .clk_i          (clk_i),
          .write_i        (write),
          .write_address_i(write_address),
          .data_i         (made_q_i),
          .read_i         (step_i),
          .read_address_i (expanding ? read_address : {number, column_i}),
          .data_o         (word)
      );

      aes32x2_key_expand u_expand (
          .clk_i          (clk_i),
          .clear_i        (clear_i),
          .key_i          (key_i),
          .key_valid_i    (key_valid_i),
          .key_ready_o    (key_ready_o),
          .key_bits_i     (key_bits_i),
          .idle_i         (idle_i),
          .busy_o         (busy_o),
          .expanding_o    (expanding),
          .ready_o        (ready_o),
          .erasing_o      (erasing_o),
          .rounds_o       (rounds_o),
          .look_o         (look_o),
          .word_o         (word_o),
          .given_o        (given_o),
          .column_i       (made_i),
          .read_address_o (read_address),
          .write_o        (write),
          .write_address_o(write_address)
      );

      always @(posedge clk_i) begin
        if (step_i) begin
          before_q <= word;
          if (!between_i && !expanding) before_q <= 32'd0;
          after_3_q <= word;
          if (between_i || erasing_o) after_3_q <= 32'd0;
          after_4_q <= after_3_q;
          after_5_q <= after_4_q;
        end
      end

      assign before_o = before_q;
      assign after_o = after_5_q;
      assign erasing_blank_o = write_address[3];  // 0 at rest
    end else begin : gen_load
      wire write;
      wire [6:0] write_address;
      wire [31:0] write_data, word;
      reg [6:0] address_2_q, address_3_q;
      reg [31:0] after_5_q;

      aes32x2_ram u_words (
          .clk_i          (clk_i),
          .write_i        (write),
          .write_address_i(write_address),
          .data_i         (write_data),
          .read_i         (step_i),
          .read_address_i (address_3_q),
          .data_o         (word)
      );

      aes32x2_key_load u_load (
          .clk_i          (clk_i),
          .clear_i        (clear_i),
          .key_i          (key_i),
          .key_valid_i    (key_valid_i),
          .key_ready_o    (key_ready_o),
          .key_bits_i     (key_bits_i),
          .idle_i         (idle_i),
          .ready_o        (ready_o),
          .erasing_o      (erasing_o),
          .rounds_o       (rounds_o),
          .write_o        (write),
          .write_address_o(write_address),
          .write_data_o   (write_data)
      );

      always @(posedge clk_i) begin
        if (step_i) begin
          address_2_q <= {decrypt_i, round_i, column_i};
          address_3_q <= address_2_q;
          after_5_q   <= word;
        end
      end

      // Nothing is made on the path, and the state needs no blank words: all these are zero.
      wire unused = &{1'b0, between_i, made_i, made_q_i};
      assign busy_o = 1'b0;
      assign erasing_blank_o = unused;
      assign look_o = 32'd0;
      assign word_o = 32'd0;
      assign given_o = 32'd0;
      assign before_o = 32'd0;
      assign after_o = after_5_q;
    end
  endgenerate

endmodule

`default_nettype wire
