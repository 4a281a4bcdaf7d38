# SPDX-License-Identifier: MIT
"""The Verilog design aes_gcm beside published packets and the C library.

Its bench compares every word of output, and whether the tag was right, with what it is told to
want, and says PASS or FAIL.
"""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from few import slow_but
from vectors import unhex, wycheproof

from rtl import CCM, GCM_BENCH, SIMULATORS, bench, run, shipped, with_fault

commands, random_packets = GCM_BENCH.commands, GCM_BENCH.random_packets


def passes(lines: Sequence[str], folder: Path, simulator: str = "verilator") -> None:
    run(SIMULATORS[simulator](bench("aes_gcm_tb")), lines, folder, verdict="PASS")


@pytest.mark.parametrize("simulator", slow_but(["verilator"], ["verilator", "icarus"]))
def test_published_packets_forgeries_and_ends(tmp_path: Path, simulator: str) -> None:
    passes(shipped("aes_gcm"), tmp_path, simulator)


def test_behind_axi_stream(tmp_path: Path) -> None:
    simulation = SIMULATORS["verilator"](bench("aes_gcm_tb", AXIS=1))
    run(simulation, shipped("aes_gcm"), tmp_path, verdict="PASS")


AXIS_FAULTS = [
    ("aes_gcm_axis", "bytes[2] || &bytes[1:0]", "bytes[2] || bytes[1]"),
    ("aes_gcm_axis", "{2'd0, s_axis_tkeep[0]}", "{2'd0, s_axis_tkeep[1]}"),
    ("aes_gcm_axis", "(swapped(s_axis_key_tdata))", "(s_axis_key_tdata)"),
]


@pytest.mark.parametrize(("file", "right", "wrong"), slow_but(AXIS_FAULTS[:1], AXIS_FAULTS))
def test_faults_behind_axi_stream(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    faulty = with_fault(tmp_path, "aes_gcm_tb", (file, right, wrong), AXIS=1)
    run(SIMULATORS["icarus"](faulty), shipped("aes_gcm"), tmp_path, verdict="FAIL")


@pytest.mark.parametrize("gaps", range(4))
def test_random_packets(tmp_path: Path, gaps: int) -> None:
    passes([f"s {gaps} 0", *commands(random_packets(300, gaps))], tmp_path)


def test_wycheproof(tmp_path: Path) -> None:
    """All with an IV of 96 bits and a whole tag; a wrong one is refused."""
    works = []
    for group, test in wycheproof("Cipher/wycheproof/aes_gcm_test.json"):
        if group["ivSize"] == 96 and group["tagSize"] == 8 * GCM_BENCH.TAG:
            key, iv, ad, plain, cipher, tag = (
                unhex(test[name]) for name in ("key", "iv", "aad", "msg", "ct", "tag")
            )
            packet = CCM.Packet(key, iv, ad, plain, cipher + tag, test["result"] == "valid")
            works += [(packet, True), (packet, False)] if packet.good else [(packet, True)]
    assert len(works) > 200
    assert not all(packet.good for packet, _ in works)
    passes(commands(works), tmp_path)


@pytest.mark.parametrize("command", ["r", "z", "y"])
def test_reset_and_erasing_leave_nothing(tmp_path: Path, command: str) -> None:
    """At any cycle of a packet; then all works as after power-on."""
    rng, lines = random.Random(5), []
    for wait in range(60):
        lost, kept = (commands(random_packets(n, rng.getrandbits(32))) for n in (1, 2))
        ending = f"{command} {11 * wait} {rng.getrandbits(32):08x}"
        lines += [*lost[: rng.randint(1, len(lost))], ending, *kept]
    passes(lines, tmp_path)


FAULTS = {
    "A wrong tag is not seen: a bit of it, a word, all.": [
        ("aes_gcm_words", "wrong_q <= word_q != 32'd0", "wrong_q <= word_q[31:1] != 31'd0"),
        ("aes_gcm_words", "decrypt_q && wrong_q) ok_o", "decrypt_q && wrong_q && !fourth) ok_o"),
        ("aes_gcm_words", "wrong_q) ok_o <= 1'b0", "wrong_q) ok_o <= 1'b1"),
    ],
    "Plaintext is hashed.": [
        ("aes_gcm_words", "(step_q[Keep] && decrypt_q) || (step_q[Give] && !decrypt_q)",
         "step_q[Keep]"),
    ],
    "Bytes behind the end count.": [
        ("aes_gcm_words", "behind_q & {4{step_q[Trim] || step_q[Cut]}}",
         "behind_q & {4{step_q[Trim]}}"),
        ("aes_gcm_words", "!data_bytes_i[1],", "1'b0,"),
    ],
    "A length is wrong; a part without data has a block.": [
        ("aes_gcm_words", "rest_q  <= bytes_q[1:0]", "rest_q  <= 2'd0"),
        ("aes_gcm_words", "{26'd0, bytes_q[2]}", "{26'd0, 1'b1}"),
        ("aes_gcm_words", "(fourth || skips)", "fourth"),
        ("aes_ghash", "{32{!length_q || to[0]}}", "{32{1'b1}}"),
    ],
    "Key stream is used again, before it is there, or is left from another packet.": [
        ("aes_gcm", "({used_q[1:0], index})", "({used_q[1], 1'b0, index})"),
        ("aes_gcm", "given_q != used_q && !used && !flush", "1'b1"),
        ("aes_gcm", "(streams && !full)", "streams"),
        ("aes_gcm", "waits_i           (key_valid_i || !settled_q)", "waits_i(key_valid_i)"),
    ],
    "GHASH: a block too many waits, or begins too soon; a digit, the polynomial, the table.": [
        ("aes_gcm_words", "|| (part_q[Header] && room_i)", "|| part_q[Header]"),
        ("aes_gcm_words", "stream_ready_i && empty_i", "stream_ready_i"),
        ("aes_ghash", "1'b0, out\n", "1'b1, out\n"),
        ("aes_ghash", "step_q[Store] && entry_q != 4'd15", "step_q[Store] && entry_q != 4'd14"),
        ("aes_ghash", "chosen & {4{!key_q}}", "chosen"),
    ],
    "A reset or erasing leaves something.": [
        ("aes_ghash", "!rst_ni || step_q[Wipe] || step_q[Store]", "step_q[Store]"),
        ("aes_gcm", ".erase_i     (erase_i)", ".erase_i     (1'b0)"),
        ("aes_gcm", "clear_n = rst_ni && !erase_i", "clear_n = rst_ni"),
    ],
    "A word does not wait for its taker, or waits for it, who waits for the word.": [
        ("aes_gcm_words", "(!gives || unverified_ready_i)", "1'b1"),
        ("aes_gcm_words", "step_q[Give] && gives;", "step_q[Give] && gives && unverified_ready_i;"),
    ],
}  # fmt: skip
"""By what they do: file, what is right, what is wrong."""
FIRST_OF_A_KIND = [kind[0] for kind in FAULTS.values()]


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    slow_but(FIRST_OF_A_KIND, [fault for kind in FAULTS.values() for fault in kind]),
)
def test_the_bench_finds_faults(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    faulty = with_fault(tmp_path, "aes_gcm_tb", (file, right, wrong))
    run(SIMULATORS["icarus"](faulty), shipped("aes_gcm"), tmp_path, verdict="FAIL")
