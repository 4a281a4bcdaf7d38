# SPDX-License-Identifier: MIT
"""One question over the clock of a chip: which clocks are asked, what follows from an answer."""

from dataclasses import replace
from pathlib import Path

import pytest
from platform_texts import CHIP
from rows import BASE, CORES, Core, ask

from aesfit.choosing.answer import Answer
from aesfit.choosing.clock_sweep import ClockSweep, clock_sweep, clocks, rows_of
from aesfit.choosing.request import Limits, Request
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.report import clock_plot

SLOWER = {0: 1.0, 1: 1.25, 2: 1.5}
"""Times the cycles, by wait states."""


@pytest.fixture
def chip(tmp_path: Path) -> Platform:
    return CHIP.read(tmp_path)


def answered(request: Request) -> Answer:
    """Cycles that rise with the wait states; a core without tables in flash does not slow down."""
    waits = int(request.platform.memory("flash").wait_states.value)
    cores = {
        name: replace(core, cycles=core.cycles * SLOWER[waits]) for name, core in CORES.items()
    }
    cores["steady"] = Core(cycles=80_000, flash=9000, ram=900)
    choice = ask(request, cores)
    return Answer(choice, "No core is left." if choice.winner is None else "Take it.", "")


def swept(chip: Platform, **changes: object) -> ClockSweep:
    return clock_sweep(replace(BASE, platform=chip, **changes), answered)  # type: ignore[arg-type]


def test_clocks_have_both_sides_of_each_border_and_the_highest(chip: Platform) -> None:
    assert chip.chip
    found = clocks(chip.chip)
    assert list(found) == sorted(set(found))
    assert {24, 25, 48, 49, 72} <= set(found)
    assert found[-1] == 72
    assert 24 <= len(found) <= 32


def test_each_number_of_wait_states_is_asked_once(chip: Platform) -> None:
    asked: list[float] = []

    def heard(request: Request) -> Answer:
        asked.append(request.platform.memory("flash").wait_states.value)
        return answered(request)

    clock_sweep(Request(chip), heard)
    assert asked == [0, 1, 2]


def test_figures_of_a_clock_are_those_of_its_wait_states(chip: Platform) -> None:
    found = swept(chip)
    by_clock = {one.clock_mhz: one for one in found.points}
    fast, at_border, beyond = by_clock[24], by_clock[48], by_clock[49]
    assert (fast.wait_states, fast.core, fast.cycles) == (0, "fast", 75_200)
    assert fast.bit_per_s == pytest.approx(8 * 1504 * 24e6 / 75_200)
    assert (at_border.wait_states, at_border.core, at_border.cycles) == (1, "steady", 80_000)
    assert (beyond.wait_states, beyond.core) == (2, "steady")
    assert [one.clock_mhz for one in found.ends] == [found.points[0].clock_mhz, 24, 25, 48, 49, 72]


def test_energy_is_that_of_the_clock_or_nothing(chip: Platform) -> None:
    from aesfit.platforms.platform import at

    for one in swept(chip).points:
        energy = at(chip, one.clock_mhz).energy
        want = None if energy is None else pytest.approx(one.cycles * energy.value * 1e-6)
        assert one.microjoules == want


def test_the_sentence_names_the_fastest_and_the_lowest_clock_that_keeps_up(chip: Platform) -> None:
    found = swept(chip, rate=4e6)
    able = next(one for one in found.points if one.bit_per_s >= 4e6)
    assert "fastest at 72 MHz" in found.sentence
    assert f"for 4 Mbit/s: {able.clock_mhz:g} MHz, {able.core}" in found.sentence
    assert "no clock keeps up with 1 Gbit/s" in swept(chip, rate=1e9).sentence


def test_json_and_rows_have_every_point(chip: Platform) -> None:
    found = swept(chip)
    told = found.as_json()
    head = ["schema", "version", "question", "limits"]
    assert list(told) == [*head, "platform", "sentence", "points", "atlas"]
    assert len(told["points"]) == len(found.points) == len(rows_of(found.points))
    keys = ["clock_mhz", "wait_states", "core", "cycles", "bit_per_s", "microjoules", "ghash"]
    assert list(told["points"][0]) == keys


def test_without_a_chip_or_an_answer_it_is_refused(chip: Platform) -> None:
    with pytest.raises(ValueError, match="cortex-m3 has no wait states by clock; name a chip"):
        clock_sweep(Request(platform_named("cortex-m3")), answered)
    with pytest.raises(RuntimeError, match="No core is left"):
        swept(chip, limits=Limits(flash=10))


@pytest.mark.parametrize("kind", [".svg", ".png"])
def test_the_picture_is_the_same_for_the_same_figures(chip: Platform, kind: str) -> None:
    pytest.importorskip("matplotlib")
    found = swept(chip)
    drawn = clock_plot.render(found, kind)
    assert drawn == clock_plot.render(found, kind)
    if kind == ".svg":
        text = drawn.decode()
        assert "2 wait states" in text
        assert "Mbit/s" in text
