# SPDX-License-Identifier: MIT
"""The Verilog design aes_ccm_axis beside published packets and the C library.

Its bench compares every word of output, where frames end, errors, and whether the MIC was right,
with what it is told to want, and says PASS or FAIL.
"""

import random
from pathlib import Path

import pytest
from few import slow_but

from rtl import CCM, CCM_AXIS_BENCH, CCM_BENCH, SIMULATORS, bench, run, shipped, with_fault

commands, random_packets = CCM_AXIS_BENCH.commands, CCM_BENCH.random_packets


def passes(lines: list[str] | tuple[str, ...], folder: Path) -> None:
    run(SIMULATORS["verilator"](bench("aes_ccm_axis_tb")), lines, folder, verdict="PASS")


def test_published_packets_sizes_ends_and_errors(tmp_path: Path) -> None:
    passes(shipped("aes_ccm_axis"), tmp_path)


@pytest.mark.parametrize("gaps", range(4))
def test_random_packets(tmp_path: Path, gaps: int) -> None:
    passes([f"s {gaps} 0", *commands(random_packets(300, gaps))], tmp_path)


@pytest.mark.parametrize("text", [1, 65535])
def test_the_longest_data(tmp_path: Path, text: int) -> None:
    """Of the associated data, 2 bytes of length hold up to 65279; one more is an error."""
    rng = random.Random(text)
    one = CCM.sealed(bytes(16), bytes(13), rng.randbytes(65279), rng.randbytes(text), 16)
    passes(commands([(one, False), (one, True)]), tmp_path)


@pytest.mark.parametrize("command", ["r", "z", "y"])
def test_reset_and_erasing_leave_nothing(tmp_path: Path, command: str) -> None:
    """At any cycle of a packet; then all works as after power-on."""
    rng, lines = random.Random(5), []
    for wait in range(90):
        lost, kept = (commands(random_packets(n, rng.getrandbits(32))) for n in (1, 2))
        ending = f"{command} {7 * wait} {rng.getrandbits(32):08x}"
        lines += [*lost[: rng.randint(1, len(lost))], ending, *kept]
    passes(lines, tmp_path)


FAULTS = {
    "B0: a flag, the length of the nonce, a byte behind it, the length of the text.": [
        ("{1'b0, !no_data, mic", "{1'b0, 1'b1, mic"),
        ("3'd6 - option_nonce", "3'd7 - option_nonce"),
        ("nonce_bytes_q > 4'd12", "nonce_bytes_q > 4'd11"),
        ("{8{nonce_bytes_q > 4'd7}}", "8'hff"),
        ("{fourth_nonce, text_bytes_q}", "{fourth_nonce, 1'b0, text_bytes_q[14:0]}"),
        ("option_mic[3:1] - 3'd1", "option_mic[3:1]"),
    ],
    "Associated data: bytes behind the end, a block too many or too few, its length.": [
        ("{8{left_keep[1] || !ends_q}}", "8'hff"),
        ("over = left_q[2:0] > 3'd2", "over = left_q[2:0] > 3'd1"),
        ("over = left_q[2:0] > 3'd2", "over = left_q[2:0] > 3'd3"),
        ("if (padded || clear) carry_q", "if (clear) carry_q"),
        ("fourth ? data_bytes_q :", "fourth ? {data_bytes_q[7:0], data_bytes_q[15:8]} :"),
    ],
    "A frame of output ends elsewhere; its bytes.": [
        ("mic_last = mic_index_q == mic_q[2:1]", "mic_last = mic_index_q == 2'd3"),
        ("{2{mic_q[0] || !mic_last}}", "{2{mic_q[0]}}"),
        ("if (gives && tail_q) mic_index_q", "if (gives) mic_index_q"),
        ("text_keep_q <= left_keep |", "text_keep_q <= 4'd0 |"),
        ("(gives && last_q) ||", "1'b0 ||"),
        ("&& text_ready) {last_q", ") {last_q"),
    ],
    "A size that CCM has not is taken; a frame that ends early, late or has too many bytes.": [
        ("option_nonce[3:0] > 4'd6", "option_nonce[3:0] > 4'd5"),
        ("option_nonce[3:0] < 4'd14", "option_nonce[3:0] < 4'd15"),
        ("&& !option_mic[0]", ""),
        ("option_mic[3:1] > 3'd1)", "option_mic[3:1] > 3'd0)"),
        ("s_axis_tdata[31:17] == 15'd0", "s_axis_tdata[31:18] == 14'd0"),
        ("&s_axis_tdata[31:24]", "1'b0"),
        ("s_axis_tlast != ends ||", "(s_axis_tlast && !ends) ||"),
        ("s_axis_tlast != ends ||", "(!s_axis_tlast && ends) ||"),
        ("s_axis_tkeep != left_keep)", "1'b0)"),
        ("!valid_q && !error_q", "!valid_q"),
    ],
    "A key or packet is taken where none should be.": [
        ("|| header_ready)", "|| 1'b1)"),
        ("key_ready && part_q[Sizes];", "key_ready;"),
        ("(s_axis_key_tvalid && part_q[Sizes])", "(s_axis_key_tvalid)"),
    ],
    "Erasing leaves something.": [
        ("clear = !aresetn || erase", "clear = !aresetn"),
        (".erase_i           (erase)", ".erase_i           (1'b0)"),
        ("      error_q <= 1'b0;", ""),
    ],
}  # fmt: skip
"""By what they do: what is right, what is wrong."""
FIRST_OF_A_KIND = [kind[0] for kind in FAULTS.values()]


@pytest.mark.parametrize(
    ("right", "wrong"),
    slow_but(FIRST_OF_A_KIND, [fault for kind in FAULTS.values() for fault in kind]),
)
def test_the_bench_finds_faults(tmp_path: Path, right: str, wrong: str) -> None:
    faulty = with_fault(tmp_path, "aes_ccm_axis_tb", ("aes_ccm_axis", right, wrong))
    run(SIMULATORS["icarus"](faulty), shipped("aes_ccm_axis"), tmp_path, verdict="FAIL")
