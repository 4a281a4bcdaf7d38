# SPDX-License-Identifier: MIT
"""Stores that queue for a bus, by hand and against the processor that they are modelled on."""

import struct
from dataclasses import replace

import pytest
from few import slow_but
from witness import tool

from aesfit.caches.bus import Bus, replay
from aesfit.caches.cache import Cache
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.rigs import rig_of, why_not

CODE = Cache(1024, 32, 1)
DATA = Cache(1024, 32, 1, write_allocate=False)
BUS = Bus(line=22, store=11, in_flight=2)
REASON = why_not(platform_named("vexriscv-cached"))
STEP, LOAD, STORE = (0x1000, 4, 0), (0x2000, 4, 1), (0x3000, 4, 2)


def took(*records: tuple[int, int, int], bus: Bus = BUS) -> float:
    packed = b"".join(struct.pack("<IHH", *one) for one in records)
    return replay(packed, CODE, DATA, bus, sum(kind == 0 for _, _, kind in records))


def test_lines_are_filled_once_and_stores_fill_none() -> None:
    assert took(STEP, STEP) == 22 + 2
    assert took(STEP, LOAD, STEP, LOAD) == 22 + 1 + 22 + 1
    assert took(STEP, STORE, *[STEP] * 40, (0x3000, 4, 1)) == 22 + 41 + 22
    assert took(STEP, LOAD, STEP, (0x2400, 4, 1), STEP, LOAD) == 22 + 3 + 3 * 22


def test_what_an_ideal_burst_takes_beyond_its_instructions_is_lost_at_jumps() -> None:
    there, back = (0x1000, 4, 0), (0x1008, 4, 0)
    packed = b"".join(struct.pack("<IHH", *one) for one in (there, (0x1004, 4, 0), there, back))
    assert replay(packed, CODE, DATA, BUS, 4 + 6) == 22 + 10
    stores = struct.pack("<IHH", *STORE)
    # The fourth store waits for the second, done 22 cycles after the first was given away.
    with_stores = stores.join(packed[at : at + 8] for at in range(0, 32, 8)) + stores
    assert replay(with_stores, CODE, DATA, BUS, 4 + 6) == 22 + 3 + 2 * 11


def test_stores_wait_when_the_queue_is_full_and_lines_wait_for_stores() -> None:
    two = [STEP, STORE] * 2
    assert took(*two) == 22 + 2
    # The first store is done 11 cycles after it was given away; the third comes 2 cycles after it.
    assert took(*two, STEP, STORE) == 22 + 1 + 11
    assert took(*two, STEP, STORE, bus=replace(BUS, in_flight=3)) == 22 + 3
    # The bus is free 22 cycles after the first store.
    assert took(*two, LOAD) == 22 + 1 + 22 + 22


@pytest.mark.parametrize(
    ("code", "data"),
    [(replace(CODE, ways=2), DATA), (CODE, replace(DATA, ways=2)), (CODE, CODE)],
)
def test_other_caches_are_refused(code: Cache, data: Cache) -> None:
    with pytest.raises(ValueError, match="caches with one way in which stores allocate nothing"):
        replay(b"", code, data, BUS, 0)


@pytest.mark.few(one_in=2)
@pytest.mark.skipif(REASON is not None, reason=str(REASON))
@pytest.mark.parametrize(("core", "most"), [("transposed", 0.01), ("bytewise_unrolled", 0.02)])
def test_the_processor_takes_as_long(core: str, most: float) -> None:
    maker, platform = tool("make_soft_cache_table"), platform_named("vexriscv-cached")
    seen = maker.traced(platform, core, 4)
    for wait in (0, 10):
        one = maker.counted_burst(platform, core, 4, wait, seen)
        simulated, queued, _ = one.errors
        assert abs(queued) < most
        assert wait == 0 or simulated < -0.1


@pytest.mark.skipif(REASON is not None, reason=str(REASON))
@pytest.mark.parametrize(
    "name", slow_but(["vexriscv-cached"], ["vexriscv-cached", "vexriscv-small"])
)
def test_rows_of_the_twin_are_those_of_the_processor(name: str) -> None:
    soft, twin = platform_named(name), platform_named(f"{name}-emulated")
    for core in ("transposed", "ttable1", "bytewise"):
        jobs = [Job(one, core, 128, "encrypt-block") for one in (soft, twin)]
        true, row = (rig_of(job.platform).measure([job], lambda *_: None)[0] for job in jobs)
        assert row.instructions == true.instructions
        assert row.stall_cycles
        assert row.cycles == pytest.approx(true.cycles, rel=0.03)
