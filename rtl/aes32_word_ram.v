// SPDX-License-Identifier: MIT
// A synchronous RAM of 32-bit words with one write port and one read port, for block RAM.
//
// Interface: at a rising edge with write_i high, data_i is stored at write_address_i.  At a rising
// edge with read_i high, data_o takes the word at read_address_i and keeps it until the next such
// edge.  A read of the word that the same edge writes gives the old one in simulation; the cores
// never depend on it.
//
// Cycles: 1 to write, 1 to read, both at once.
// Cost: no logic; one RAMB16 or DP16KD, or two RAMs of an iCE40.

`default_nettype none

module aes32_word_ram #(
    parameter ADDRESS_BITS = 7
) (
    input  wire                    clk_i,
    input  wire                    write_i,
    input  wire [ADDRESS_BITS-1:0] write_address_i,
    input  wire [            31:0] data_i,
    input  wire                    read_i,
    input  wire [ADDRESS_BITS-1:0] read_address_i,
    output reg  [            31:0] data_o
);

  (* ram_style = "block", no_rw_check *)
  reg [31:0] words [0:(1<<ADDRESS_BITS)-1];

  always @(posedge clk_i) begin
    if (write_i) words[write_address_i] <= data_i;
    if (read_i) data_o <= words[read_address_i];
  end

endmodule

`default_nettype wire
