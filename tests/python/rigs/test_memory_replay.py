# SPDX-License-Identifier: MIT
"""Replaying code before a flash that waits: nothing at no wait state, never less at more."""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from random import Random

import pytest
from few import slow_but
from places import ROOT
from streams import FLASH, Executed, packed

from aesfit import _native
from aesfit.building import build
from aesfit.catalog import cores
from aesfit.jobs.abilities import lacks
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.platforms.memory import Interface
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.memory import replay
from aesfit.rigs.emulator.memory.replay import Prices, WaitingFlash, flash_of, placed, waited
from aesfit.rigs.emulator.recording import Recorded, Recording
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing import arm7tdmi, cortex_m3
from aesfit.rigs.emulator.timing.model import FetchUnit, cycles
from aesfit.rigs.firing import firing_of

PARAMETERS: dict[str, dict[str, float]] = {
    "bare": {"line": 4},
    "read_ahead": {"line": 8},
    "art": {"line": 16, "lines": 8, "data_lines": 2, "prefetch": 1},
    "associative": {"line": 8, "lines": 4, "data": 1, "prefetch": 1},
    "cache": {"line": 16, "size": 256, "ways": 2, "base": 0, "per_byte": 0, "data": 1},
}
FETCHING = ("cortex-m0", "cortex-m0plus", "rv32im-e31", "qingke-v2a")
EVIDENCE = ROOT / "tests" / "evidence"
UNIT = FetchUnit(3, 3, "three stages", "nothing")
IN_TIME = FetchUnit(1, 3, "a word when it is wanted", "nothing")


def interface(kind: str, **others: float) -> Interface:
    return Interface(kind, tuple((PARAMETERS[kind] | others).items()), "a test")


def flash(kind: str, wait: int, ranges: tuple[tuple[int, int], ...] = (FLASH,)) -> WaitingFlash:
    return WaitingFlash(interface(kind), wait, ranges)


@cache
def ran(platform: str, core: str) -> tuple[Machine, list[Recorded]]:
    """One block encrypted there."""
    job = Job(platform_named(platform), core, 128, "encrypt-block")
    firing = firing_of(job)
    machine = Machine(build.build(job).elf, job.platform)
    recording = Recording(machine)
    firing.fire(recording, 0)
    return machine, [recording.heard[name] for name in firing.window]


def prices(machine: Machine, calls: list[Recorded]) -> tuple[Prices, int]:
    """Of the steps, and the cycles of all of them by the profile."""
    model = timing_model(machine.platform)
    blocks = {block for one in calls for block in one.execution.profile.blocks}
    instructions = decode_blocks(machine.code, blocks, machine.platform.isa)
    plain = sum(cycles(model, one.execution.profile, instructions) for one in calls)
    return Prices(model, instructions), plain


EVERY_CORE = ("cortex-m3", "cortex-m4")


def taker(core: str) -> str:
    """Which of the two, for a core in three."""
    at = [one.name for one in cores()].index(core)
    able = [name for name in EVERY_CORE if not lacks(cores()[at], platform_named(name))]
    return able[at % len(able)] if at % 3 == 0 else ""


PAIRS = [
    *(
        (name, core.name)
        for name in EVERY_CORE
        for core in cores()
        if not lacks(core, platform_named(name))
    ),
    *((name, core) for name in FETCHING for core in ("bytewise", "transposed", "fixslice")),
]
IN_TURN = [
    *((name, core) for name, core in PAIRS if name in EVERY_CORE and name == taker(core)),
    *((name, ("bytewise", "transposed", "fixslice")[at % 3]) for at, name in enumerate(FETCHING)),
]
"""Each third core on Cortex-M3 or Cortex-M4, and one on each of the others."""


@pytest.mark.parametrize(("platform", "core"), slow_but(IN_TURN, PAIRS))
def test_no_wait_state_costs_nothing(platform: str, core: str) -> None:
    machine, calls = ran(platform, core)
    priced, plain = prices(machine, calls)
    for kind in PARAMETERS:
        found = waited(priced, calls, flash(kind, 0, machine.flash))
        assert {*found.warm, *found.cold} == {plain}, kind


