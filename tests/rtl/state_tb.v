// SPDX-License-Identifier: MIT
// The two memories of the cores: aes32_word_ram, and aes32_shift_rows.
//
// Prints "error ..." when aes32_word_ram does not give what was written or forgets it while read_i
// is low.  Streams random columns through aes32_shift_rows, with random pauses, and prints
// "rows INVERSE ENTERING LEAVING" for each; every fourth begins a state.
`timescale 1 ns / 1 ps

module state_tb;
  reg clk = 1'b0;
  always #5 clk = !clk;

  reg write, read;
  reg [4:0] write_address, read_address;
  reg [31:0] stored;
  wire [31:0] loaded;
  aes32_word_ram #(.ADDRESS_BITS(5)) u_ram (
      .clk_i(clk), .write_i(write), .write_address_i(write_address), .data_i(stored),
      .read_i(read), .read_address_i(read_address), .data_o(loaded)
  );

  reg en, inverse, load, looking, bypass;
  reg [1:0] slot;
  reg [31:0] entering;
  wire [31:0] leaving;
  aes32_shift_rows u_rows (
      .clk_i(clk), .en_i(en), .slot_i(slot), .inverse_i(inverse),
      .load_i(load), .bypass_i(bypass), .word_i(bypass ? ~entering : load ? entering : 32'dx),
      .result_i(load || looking ? 32'dx : entering),
      .late_bytes_i(load ? 16'dx : {entering[23:16], entering[7:0]}), .bytes_o(leaving)
  );

  function [31:0] pattern;
    input [4:0] address;
    pattern = {3'd5, address, ~address, 19'h15a5a} ^ {27'd0, address};
  endfunction

  task check_ram;
    begin
      read = 1'b0;
      for (n = 0; n < 32; n = n + 1) begin
        write = 1'b1;
        write_address = n[4:0];
        stored = pattern(n[4:0]);
        @(negedge clk);
      end
      for (n = 31; n >= 0; n = n - 1) begin
        write = n[0];
        write_address = n[4:0] + 5'd1;
        stored = pattern(n[4:0] + 5'd1);
        read = 1'b1;
        read_address = n[4:0];
        @(negedge clk);
        read = 1'b0;
        read_address = ~n[4:0];
        if (loaded !== pattern(n[4:0])) $display("error word %0d is %h", n, loaded);
        @(negedge clk);
        if (loaded !== pattern(n[4:0])) $display("error word %0d not kept", n);
      end
    end
  endtask

  integer n;
  initial begin
    en = 1'b0;
    looking = 1'b0;
    check_ram;
    write = 1'b0;
    for (n = 0; n < 800; n = n + 1) begin
      slot = n[1:0];
      inverse = n >= 400;
      entering = $random;
      en = 1'b0;
      if ($random % 3 == 0) @(negedge clk);
      en = 1'b1;
      load = $random;
      bypass = 1'b1;
      #1 if (leaving !== ~entering) $display("error not bypassed");
      bypass = 1'b0;
      looking = 1'b1;  // the result itself comes late, but in time for the edge
      #1 $display("rows %b %h %h", inverse, entering, leaving);
      looking = 1'b0;
      @(negedge clk);
    end
    $finish;
  end

endmodule
