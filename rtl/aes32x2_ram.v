// SPDX-License-Identifier: MIT
// A synchronous RAM with one write port and one read port, of any width, in the cells asked for.
//
// Interface: at a rising edge with write_i high, data_i is stored at write_address_i.  At a rising
// edge with read_i high, data_o takes the word at read_address_i and keeps it until the next such
// edge.  A word must not be read at the edge that writes it.
// IN_LUTS 0 asks for RAM blocks; 1 leaves the choice to the tool, which for a few words takes
// look-up tables where they serve as RAM (Virtex-II Pro, ECP5), and else flip-flops (iCE40).
//
// Cycles: 1 to write, 1 to read, both at once.
// Cost: RAM blocks; or two look-up tables for each bit of 16 words (Virtex-II Pro), 6 for each 4
// bits (ECP5), and WIDTH flip-flops.

`default_nettype none

module aes32x2_ram #(
    parameter WIDTH = 32,
    parameter ADDRESS_BITS = 7,
    parameter IN_LUTS = 0
) (
    input  wire                    clk_i,
    input  wire                    write_i,
    input  wire [ADDRESS_BITS-1:0] write_address_i,
    input  wire [       WIDTH-1:0] data_i,
    input  wire                    read_i,
    input  wire [ADDRESS_BITS-1:0] read_address_i,
    output reg  [       WIDTH-1:0] data_o
);

  generate
    if (IN_LUTS != 0) begin : gen_small
      (* no_rw_check *)
      reg [WIDTH-1:0] words[0:(1<<ADDRESS_BITS)-1];
      always @(posedge clk_i) begin
        if (write_i) words[write_address_i] <= data_i;
        if (read_i) data_o <= words[read_address_i];
      end
    end else begin : gen_block
      (* ram_style = "block", no_rw_check *)
      reg [WIDTH-1:0] words[0:(1<<ADDRESS_BITS)-1];
      always @(posedge clk_i) begin
        if (write_i) words[write_address_i] <= data_i;
        if (read_i) data_o <= words[read_address_i];
      end
    end
  endgenerate

endmodule

`default_nettype wire