@pytest.mark.parametrize("core", ["ttable1", "sbox_columns_otf"])
@pytest.mark.parametrize("kind", PARAMETERS)
def test_more_wait_states_never_cost_less(kind: str, core: str) -> None:
    machine, calls = ran("cortex-m3", core)
    priced, before = prices(machine, calls)
    for wait in range(1, 6):
        found = waited(priced, calls, flash(kind, wait, machine.flash))
        assert before <= found.middle
        before = found.middle
    assert max(found.cold) > prices(machine, calls)[1]


def random_stream(chance: Random) -> Iterator[Executed]:
    """Code with jumps that cost what a pipeline of three stages asks, and loads, some of flash."""
    sizes: dict[int, int] = {}
    targets = [0x1000 + 2 * chance.randrange(200) for _ in range(6)]
    address, after_load = chance.choice(targets), False
    for _ in range(chance.randint(1, 80)):
        size = sizes.setdefault(address, chance.choice((2, 4)))
        what, at = chance.random(), address
        address += size
        if what < 0.2:
            target = chance.choice(targets)
            across = sizes.setdefault(target, chance.choice((2, 4))) == 4 and target % 4 == 2
            yield Executed(size, 2 + chance.randrange(2) + across, at=at)
            address, after_load = target, False
        elif what < 0.45:
            overlap = int(after_load and chance.random() < 0.7)
            where = chance.choice((0x2000_0000, 0x1000 + 4 * chance.randrange(300)))
            yield Executed(size, 2 - overlap, overlap, at, (where,))
            after_load = True
        else:
            yield Executed(size, chance.choice((1, 1, 1, 2, 5)), at=at)
            after_load = False


@pytest.mark.parametrize("unit", [UNIT, IN_TIME], ids=["ahead", "in time"])
@pytest.mark.parametrize("kind", PARAMETERS)
def test_random_streams(kind: str, unit: FetchUnit) -> None:
    """No wait state adds nothing, and each more adds something or nothing, at every placement."""
    for seed in range(150):
        stream = list(random_stream(Random(seed)))
        priced = [packed(stream)]
        plain = sum(one.cycles for one in stream)
        for shift in flash(kind, 0).placements():
            assert placed(priced, unit, flash(kind, 0), shift) == (plain, plain), seed
            found = [placed(priced, unit, flash(kind, wait), shift) for wait in range(8)]
            for fewer, more in pairwise(found):
                assert fewer[0] <= more[0], seed
                assert fewer[1] <= more[1], seed


def test_the_placements_are_the_words_of_a_line_and_at_most_eight() -> None:
    def offsets(line: float) -> list[int]:
        return list(WaitingFlash(interface("bare", line=line), 1, (FLASH,)).placements())

    assert offsets(4) == [0]
    assert offsets(16) == [0, 4, 8, 12]
    assert offsets(32) == list(range(0, 32, 4))
    assert offsets(64) == list(range(0, 64, 8))


def test_the_middle_is_rounded_half_up() -> None:
    found = replay.Waited((782, 797, 790), (1000, 1000, 1000))
    assert (found.least, found.most, found.middle) == (782, 797, 790)
    assert replay.Waited((3, 3), (3, 3)).middle == 3


def taken_in_time(kind: str, wait: int, *turns: list[Executed]) -> list[int]:
    """Cycles of calls of a processor that fetches each word when it is wanted."""
    machine = _native.MemoryReplay(kind, {"line": 4}, wait, 1, 3, [FLASH], 0)
    return [machine.call(*packed(turn)) for turn in turns]


@pytest.mark.parametrize("wait", [1, 2])
def test_each_word_stops_cortex_m0_where_nothing_is_read_ahead(wait: int) -> None:
    """However long its instructions take: it loses about 45 % at one wait state (jnk0le,
    CM0_details.md in github.com/jnk0le/cortexm-AES)."""
    straight = [Executed(2, 2, at=0x1000), *[Executed(2), Executed(2, 2)] * 7, Executed(2)]
    assert taken_in_time("bare", wait, straight) == [8 * 3 + 8 * wait]


