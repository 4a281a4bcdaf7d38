# SPDX-License-Identifier: MIT
"""The Verilog design aes_ccm beside the C library, under Verilator and Icarus.

Its bench compares every word of output, and whether the MIC was right, with what it is told to
want, and says PASS or FAIL.
"""

import random
from itertools import product
from pathlib import Path

import pytest
from few import slow_but

from rtl import CCM, CCM_BENCH, SIMULATORS, bench, run, vectors, with_fault

MICS, NONCES, sealed = CCM.MICS, CCM.NONCES, CCM.sealed
commands, random_packets = CCM_BENCH.commands, CCM_BENCH.random_packets


@pytest.mark.parametrize("gaps", range(4))
def test_random_packets(tmp_path: Path, gaps: int) -> None:
    simulation = SIMULATORS["verilator"](bench("aes_ccm_tb"))
    run(simulation, [f"s {gaps} 0", *commands(random_packets(400, gaps))], tmp_path, verdict="PASS")


@pytest.mark.parametrize("decrypt", [False, True])
def test_every_length_of_nonce_and_mic(tmp_path: Path, decrypt: bool) -> None:
    simulation = SIMULATORS["verilator"](bench("aes_ccm_tb"))
    key, plain = bytes(range(16)), bytes(range(37))
    every = [
        (sealed(key, nonce, b"", plain, mic), decrypt)
        for nonce, mic in product([bytes(range(n)) for n in NONCES], MICS)
    ]
    run(simulation, commands(every), tmp_path, verdict="PASS")


def test_under_icarus(tmp_path: Path) -> None:
    simulation = SIMULATORS["icarus"](bench("aes_ccm_tb"))
    run(simulation, ["s 3 0", *commands(random_packets(12, seed=7))], tmp_path, verdict="PASS")


@pytest.mark.parametrize("command", ["r", "z", "y"])
def test_reset_and_erasing_leave_nothing(tmp_path: Path, command: str) -> None:
    """At any cycle of a packet; then all works as after power-on."""
    simulation = SIMULATORS["verilator"](bench("aes_ccm_tb"))
    rng, lines = random.Random(5), []
    for wait in range(90):
        lost, kept = (random_packets(n, rng.getrandbits(32)) for n in (1, 2))
        begun = commands(lost)
        ending = f"{command} {wait} {rng.getrandbits(32):08x}"
        lines += [*begun[: rng.randint(1, len(begun))], ending, *commands(kept)]
    run(simulation, lines, tmp_path, verdict="PASS")


def erased_in_turn(waits: range) -> list[str]:
    """A packet that is erased so many cycles after its last word, with words offered beside."""
    rng = random.Random(6)
    lost, kept = (commands([(sealed(bytes(16), bytes(13), b"", bytes(n), 8), False)])
                  for n in (20, 4))  # fmt: skip
    return [
        line for wait in waits for line in [*lost, f"y {wait} {rng.getrandbits(32):08x}", *kept]
    ]


@pytest.mark.parametrize("name", ["aes_ccm", "aes_ccm_longest"])
def test_what_the_bench_is_told_in_every_run(tmp_path: Path, name: str) -> None:
    """The longest packet takes Icarus half a minute."""
    run(SIMULATORS["verilator"](bench("aes_ccm_tb")), vectors(name), tmp_path, verdict="PASS")


FAULTS = {
    "Key stream is used again.": [
        ("aes_ccm", "read_stream_q <= read_stream_q ^ used", "read_stream_q <= read_stream_q"),
        ("aes_ccm", "({read_stream_q, index})", "({read_stream_q, index[1], 1'b0})"),
        ("aes_ccm_feed", "if (counter_o) number_q", "if (counter_o && !number_q[0]) number_q"),
    ],
    "Key stream is taken before it is there; a third block of it is begun.": [
        ("aes_ccm", ".key_stream_ready_i(streams_q != 2'd0)", ".key_stream_ready_i(1'b1)"),
        ("aes_ccm", "(!reserved_q[1] &&", "("),
    ],
    "A block of the MAC is left out, or is not chained.": [
        ("aes_ccm_words", "if (block_ends) full_q <= 1'b1;", "if (block_ends) full_q <= headers;"),
        ("aes_ccm_feed", "chained_q <= !block_first_i && mac", "chained_q <= 1'b0"),
        ("aes_ccm_feed", "(block_first_i || chain_q || mac_begins_i)", "(1'b1)"),
    ],
    "Bytes behind the end count.": [
        ("aes_ccm_words", "cut_at == 2'd1, cut_at[1] != cut_at[0]", "1'b0, cut_at == 2'd2"),
        ("aes_ccm_words", "mic && mic_half_q &&", "1'b0 && mic_half_q &&"),
    ],
    "Ciphertext is authenticated; a wrong MIC is not seen.": [
        ("aes_ccm_words", "|| (step_q[Give] && decrypt_q)", ""),
        ("aes_ccm_words", "decrypt_q && wrong_q", "decrypt_q && wrong_q && !last_q"),
    ],
    "A word does not wait for its taker.": [
        ("aes_ccm_words", "(!gives_q || unverified_ready_i)", "1'b1"),
    ],
    "A word waits for its taker, who waits for it.": [
        ("aes_ccm_words", "step_q[Give] && gives_q;", "step_q[Give] && gives_q && leaves;"),
    ],
}
"""By what they do: file, what is right, what is wrong."""
FIRST_OF_A_KIND = [kind[0] for kind in FAULTS.values()]


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    slow_but(FIRST_OF_A_KIND, [fault for kind in FAULTS.values() for fault in kind]),
)
def test_the_bench_finds_faults(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    faulty = with_fault(tmp_path, "aes_ccm_tb", (file, right, wrong))
    lines = ["s 7 0", *commands(random_packets(20, seed=7))]
    run(SIMULATORS["icarus"](faulty), lines, tmp_path, verdict="FAIL")


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("aes_ccm", ".erase_i     (erase_i)", ".erase_i     (1'b0)"),
        ("aes_ccm", "clear_n = rst_ni && !erase_i", "clear_n = rst_ni"),
        ("aes_ccm", "if (!clear_n) key_held_q", "if (!rst_ni) key_held_q"),
        ("aes_ccm", "if (!clear_n) begin\n      {fed_q", "if (!rst_ni) begin\n      {fed_q"),
        # What is over in the cycle of erasing is told in the one after it.
        ("aes_ccm_words", "may_begin_q <= core_ready_i && rst_ni", "may_begin_q <= core_ready_i"),
        ("aes_ccm_words", "ended_q <= ends && kind_q[1] && rst_ni", "ended_q <= ends && kind_q[1]"),
    ],
)
def test_the_bench_finds_what_is_not_erased(
    tmp_path: Path, file: str, right: str, wrong: str
) -> None:
    """Late in a packet, where each of them shows."""
    faulty = with_fault(tmp_path, "aes_ccm_tb", (file, right, wrong))
    run(SIMULATORS["icarus"](faulty), erased_in_turn(range(130, 160)), tmp_path, verdict="FAIL")


def test_erasing_in_any_cycle(tmp_path: Path) -> None:
    lines = erased_in_turn(range(160))
    run(SIMULATORS["verilator"](bench("aes_ccm_tb")), lines, tmp_path, verdict="PASS")
