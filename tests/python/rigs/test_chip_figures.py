# SPDX-License-Identifier: MIT
"""Figures on a chip: a range over placements of the code, and what is said of it."""

from dataclasses import replace

import pytest

from aesfit.jobs.job import Job, Placement, Row
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import at
from aesfit.rigs.emulator.rig import EmulatorRig
from aesfit.rigs.emulator.stalls import too_large
from aesfit.rigs.profile import Block, Execution, Profile

F103 = platform_named("stm32f103")


def measured(job: Job) -> Row:
    return EmulatorRig().measure([job], lambda done, jobs: None)[0]


def block_of(platform: str, **placement: object) -> Job:
    job = Job(platform_named(platform), "ttable1", 128, "encrypt-block")
    return replace(job, placement=Placement(**placement)) if placement else job  # type: ignore[arg-type]


def test_a_row_on_a_chip_is_a_range() -> None:
    ideal, slow = measured(block_of("cortex-m3")), measured(block_of("stm32f103"))
    assert (ideal.cycles_min, ideal.cycles_max) == (None, None)
    assert slow.cycles_min is not None
    assert slow.cycles_max is not None
    assert ideal.cycles < slow.cycles_min < slow.cycles_max
    assert slow.cycles == (slow.cycles_min + slow.cycles_max + 1) // 2
    told = slow.as_json()
    assert [told[key] for key in ("cycles", "cycles_min", "cycles_max")] == [
        slow.cycles,
        slow.cycles_min,
        slow.cycles_max,
    ]
    assert ideal.as_json()["cycles_max"] is None
    assert "2 flash wait states behind two line buffers" in slow.provenance.memory
    assert "; 2 placements of the code in a line" in slow.provenance.memory


def test_a_slow_clock_gives_the_processors_own_cycles() -> None:
    job = block_of("cortex-m3")
    slow = measured(replace(job, platform=at(F103, 24)))
    assert {slow.cycles, slow.cycles_min, slow.cycles_max} == {measured(job).cycles}
    assert "zero wait states" in slow.provenance.memory


def test_key_set_up_and_messages_are_ranges_too() -> None:
    for job in (
        Job(F103, "ttable1", 128, "key-setup-decrypt"),
        Job(F103, "ttable1", 128, "message", "ctr", 48),
    ):
        found = measured(job)
        assert found.cycles_min is not None
        assert found.cycles_max is not None
        assert found.cycles_min < found.cycles < found.cycles_max


def test_tables_in_ram_never_meet_the_interface() -> None:
    """In flash each of their reads waits for the array."""
    flash, ram = (measured(block_of("stm32f103", tables=where)) for where in ("flash", "ram"))
    assert flash.cycles - ram.cycles > 160 * 2


def test_a_figure_behind_a_cache_is_warm_and_says_how_cold_it_would_be() -> None:
    """The tables lie in flash, and secrets decide which of their lines the data cache holds."""
    found = measured(block_of("stm32f407"))
    assert "; warm from an equal call before" in found.provenance.memory
    assert "cycles when cold" in found.provenance.window
    assert "cycles over 4 secrets" in found.provenance.window
    assert found.secrecy.kind == "depends"


def execution_of(size: int) -> Execution:
    profile = Profile((Block(0, 8), Block(8, size - 8), Block(0, 16)), {}, {}, {})
    return Execution(0, 0, 0, 0, 0, profile, 0, 0)


def test_code_larger_than_a_warm_cache_is_told() -> None:
    e31 = platform_named("rv32im-e31")
    assert too_large(e31, [execution_of(16 << 10)]) == ""
    told = too_large(e31, [execution_of((16 << 10) + 4)])
    assert told.startswith("the 16388 bytes of executed code are more than the instruction cache")
    assert too_large(platform_named("cortex-m3"), [execution_of(1 << 20)]) == ""


@pytest.mark.parametrize("wait", [0, 3])
def test_wait_states_asked_for_go_before_those_of_the_clock(wait: int) -> None:
    found = measured(block_of("stm32f103", flash_wait=wait))
    usual = measured(block_of("stm32f103"))
    assert (found.cycles < usual.cycles) == (wait < 2)
