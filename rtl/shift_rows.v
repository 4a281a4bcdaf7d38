// SPDX-License-Identifier: MIT
// The state of aes32 and ShiftRows: four shift registers of bytes, one for each row, with taps.
//
// A column enters every cycle, and in the same cycle four bytes leave, one of each row, which are
// the next column that SubBytes wants.  While column s of a round's result enters (slot_i = s), the
// bytes of column c = s + 1 of the following step leave; row r of it was in column c + r of the
// state (c - r for the inverse), which entered d cycles ago:
//             d for c = 0, 1, 2, 3           inverse
//   row 0     3 3 3 3                        3 3 3 3
//   row 1     2 2 2 6                        0 4 4 4
//   row 2     1 1 5 5                        1 1 5 5
//   row 3     0 4 4 4                        2 2 2 6
// d = 0 is the column that is entering, so that a round of four columns takes four cycles.
//
// Interface: at a rising edge with en_i high, column_i (row 0 highest) enters.  bytes_o depends on
// column_i within the cycle.
//
// Cost: 160 flip-flops, the least that hold a state and the columns that replace it; about 50
// look-up tables of four inputs.
// Source: FIPS 197, 5.1.2 and 5.3.1; P. Chodowiec, K. Gaj, Very Compact FPGA Implementation of the
// AES Algorithm, CHES 2003, for shift registers in place of an addressed state.

module shift_rows (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire [ 1:0] slot_i,
    input  wire        inverse_i,
    input  wire [31:0] column_i,
    output wire [31:0] bytes_o
);

  // Byte d - 1 from the right entered d cycles ago.
  reg [23:0] row0_q;
  reg [47:0] row1_q;
  reg [39:0] row2_q;
  reg [47:0] row3_q;

  always @(posedge clk_i) begin
    if (en_i) begin
      row0_q <= {row0_q[15:0], column_i[31:24]};
      row1_q <= {row1_q[39:0], column_i[23:16]};
      row2_q <= {row2_q[31:0], column_i[15:8]};
      row3_q <= {row3_q[39:0], column_i[7:0]};
    end
  end

  // Rows 1 and 3 where the wanted column is ahead of slot_i + 1, and where it is behind it.
  wire wraps = slot_i == 2'd2;
  wire begins = slot_i == 2'd3;
  wire [7:0] row1_ahead = wraps ? row1_q[47:40] : row1_q[15:8];
  wire [7:0] row3_ahead = wraps ? row3_q[47:40] : row3_q[15:8];
  wire [7:0] row1_behind = begins ? column_i[23:16] : row1_q[31:24];
  wire [7:0] row3_behind = begins ? column_i[7:0] : row3_q[31:24];

  assign bytes_o = {
    row0_q[23:16],
    inverse_i ? row1_behind : row1_ahead,
    slot_i == 2'd3 || slot_i == 2'd0 ? row2_q[7:0] : row2_q[39:32],
    inverse_i ? row3_ahead : row3_behind
  };

endmodule
