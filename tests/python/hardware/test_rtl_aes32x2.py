# SPDX-License-Identifier: MIT
"""The Verilog core aes32x2 beside the C library, under Verilator and Icarus.

Its bench compares every word of output with what it is told to want, and says PASS or FAIL.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from few import slow_but

from rtl import (
    ROUNDS,
    SIMULATORS,
    SIZES,
    Answer,
    Work,
    answer,
    bench,
    expanded,
    judged,
    preloaded,
    random_works,
    run,
    with_fault,
)

PERIOD = {16: 44, 24: 52, 32: 60}
"""Cycles a block with two in work: four for each round key."""
EXPANDED = {16: 53, 24: 57, 32: 68}
"""Cycles from the last word of a key to the first word of a block, by bytes; up to 3 more, since a
block enters in its column."""
EXPANDED_BOUND = {16: 60, 24: 70, 32: 80}
KEYS = [0, 1]
"""Values of KEY_EXPANSION."""


def commands(works: list[Work], expansion: int) -> list[str]:
    """Keys, blocks, and what the library says."""
    return [*(expanded(works) if expansion else preloaded(works))]


@dataclass(frozen=True)
class Core:
    """The core under Verilator, with or without key expansion."""

    expansion: int
    simulate: Callable[[list[str]], Answer]

    def commands(self, works: list[Work]) -> list[str]:
        return commands(works, self.expansion)


@pytest.fixture(params=KEYS, ids=["loaded", "expanded"])
def core(tmp_path: Path, request: pytest.FixtureRequest) -> Core:
    simulation = SIMULATORS["verilator"](bench("aes32x2_tb", KEY_EXPANSION=request.param))
    return Core(
        request.param, lambda lines: answer(run(simulation, lines, tmp_path, verdict="PASS"))
    )


@pytest.mark.few(one_in=2)
def test_random_blocks_of_all_sizes_and_directions(core: Core) -> None:
    works = random_works(3000, seed=21, blocks_a_key=30)
    assert core.simulate(core.commands(works)).data == judged(works)


@pytest.mark.parametrize("stalls", [1, 2, 3])
def test_stalls_on_either_side(core: Core, stalls: int) -> None:
    works = random_works(1000, seed=stalls, blocks_a_key=12)
    assert core.simulate([f"s {stalls} 0", *core.commands(works)]).data == judged(works)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mixed", [False, True])
def test_cycles_with_two_blocks_in_work(core: Core, size: int, mixed: bool) -> None:
    rng = random.Random(size)
    key = rng.randbytes(size)
    works = [(key, rng.randbytes(16), mixed and n % 3 == 1) for n in range(20)]
    blocks = core.simulate(core.commands(works)).blocks
    starts = [block.first for block in blocks]
    assert {after - start for start, after in zip(starts, starts[2:], strict=False)} == {
        2 * PERIOD[size]
    }
    assert {block.last - block.first for block in blocks} == {3}


@pytest.mark.parametrize("size", SIZES)
def test_latency(core: Core, size: int) -> None:
    """Two groups a round; a block that waits for this one enters in the next group of its lane."""
    rng = random.Random(size)
    key = rng.randbytes(size)
    works = [(key, rng.randbytes(16), False) for _ in range(8)]
    lines = core.commands(works[:1])
    for work in works[1:]:
        lines += [f"w {2 * PERIOD[size]} 0", *core.commands([work])[-8:]]
    said = core.simulate(lines)
    assert said.data == judged(works)
    latencies = {block.first - taken for block, taken in zip(said.blocks, said.taken, strict=True)}
    assert latencies == {8 * ROUNDS[size] + 5}


@pytest.mark.parametrize("size", SIZES)
def test_cycles_of_key_expansion(tmp_path: Path, size: int) -> None:
    """A block waits behind each key, which comes to the idle core in any cycle of a group."""
    simulation = SIMULATORS["verilator"](bench("aes32x2_tb", KEY_EXPANSION=1))
    rng, lines = random.Random(size), []
    for wait in range(120, 136):
        lines += [*commands([(rng.randbytes(size), rng.randbytes(16), False)], 1), f"w {wait} 0"]
    said = answer(run(simulation, lines, tmp_path, verdict="PASS"))
    last = size // 4 - 1
    cycles = {at - key - last for key, at in zip(said.keyed, said.taken, strict=True)}
    assert cycles == set(range(EXPANDED[size], EXPANDED[size] + 4))
    assert max(cycles) <= EXPANDED_BOUND[size]


@pytest.mark.parametrize("command", ["r", "z"])
def test_reset_and_erasing_leave_nothing(core: Core, command: str) -> None:
    """At any cycle of keys, filling, rounds and output; then all works as after power-on."""
    rng = random.Random(9)
    lines, answers = [], []
    for wait in [*range(0, 100, 1), *range(100, 300, 11)]:
        lost, kept = (random_works(n, rng.getrandbits(32), n) for n in (rng.randint(1, 4), 2))
        few = rng.randint(1, 40) if core.expansion else rng.randint(80, 140)
        lines += core.commands(lost)[:few]
        lines += [f"{command} {wait} 0", *core.commands(kept)]
        answers += judged(kept)
    given = core.simulate(lines).data
    assert len(given) >= len(answers)
    assert set(answers) <= set(given)


@pytest.mark.parametrize(
    ("expansion", "in_luts"), slow_but([(0, 1), (1, 0)], product(KEYS, [0, 1]))
)
def test_under_icarus(tmp_path: Path, expansion: int, in_luts: int) -> None:
    parameters = {"KEY_EXPANSION": expansion, "STATE_IN_LUTS": in_luts}
    simulation = SIMULATORS["icarus"](bench("aes32x2_tb", **parameters))
    works = random_works(60, seed=in_luts, blocks_a_key=8)
    lines = ["s 3 0", *commands(works, expansion), "z 5 0", *commands(works, expansion)]
    said = answer(run(simulation, lines, tmp_path, verdict="PASS"))
    assert said.data[-60:] == judged(works)


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("aes32x2_column", "if (first_i || last_i)", "if (first_i)"),
        ("aes32x2_column", "if (clear_i) column_q <= 32'd0;", ""),
        ("aes32x2_state", "inverse_i ? next : prior", "prior"),
        ("aes32x2_state", "  = blank_i", " = 1'b0"),
        ("aes32x2", "loaded_q <= accepted", "loaded_q <= 1'b1"),
        ("aes32x2", "leaving_q && data_valid_o && !data_ready_i", "!data_ready_i && last_4_q"),
        ("aes32x2_keys", "if (between_i || erasing_o)", "if (between_i)"),
        ("aes32x2_key_expand", "(odd_q || !long)", "!long"),
        ("aes32x2_key_expand", "rotated ?", "1'b1 ?"),
        ("aes32x2_key_expand", "write_address_o != 6'h3f", "write_address_o != 6'h1f"),
        ("aes32x2_key_load", "if (erasing_q) write_data_o <= 32'd0;", ""),
    ],
)
def test_the_bench_finds_faults(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    # The last is the one whose key words are farthest from those that are erased first.
    works = [*random_works(40, seed=4, blocks_a_key=6), (bytes(range(1, 33)), bytes(16), True)]
    expansion = int(file != "aes32x2_key_load")
    faulty = with_fault(tmp_path, "aes32x2_tb", (file, right, wrong), KEY_EXPANSION=expansion)
    lines = ["s 3 0", *commands(works, expansion), "z 9 0", *commands(works, expansion)]
    run(SIMULATORS["icarus"](faulty), lines, tmp_path, verdict="FAIL")
