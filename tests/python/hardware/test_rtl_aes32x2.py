# SPDX-License-Identifier: MIT
"""The Verilog core aes32x2 beside the C library, under Verilator and Icarus.

Its bench compares every word of output with what it is told to want, and says PASS or FAIL.
"""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from aesfit.hardware.simulate import Bench, modules
from aesfit.hardware.tools import RTL
from rtl import (
    BENCHES,
    ROUNDS,
    SIMULATORS,
    SIZES,
    Answer,
    Work,
    answer,
    bench,
    judged,
    preloaded,
    random_works,
    run,
    wanted_commands,
)

PERIOD = {16: 44, 24: 52, 32: 60}
"""Cycles a block with two in work: four for each round key."""
Simulate = Callable[[list[str]], Answer]


@pytest.fixture
def verilator(tmp_path: Path) -> Simulate:
    simulation = SIMULATORS["verilator"](bench("aes32x2_tb"))
    return lambda commands: answer(run(simulation, commands, tmp_path, verdict="PASS"))


def commands(works: list[Work]) -> list[str]:
    """What the library says, then round keys and blocks."""
    return [*wanted_commands(judged(works)), *preloaded(works, decryption=True)]


def test_random_blocks_of_all_sizes_and_directions(verilator: Simulate) -> None:
    works = random_works(3000, seed=21, blocks_a_key=30)
    assert verilator(commands(works)).data == judged(works)


@pytest.mark.parametrize("stalls", [1, 2, 3])
def test_stalls_on_either_side(verilator: Simulate, stalls: int) -> None:
    works = random_works(1000, seed=stalls, blocks_a_key=12)
    assert verilator([f"s {stalls} 0", *commands(works)]).data == judged(works)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mixed", [False, True])
def test_cycles_with_two_blocks_in_work(verilator: Simulate, size: int, mixed: bool) -> None:
    rng = random.Random(size)
    key = rng.randbytes(size)
    works = [(key, rng.randbytes(16), mixed and n % 3 == 1) for n in range(20)]
    starts = [block.first for block in verilator(commands(works)).blocks]
    assert {after - start for start, after in zip(starts, starts[2:], strict=False)} == {
        2 * PERIOD[size]
    }
    assert {block.last - block.first for block in verilator(commands(works)).blocks} == {3}


@pytest.mark.parametrize("size", SIZES)
def test_latency(verilator: Simulate, size: int) -> None:
    """Two groups a round; a block that waits for this one enters in the next group of its lane."""
    rng = random.Random(size)
    key = rng.randbytes(size)
    works = [(key, rng.randbytes(16), False) for _ in range(8)]
    lines = commands(works[:1])
    for work in works[1:]:
        lines += [f"w {2 * PERIOD[size]} 0", *commands([work])[:4], *commands([work])[-4:]]
    said = verilator(lines)
    assert said.data == judged(works)
    latencies = {block.first - taken for block, taken in zip(said.blocks, said.taken, strict=True)}
    assert latencies == {8 * ROUNDS[size] + 3}


@pytest.mark.parametrize("command", ["r", "z"])
def test_reset_and_erasing_leave_nothing(verilator: Simulate, command: str) -> None:
    """At any cycle of key loading, filling, rounds and output; then all works as after power-on."""
    rng = random.Random(9)
    lines, answers = [], []
    for wait in [*range(0, 100, 1), *range(100, 300, 11)]:
        lost, kept = (random_works(n, rng.getrandbits(32), n) for n in (rng.randint(1, 4), 2))
        lines += commands(lost)[: 4 * len(lost) + rng.randint(80, 140)]
        lines += [f"{command} {wait} 0", *commands(kept)]
        answers += judged(kept)
    given = verilator(lines).data
    assert len(given) >= len(answers)
    assert set(answers) <= set(given)


@pytest.mark.parametrize("in_luts", [0, 1])
def test_under_icarus(tmp_path: Path, in_luts: int) -> None:
    simulation = SIMULATORS["icarus"](bench("aes32x2_tb", STATE_IN_LUTS=in_luts))
    works = random_works(60, seed=in_luts, blocks_a_key=8)
    lines = ["s 3 0", *commands(works), "z 5 0", *commands(works)]
    said = answer(run(simulation, lines, tmp_path, verdict="PASS"))
    assert said.data[-60:] == judged(works)


