# SPDX-License-Identifier: MIT
"""Faults planted in copies of the Verilog: the shipped benches find each, with the shipped vectors.

Nothing else is told to the benches, so this is what somebody without Python gets.
"""

from pathlib import Path

import pytest
from few import slow_but

from rtl import SIMULATORS, run, shipped, with_fault

Fault = tuple[str, str, str, str]
"""The core under test, the file that is changed, what is right there, and what is planted."""

FORGERIES: list[Fault] = [
    ("aes_ccm", "aes_ccm_words", "word_q != 32'd0", "word_q[31:1] != 31'd0"),
    ("aes_ccm", "aes_ccm_words", "word_q != 32'd0", "(word_q & 32'hff00ffff) != 32'd0"),
    ("aes_ccm", "aes_ccm_words", "decrypt_q && wrong_q", "decrypt_q && wrong_q && last_q"),
    ("aes_ccm", "aes_ccm_words", "wrong_q) ok_o <= 1'b0", "wrong_q) ok_o <= 1'b1"),
]
"""A wrong MIC that is accepted: a bit, a byte, all words but the last, all."""
LENGTHS: list[Fault] = [
    ("aes_ccm", "aes_ccm_words", "mic_last_q <= word_q[29:28]", "mic_last_q <= word_q[29:28] >> 1"),
    ("aes_ccm", "aes_ccm_words", "<= word_q[15:0]", "<= {1'b0, word_q[14:0]}"),
    ("aes_ccm", "aes_ccm_words", "<= word_q[15:0]", "<= {4'd0, word_q[11:0]}"),
    ("aes_ccm", "aes_ccm_feed", "<= bytes_i[15:4]", "<= {1'b0, bytes_i[14:4]}"),
    ("aes_ccm", "aes_ccm_feed", "<= bytes_i[15:4]", "<= {4'd0, bytes_i[11:4]}"),
    ("aes_ccm", "aes_ccm_feed", "number_q + 16'd1", "{8'd0, number_q[7:0] + 8'd1}"),
    ("aes_ctr", "aes_ctr", "word + {31'd0,", "word[31:16], word[15:0] + {15'd0,"),
    ("aes_ctr", "aes_ctr", "word + {31'd0,", "word[31], word[30:0] + {30'd0,"),
    ("aes_ctr", "aes_ctr", "if (load) counter_q <= {",
     "if (fed && fed_q == 2'd3 && &{word, counter_q[31:0]}) "
     "counter_q <= {counter_q[95:32], 64'd0} + (128'd1 << 64); else if (load) counter_q <= {"),
]  # fmt: skip
"""Bits of a length or of a counter that are lost, and a carry that goes too far."""
BESIDE: list[Fault] = [
    ("aes32x2", "aes32x2", "settled_q <= idle_q && empty", "settled_q <= idle_q"),
    ("aes_ccm", "aes_ccm_words", "may_begin_q && !key_valid_i", "may_begin_q"),
    ("aes32x2", "aes32x2", "(none ? !key_valid_i : fills_q)", "(none || fills_q)"),
    ("aes32x2", "aes32x2", "opens = read_first_q && none;", "opens = read_first_q;"),
    ("aes_ccm", "aes_ccm", "(!reserved_q[1] &&", "("),
    ("aes_ccm", "aes_ccm", "if (used && !stream_ends)", "if (used)"),
    ("aes_ccm", "aes_ccm", "if (stream_ends && !used)", "if (stream_ends)"),
]
"""What is offered together, or meets in one cycle."""
BUS: list[Fault] = [
    ("aes32_axil", "aes32_axil", "&& s_axi_wstrb == 4'hf", ""),
    ("aes32_axil", "aes32_axil", "(!keyed_q || full)", "!keyed_q"),
    ("aes32_axil", "aes32_axil", "      keyed_q <= begun_q && key_left_q == 3'd1;",
     "      if (begun_q && key_left_q == 3'd1) keyed_q <= 1'b1;"),
    ("aes32_axil", "aes32_axil", "s_axi_bvalid && !s_axi_bready);", "1'b0);"),
    ("aes32_axil", "aes32_axil", "s_axi_rvalid && !s_axi_rready);", "1'b0);"),
    ("aes32_axil", "aes32_axil", "else if (s_axi_rready) begin", "else if (1'b0) begin"),
    ("aes32_axil", "aes32_axil", ") u_data (\n      .clk_i  (aclk),\n      .erase_i(clear)",
     ") u_data (\n      .clk_i  (aclk),\n      .erase_i(!aresetn)"),
    ("aes32_axil", "aes32_axil", "interrupts_q && result_words", "result_words"),
    ("aes32_axil", "aes32_axil", "({decrypt_q, swapped})", "({!decrypt_q, swapped})"),
]  # fmt: skip
"""What AXI4-Lite and the page of the registers promise."""
BLOCKS: list[Fault] = [
    ("aes32x2", "aes32_sbox_table", "rom[i] = SBOX[8*i+:8]", "rom[i] = SBOX[8*i+:8] ^ (i == 83)"),
    ("aes32x2", "aes32x2_key_expand", "8'h1b & ", "8'h1d & "),
    ("aes32", "aes32_key_expand", "8'h1b & ", "8'h1d & "),
    ("aes32x2", "aes32x2_state", "inverse_i ? next : prior", "prior"),
    ("aes32x2", "aes32x2", "data_valid_o && !data_ready_i);\n\n", "1'b0);\n\n"),
    ("aes32x2", "aes32x2", "leaving_q || (data_valid_o && !data_ready_i)", "leaving_q"),
    ("aes32x2", "aes32x2", "settled_q <= idle_q && empty", "settled_q <= empty"),
    ("aes32x2", "aes32x2_key_expand", "write_address_o != 6'h3f", "write_address_o != 6'h37"),
    ("aes32x2", "aes32x2", "if (erasing) data_o <= 32'd0;", ""),
    ("aes32x2", "aes32x2_column", "if (clear_i) column_q <= 32'd0;", ""),
    ("aes_ctr", "aes_ctr", "AddressBits = 4 +", "AddressBits = 3 +"),
    ("aes_ctr", "aes_ctr", "AddressBits = 4 +", "AddressBits = 2 +"),
    ("aes_ccm", "aes_ccm_words", "cut_at[1] != cut_at[0], cut_at", "1'b0, cut_at"),
    ("aes_ccm", "aes_ccm_words", "& {4{trims}}", "& {4{step_q[Trim]}}"),
    ("aes_ccm", "aes_ccm", ".erase_i     (erase_i)", ".erase_i     (1'b0)"),
]
"""Words, steps, and what erasing leaves."""
ERASED = """u_cores (
          .clk_i       (clk_i),
          .rst_ni      (rst_ni),
          .erase_i     (erase_i)"""
