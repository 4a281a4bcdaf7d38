# SPDX-License-Identifier: MIT
"""The Verilog core aes128_paper: its bench compares every word and the cycles of every packet."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from vectors import nist, unhex

from aesfit.building.tools import Tool
from aesfit.hardware.simulate import Bench, modules
from aesfit.hardware.tools import RTL
from rtl import BENCHES, COMMANDS, SIMULATORS, expected, run

BENCH = BENCHES / "aes128_paper_tb.v"
PACKET = 94
"""Blocks of 1504 bytes, the paper's full packet."""
VARIANTS: list[dict[str, int | str]] = [{}, {"ROW_REGISTER": 0}, {"WIDE_PACKET": 1}]
keys, words = COMMANDS.paper_keys, COMMANDS.words
named = pytest.mark.parametrize("parameters", VARIANTS, ids=lambda one: " ".join(one) or "plain")


def packet(blocks: list[bytes], answers: list[bytes], decrypt: bool) -> list[str]:
    """Fill the packet, say what must come of it, and start."""
    told = [
        f"{letter} {at} {word}"
        for letter, some in (("p", blocks), ("x", answers))
        for at, word in enumerate(words(b"".join(some)))
    ]
    return [*told, f"{'d' if decrypt else 'e'} {len(blocks)} 0"]


def random_packets(packets: int, blocks: int) -> list[str]:
    """In both directions in turn, a new key for every other one."""
    rng = random.Random(128)
    commands: list[str] = []
    for number in range(packets):
        if number % 2 == 0:
            key = rng.randbytes(16)
            commands += keys(key)
        texts = [rng.randbytes(16) for _ in range(blocks)]
        decrypt = number % 2 == 1
        commands += packet(texts, [expected(key, one, decrypt) for one in texts], decrypt)
    return commands


def known_answers(*kinds: str) -> list[str]:
    """NIST's for AES-128 in ECB, both directions."""
    commands: list[str] = []
    for kind in kinds:
        for vector in nist(f"ciphers/AES/ECB/ECB{kind}128.rsp"):
            decrypt = vector["section"] == "DECRYPT"
            texts = [unhex(vector["plaintext"]), unhex(vector["ciphertext"])]
            commands += keys(unhex(vector["key"]))
            commands += packet([texts[decrypt]], [texts[not decrypt]], decrypt)
    return commands


def control(core: str) -> str:
    """The process in which the phases follow one another."""
    text = (RTL / f"{core}.v").read_text(encoding="utf-8")
    return text.split("  always @(posedge clk_i or ")[1].split("\n  end\n")[0]


def test_the_control_process_is_that_of_aes32_paper() -> None:
    """Its head says so; the cores differ in the path and in how long a phase takes."""
    assert "blocks_left_q <= blocks_left_q - 7'd1;" in control("aes32_paper")
    assert control("aes128_paper") == control("aes32_paper")


@named
def test_known_answers(tmp_path: Path, parameters: dict[str, int | str]) -> None:
    simulation = SIMULATORS["icarus"](Bench(BENCH.stem, BENCH, parameters))
    run(simulation, known_answers("GFSbox", "KeySbox"), tmp_path, verdict="PASS")


@named
@pytest.mark.slow
def test_all_known_answers(tmp_path: Path, parameters: dict[str, int | str]) -> None:
    commands = known_answers("GFSbox", "KeySbox", "VarKey", "VarTxt")
    assert sum(line[0] in "ed" for line in commands) >= 2 * 284
    simulation = SIMULATORS["verilator"](Bench(BENCH.stem, BENCH, parameters))
    run(simulation, commands, tmp_path, verdict="PASS")


@named
def test_random_packets(tmp_path: Path, parameters: dict[str, int | str]) -> None:
    simulation = SIMULATORS["icarus"](Bench(BENCH.stem, BENCH, parameters))
    run(simulation, random_packets(8, 8), tmp_path, verdict="PASS")


@named
@pytest.mark.slow
def test_full_packets(tmp_path: Path, parameters: dict[str, int | str]) -> None:
    """Of the paper's size."""
    simulation = SIMULATORS["verilator"](Bench(BENCH.stem, BENCH, parameters))
    run(simulation, random_packets(108, PACKET), tmp_path, verdict="PASS")


@named
def test_reset_at_any_cycle_of_a_block(tmp_path: Path, parameters: dict[str, int | str]) -> None:
    rng = random.Random(4)
    key = rng.randbytes(16)
    commands = keys(key)
    for cycle in range(60):
        block = rng.randbytes(16)
        commands += [f"r {cycle} 0", *packet([block], [expected(key, block, False)], False)]
    simulation = SIMULATORS["icarus"](Bench(BENCH.stem, BENCH, parameters))
    run(simulation, commands, tmp_path, verdict="PASS")


def spoilt(folder: Path, before: str, after: str) -> Callable[[dict[str, int | str]], Tool]:
    """A simulation of the core with a fault."""
    sources = [path for path in modules(BENCH) if path.stem != "aes128_paper"]
    for path in sources:
        shutil.copyfile(path, folder / path.name)
    text = (RTL / "aes128_paper.v").read_text(encoding="utf-8")
    assert before in text
    (folder / "aes128_paper.v").write_text(text.replace(before, after), encoding="utf-8")
    files = tuple(sorted(folder.glob("*.v")))
    return lambda parameters: SIMULATORS["icarus"](Bench(BENCH.stem, BENCH, parameters, files))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(13*i)%16", "(5*i)%16"),
        ("last ? sub_q : mix_q", "mix_q"),
        ("load_ends || adding ? round_key", "adding ? round_key"),
        ("Adding = ROW_REGISTER ? 3'd4", "Adding = ROW_REGISTER ? 3'd5"),
    ],
    ids=["ShiftRows of decryption", "MixColumns in the last round", "no first key", "a cycle more"],
)
def test_the_bench_finds_faults(tmp_path: Path, before: str, after: str) -> None:
    simulation = spoilt(tmp_path, before, after)({})
    run(simulation, random_packets(2, 2), tmp_path, verdict="FAIL")
