// SPDX-License-Identifier: MIT
// Made by tools/make_verilog_tables.py.  Row n of a matrix is [8 * n +: 8].
localparam [3:0] NU = 4'h8;
localparam [63:0] ENTER_FORWARD = 64'ha0acd27018fc04a1;
localparam [63:0] LEAVE_FORWARD = 64'h06d0ee3b25693f45;
localparam [63:0] ENTER_INVERSE = 64'hc67178f76f129262;
localparam [63:0] LEAVE_INVERSE = 64'hd48e54cac202b081;