STREAMS = {
    "A wrong word.": [
        ("aes32_paper", "aes32_mix_column", "8'h1b", "8'h1d"),
        ("aes32_paper", "aes32_paper", "decrypt_q ? state_q[23:16] : state_q[87:80]", "8'd0"),
        ("aes32", "aes32_shift_rows", "{bypass_i, far}", "{bypass_i, begins}"),
        ("aes32", "aes32", "before_last = busy_q && ", "before_last = "),
        ("aes32_parallel", "aes32_column_table", "s8 ^ s2 ^ s}", "s8 ^ s4 ^ s}"),
        ("aes_ctr", "aes_ctr", "32 ? fed_q == 2'd3", "32 ? fed_q == 2'd2"),
    ],
    "A wrong number of cycles.": [
        ("aes32_paper", "aes32_paper", "last ? 3'd6 : 3'd7", "3'd7"),
    ],
    "A word that is lost, or comes twice, where one side waits.": [
        ("aes32", "aes32", "last_q && data_valid_o && !data_ready_i);", "1'b0);"),
        ("aes32", "aes32", "!full && (begun", "(begun"),
        ("aes32_parallel", "aes32_parallel", "data_ready_i && out_turn_q[g]", "out_turn_q[g]"),
        ("aes32_parallel", "aes32_parallel", "if (in_word_q == 2'd3)", "if (in_word_q[0])"),
        ("aes_ctr", "aes_ctr", "leaves = data_valid_o && data_ready_i", "leaves = data_valid_o"),
        ("aes_ctr", "aes_ctr", "if (fed) write_q", "if (fed && !fed_q[0]) write_q"),
    ],
    "A word that changes before it is taken; one that waits for its taker, who waits for it.": [
        ("aes_ctr", "aes_ctr", "stream ^ waited", "stream ^ waited ^ {32{!data_ready_i}}"),
        ("aes32", "aes32", "if (busy_q && last_q && step) data_o", "if (data_ready_i) data_o"),
        ("aes32_parallel", "aes32_parallel", "data_valid_o = |", "data_valid_o = data_ready_i & |"),
    ],
    "What reset or erasing leaves.": [
        ("aes32", "aes32_key_expand", "    if (erasing_o) word_q <= 32'd0;", ""),
        ("aes32", "aes32_key_expand", "keyed_q <= !erasing_o;", "keyed_q <= 1'b1;"),
        ("aes32", "aes32_key_expand", "2'd1, 1'b0} | {4{erasing_o}}", "2'd1, 1'b0}"),
        ("aes32", "aes32", "load_q || erasing)", "load_q)"),
        ("aes32", "aes32", "    if (erasing) data_o <= 32'd0;", ""),
        ("aes32", "aes32", "if (clear) filled_q <= 3'd0;", "if (1'b0) filled_q <= 3'd0;"),
        ("aes32_parallel", "aes32_parallel", ".erase_i     (erase_i)", ".erase_i     (1'b0)"),
        ("aes_ctr", "aes_ctr", "      loaded_q <= 2'd0;", ""),
        ("aes_ctr", "aes_ctr", ERASED, ERASED.replace("(erase_i)", "(1'b0)")),
        ("aes_ctr", "aes_ctr", "(counted_q && !(counter", "(!(counter"),
        ("aes_ctr", "aes_ctr", "      counted_q <= 1'b0;", ""),
    ],
    "What is taken in the cycle of erasing.": [
        ("aes32", "aes32", "if (clear) filled_q", "if (clear && !fill) filled_q"),
        ("aes32", "aes32_key_expand", "if (clear_i) begin", "if (clear_i && !key_valid_i) begin"),
        ("aes32x2", "aes32x2_key_expand", "accepting_q <= 1'b0;", "accepting_q <= begins;"),
        ("aes_ctr", "aes_ctr", "clear) begin\n      loaded", "clear && !load) begin\n      loaded"),
        ("aes_ctr", "aes_ctr", "clear) begin\n      write", "clear && !fed) begin\n      write"),
        ("aes32_paper", "aes32_paper", "phase_q <= Idle;", ""),
    ],
}  # fmt: skip
"""What streams do, by kind."""
KINDS = [FORGERIES, LENGTHS, BESIDE, BUS, BLOCKS, *STREAMS.values()]
FAULTS = [fault for kind in KINDS for fault in kind]
FIRST_OF_A_KIND = [kind[0] for kind in KINDS]


@pytest.mark.parametrize(("top", "file", "right", "wrong"), slow_but(FIRST_OF_A_KIND, FAULTS))
def test_a_planted_fault_is_found(
    tmp_path: Path, top: str, file: str, right: str, wrong: str
) -> None:
    faulty = with_fault(tmp_path, f"{top}_tb", (file, right, wrong))
    run(SIMULATORS["icarus"](faulty), shipped(top), tmp_path, verdict="FAIL")