def test_the_bench_needs_no_python(tmp_path: Path) -> None:
    """The vectors beside it are those of FIPS 197, with keys expanded."""
    simulation = SIMULATORS["icarus"](bench("aes32x2_tb"))
    vectors = (BENCHES / "aes32x2.vectors").read_text(encoding="utf-8").splitlines()
    text = bytes.fromhex("00112233445566778899aabbccddeeff")
    keys = [bytes(range(size)) for size in SIZES]
    works = [(key, text, False) for key in keys]
    works = [one for work in works for one in (work, (work[0], judged([work])[0], True))]
    assert vectors == commands(works)
    run(simulation, vectors, tmp_path, verdict="PASS")


SIGNALS = [
    *("key_valid_i", "key_ready_o", "data_valid_i", "data_ready_o", "data_valid_o"),
    *("data_ready_i", "erase_i"),
]
"""In the order of aes32x2_waves_tb."""
WINDOWS = [range(128, 134), range(216, 232), range(302, 319), range(328, 334), range(456, 461)]
"""Cycles of the diagram; what is between them does not change, or repeats."""


def test_the_timing_diagram_is_what_happens() -> None:
    said = SIMULATORS["icarus"](bench("aes32x2_waves_tb")).run([])
    levels = dict(line.split() for line in said.splitlines() if line[:1].isdigit())
    lines = ["cycle".ljust(14) + "  ".join(str(some[0]).ljust(len(some)) for some in WINDOWS)]
    for at, signal in enumerate(SIGNALS):
        drawn = ["".join("_#"[int(levels[str(n)][at])] for n in some) for some in WINDOWS]
        lines.append(signal.ljust(14) + "  ".join(drawn))
    diagram = "\n".join(line.rstrip() for line in lines)
    assert diagram in (RTL / "README.md").read_text(encoding="utf-8"), diagram


def test_fusesoc_gets_every_file(tmp_path: Path) -> None:
    """The files that the two cores list, and no others, make the bench."""
    named = {
        folder: re.findall(r"^ +- ([\w.]+\.\w+)\b", path.read_text(encoding="utf-8"), re.MULTILINE)
        for folder, path in ((RTL, RTL / "aes32x2.core"), (BENCHES, BENCHES / "aes32x2_tb.core"))
    }
    assert all((folder / name).is_file() for folder, names in named.items() for name in names)
    top, vectors = (BENCHES / name for name in named[BENCHES])
    sources = tuple(RTL / name for name in named[RTL] if name.endswith(".v"))
    simulation = SIMULATORS["icarus"](Bench(top.stem, top, sources=sources))
    run(simulation, vectors.read_text(encoding="utf-8").splitlines(), tmp_path, verdict="PASS")


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("aes32x2_column", "if (first_i || last_i)", "if (first_i)"),
        ("aes32x2_state", "inverse_i ? next : prior", "prior"),
        ("aes32x2", "filled_q == 2'd3", "filled_q == 2'd2"),
        ("aes32x2", "data_valid_o && !data_ready_i", "!data_ready_i && last_4_q"),
        ("aes32x2_key_load", "if (erasing_q) write_data_o <= 32'd0;", ""),
    ],
)
def test_the_bench_finds_faults(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    sources = []
    for path in modules(RTL / "aes32x2.v"):
        text = path.read_text(encoding="utf-8")
        if path.stem == file:
            assert right in text
            text = text.replace(right, wrong)
        sources.append(tmp_path / path.name)
        sources[-1].write_text(text, encoding="utf-8")
    works = random_works(12, seed=4, blocks_a_key=6)
    spoilt = Bench("aes32x2_tb", BENCHES / "aes32x2_tb.v", sources=tuple(sources))
    simulation = SIMULATORS["icarus"](spoilt)
    lines = ["s 3 0", *commands(works), "z 9 0", *commands(works)]
    run(simulation, lines, tmp_path, verdict="FAIL")
