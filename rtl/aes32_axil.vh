// SPDX-License-Identifier: MIT
// Made by tools/make_register_map.py from rtl/aes32_axil.toml.
// Word addresses of the registers, constants, and the lowest bits of fields.
localparam FifoWords = 8;
localparam [5:0] Id = 6'd0;
localparam [5:0] Version = 6'd1;
localparam [5:0] Control = 6'd2;
localparam [5:0] Status = 6'd3;
localparam [5:0] Key = 6'd4;
localparam [5:0] Data = 6'd5;
localparam [5:0] Result = 6'd6;
localparam [5:0] LastRegister = 6'd6;
localparam [6:0] Readable = 7'b1001111;  // by word address
localparam [6:0] Writable = 7'b0111100;  // by word address
localparam [31:0] IdValue = 32'h41455333;
localparam [31:0] VersionValue = 32'h00020100;
localparam ControlDecrypt = 0;
localparam ControlKeySize = 1;
localparam ControlErase = 3;
localparam ControlInterrupt = 4;
localparam StatusKeyReady = 0;
localparam StatusKeyed = 1;
localparam StatusErasing = 2;
localparam StatusRefused = 3;
localparam StatusDataSpace = 8;
localparam StatusResultWords = 16;