@pytest.mark.parametrize("odd", [False, True])
def test_a_jump_stops_cortex_m0_once_and_to_an_odd_half_word_twice(odd: bool) -> None:
    """With a buffer that reads ahead, at one wait state."""
    entry, inner = 0x1002 if odd else 0x1000, 18 + odd
    turn = [Executed(2, at=entry), *[Executed(2)] * inner, Executed(2, 3)]
    few, many = taken_in_time("read_ahead", 1, turn * 2, turn * 12)
    assert (many - few) / 10 - (inner + 4) == 1 + odd


@pytest.mark.parametrize("half", ["older", "younger"])
@pytest.mark.parametrize("odd", [False, True])
def test_jumps_on_ch32v003(half: str, odd: bool) -> None:
    """At one wait state a jump takes 4 cycles from a word's lower half and 5 from its upper one,
    and 1 more to an odd half-word (jnk0le, ch32v003_(qkv2).md in github.com/jnk0le/random)."""
    unit = import_module("aesfit.rigs.emulator.timing.qingke_v2").MODEL.fetch
    entry, before = 0x1002 if odd else 0x1000, 17
    before += (half == "older") == ((entry // 2 + before) % 2 == 1)
    turn = [Executed(2, at=entry), *[Executed(2)] * (before - 1), Executed(2, 3)]
    machine = _native.MemoryReplay("bare", {"line": 4}, 1, unit.queue_words, unit.ahead, [FLASH], 0)
    few, many = (machine.call(*packed(turn * times)) for times in (2, 12))
    assert (many - few) / 10 - before == 4 + (half == "younger") + odd


WIDE = Executed(4)
KINDS = {"h": Executed(2), "w": WIDE, "l": Executed(2, 2), "L": Executed(4, 2)}
SEQUENCES = [
    ([KINDS[kind] for kind in each["instructions"]], each["cycles"], each["setting_2"])
    for one in tomllib.loads((EVIDENCE / "sequences.toml").read_text(encoding="utf-8"))["set"]
    for each in one["sequences"]
]
"""Measured on CH32V003 at one wait state and at the setting 2, which the manual forbids and which
gives four cycles a word and one more in all (jnk0le, rv003usb, issue 5)."""


@pytest.mark.parametrize(("sequence", "one", "setting_2"), SEQUENCES)
def test_sequences_on_ch32v003(sequence: list[Executed], one: int, setting_2: int) -> None:
    unit = import_module("aesfit.rigs.emulator.timing.qingke_v2").MODEL.fetch
    ends = [WIDE] * 4 + [Executed(4, 2)], [Executed(4, 2)]

    def taken(wait: int) -> int:
        machine = _native.MemoryReplay(
            "bare", {"line": 4}, wait, unit.queue_words, unit.ahead, [FLASH], 0
        )
        around = [machine.call(*packed([*ends[0], *inner, *ends[1]])) for inner in ([], sequence)]
        return around[1] - around[0]

    assert (taken(1), taken(3) + 1) == (one, setting_2)


def test_what_is_priced_by_rules_and_what_is_refused() -> None:
    chip = platform_named("stm32f103")
    there = flash_of(chip, 2, cortex_m3.MODEL, ())
    assert there is not None
    assert (there.wait, there.interface.kind) == (2, "read_ahead")
    assert flash_of(chip, 0, cortex_m3.MODEL, ()) is None
    assert flash_of(platform_named("cortex-m3"), 2, cortex_m3.MODEL, ()) is None
    with pytest.raises(
        ValueError, match=r"arm7tdmi prices wait states of a bare memory of 32 bits"
    ):
        flash_of(chip, 2, arm7tdmi.MODEL, ())
    picorv32 = import_module("aesfit.rigs.emulator.timing.picorv32").MODEL
    with pytest.raises(ValueError, match="picorv32 does not say how its processor fetches"):
        flash_of(chip, 2, picorv32, ())
