# SPDX-License-Identifier: MIT
"""Stores that queue for a bus, by hand and against the processor that they are modelled on."""

import struct
from dataclasses import replace

import pytest
from witness import tool

from aesfit.model.bus import Bus, replay
from aesfit.model.question import Cache
from aesfit.platforms import platform_named
from aesfit.rigs import why_not

CODE = Cache(1024, 32, 1)
DATA = Cache(1024, 32, 1, write_allocate=False)
BUS = Bus(line=22, store=11, in_flight=2)
STEP, LOAD, STORE = (0x1000, 4, 0), (0x2000, 4, 1), (0x3000, 4, 2)


def took(*records: tuple[int, int, int], bus: Bus = BUS) -> float:
    packed = b"".join(struct.pack("<IHH", *one) for one in records)
    return replay(packed, CODE, DATA, bus, 1.0)


def test_lines_are_filled_once_and_stores_fill_none() -> None:
    assert took(STEP, STEP) == 22 + 2
    assert took(STEP, LOAD, STEP, LOAD) == 22 + 1 + 22 + 1
    assert took(STEP, STORE, *[STEP] * 40, (0x3000, 4, 1)) == 22 + 41 + 22
    assert took(STEP, LOAD, STEP, (0x2400, 4, 1), STEP, LOAD) == 22 + 3 + 3 * 22


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
        replay(b"", code, data, BUS, 1.0)


@pytest.mark.skipif(
    why_not(platform_named("vexriscv-cached")) is not None,
    reason=str(why_not(platform_named("vexriscv-cached"))),
)
@pytest.mark.parametrize(("core", "most"), [("transposed", 0.01), ("bytewise_unrolled", 0.05)])
def test_the_processor_takes_as_long(core: str, most: float) -> None:
    maker, platform = tool("make_soft_cache_table"), platform_named("vexriscv-cached")
    seen = maker.traced(platform, core, 4)
    for wait in (0, 10):
        one = maker.counted_burst(platform, core, 4, wait, seen)
        simulated, queued, _ = one.errors
        assert abs(queued) < most
        assert wait == 0 or simulated < -0.1
