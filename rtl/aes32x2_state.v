// SPDX-License-Identifier: MIT
// The states of aes32x2: two blocks in four RAMs of bytes, one for each row, so that ShiftRows is
// an address.
//
// Interface: in a cycle with step_i high, column write_column_i of state write_lane_i becomes
// word_i (row 0 highest) if write_i is high, and bytes_o takes from the other state what column
// read_column_i gets from ShiftRows, or from its inverse if inverse_i is high: row r of column
// read_column_i + r, or - r.
// With BLANK 1 there are as many words again: blank_i high reads one of them, and blank_write_i
// high writes there.  They are to hold zeros, once they are written.
//
// Cycles: 1 to write, 1 to read, both at once.
// Cost: four RAMs of 8 or 16 bytes (see aes32x2_ram for IN_LUTS) and a few look-up tables.
// Source: FIPS 197, 5.1.2 and 5.3.1.

`default_nettype none

module aes32x2_state #(
    parameter IN_LUTS = 0,
    parameter BLANK   = 0
) (
    input  wire        clk_i,
    input  wire        step_i,
    input  wire        write_i,
    input  wire        write_lane_i,
    input  wire [ 1:0] write_column_i,
    input  wire [31:0] word_i,
    input  wire [ 1:0] read_column_i,
    input  wire        inverse_i,
    input  wire        blank_i,
    input  wire        blank_write_i,
    output wire [31:0] bytes_o
);

  wire unused = BLANK == 0 && blank_i && blank_write_i;  // ports without a use then
  localparam AddressBits = BLANK != 0 ? 4 : 3;

  wire write = write_i && step_i;
  wire [1:0] next = read_column_i + 2'd1;
  wire [1:0] prior = {!next[1], next[0]};

  // From row 3, the lowest byte, to row 0.
  wire [7:0] columns = {
    read_column_i, inverse_i ? prior : next, !read_column_i[1], read_column_i[0],
    inverse_i ? next : prior
  };

  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : gen_row
      wire [AddressBits-1:0] write_address, read_address;
      assign write_address[2:0] = {write_lane_i, write_column_i};
      assign read_address[2:0]  = {!write_lane_i, columns[2*n+:2]};
      if (BLANK != 0) begin : gen_blank
        assign write_address[AddressBits-1] = blank_write_i;
        assign read_address[AddressBits-1]  = blank_i;
      end

      aes32x2_ram #(
          .WIDTH       (8),
          .ADDRESS_BITS(AddressBits),
          .IN_LUTS     (IN_LUTS)
      ) u_row (
          .clk_i          (clk_i),
          .write_i        (write),
          .write_address_i(write_address),
          .data_i         (word_i[8*n+:8]),
          .read_i         (step_i),
          .read_address_i (read_address),
          .data_o         (bytes_o[8*n+:8])
      );
    end
  endgenerate

endmodule

`default_nettype wire
