// SPDX-License-Identifier: MIT
// aes_gcm behind AXI4-Stream ports, for a DMA: a packet is several frames, and s_axis_tlast ends
// each.
//
// Streams:
//   s_axis_key  4, 6 or 8 words of a key; s_axis_key_tuser is 0, 1, 2 for these.
//   s_axis      the IV (3 words; tuser is high with the first to decrypt), the associated data, the
//               text, and, to decrypt, the tag (4 words).  Byte 0 is tdata[7:0].  With tlast those
//               bytes count, from the lowest without a gap, for which tkeep is high; a frame
//               without data is a word with tkeep 0.
//   m_axis      the text, unused bytes zero, in frames as it came; in encryption a frame of the tag
//               follows.  Decrypted text must not be used before done and ok are high.
// erase, done and ok are those of aes_gcm; aresetn is active low, for two rising edges.
// Cycles: those of aes_gcm.
// Cost: that of aes_gcm and a few look-up tables for the order of bytes.
//
// Cycles, cost: those of aes_gcm, and a few look-up tables.
// Source: AMBA AXI-Stream protocol specification, IHI 0051, part 2.

`default_nettype none

module aes_gcm_axis (
    (* X_INTERFACE_PARAMETER =
       "ASSOCIATED_BUSIF s_axis:s_axis_key:m_axis, ASSOCIATED_RESET aresetn" *)
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        erase,
    input  wire [31:0] s_axis_key_tdata,
    input  wire [ 1:0] s_axis_key_tuser,
    input  wire        s_axis_key_tvalid,
    output wire        s_axis_key_tready,
    input  wire [31:0] s_axis_tdata,
    input  wire [ 3:0] s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tuser,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [31:0] m_axis_tdata,
    output wire [ 3:0] m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire        done,
    output wire        ok
);

  function [31:0] swapped;
    input [31:0] a;
    swapped = {a[7:0], a[15:8], a[23:16], a[31:24]};
  endfunction

  wire [31:0] given;
  wire [2:0] bytes;
  wire [2:0] kept = {2'd0, s_axis_tkeep[0]} + {2'd0, s_axis_tkeep[1]} + {2'd0, s_axis_tkeep[2]}
      + {2'd0, s_axis_tkeep[3]};
  assign m_axis_tdata = swapped(given);
  assign m_axis_tkeep = {bytes[2], bytes[2] || &bytes[1:0], bytes[2:1] != 2'd0, bytes != 3'd0};

  aes_gcm u_gcm (
      .clk_i             (aclk),
      .rst_ni            (aresetn),
      .erase_i           (erase),
      .key_i             (swapped(s_axis_key_tdata)),
      .key_valid_i       (s_axis_key_tvalid),
      .key_ready_o       (s_axis_key_tready),
      .key_bits_i        (s_axis_key_tuser),
      .data_i            (swapped(s_axis_tdata)),
      .data_bytes_i      (kept),
      .data_last_i       (s_axis_tlast),
      .data_valid_i      (s_axis_tvalid),
      .data_ready_o      (s_axis_tready),
      .decrypt_i         (s_axis_tuser),
      .unverified_o      (given),
      .unverified_bytes_o(bytes),
      .unverified_last_o (m_axis_tlast),
      .unverified_valid_o(m_axis_tvalid),
      .unverified_ready_i(m_axis_tready),
      .done_o            (done),
      .ok_o              (ok)
  );

endmodule

`default_nettype wire
