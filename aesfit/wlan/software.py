# SPDX-License-Identifier: MIT
"""Packets in software: cores on every platform, and the best of each platform."""

import time
from collections.abc import Iterable, Sequence
from functools import cache

from .. import _native
from ..cachemodel.versions import ALL, ranked_cores
from ..choosing.ranking import costs_of
from ..jobs.job import Job, Progress, Row
from ..measuring.measure import Refusal, Result, cores_for, measure
from ..platforms.find import chips_with
from ..platforms.platform import Platform
from ..rigs import why_not
from .paper import PACKET_BYTES
from .verdict import Kind, PacketRow, PlatformVerdict, verdict_of

KIND_OF_RIG: dict[str, Kind] = {
    "emulator": "emulated",
    "fake": "emulated",
    "rtl": "soft CPU",
    "host": "host",
}
"""Rigs that count cycles of a clock; without a clock there is no rate."""
_BATCHES, _BATCH_CALLS = 5, 40
_CALIBRATED_BYTES = 1 << 20


def can(platform: Platform) -> bool:
    """Whether its cycles are those of a clock that is known or can be measured."""
    return why_no_rate(platform) is None


def why_no_rate(platform: Platform) -> str | None:
    """Why the platform has no rate; None if it has one.

    A processor alone has no clock, and no chip has the cycles of its ideal memory.
    """
    if platform.rig not in KIND_OF_RIG:
        return f"{platform.name} counts no cycles of a clock, so it has no rate; leave it out"
    if platform.rig == "host" or (platform.clock is not None and not platform.ideal):
        return None
    chips = ", ".join(chips_with(platform.name))
    way_out = f"name a chip that carries it: {chips}" if chips else "no chip here carries it"
    return (
        f"{platform.name} is a processor with ideal memory and without a clock, so it has no rate; "
        f"{way_out}"
    )


@cache
def host_clock() -> float:
    """Frequency in Hz of the time stamp counter in which this computer's cycles are counted."""
    watch = _native.Stopwatch(
        "encrypt", "ctr", None, None, bytes(16), bytes(16), b"", bytes(_CALIBRATED_BYTES), 0
    )
    found = []
    for _ in range(_BATCHES):
        start = time.perf_counter_ns()
        ticks = watch.run(_BATCH_CALLS)[0]
        found.append(ticks / (time.perf_counter_ns() - start))
    return max(found) * 1e9  # what else the call does makes ratios too small, never too large


def clock_of(platform: Platform) -> float:
    """Cycles per second; ValueError for a processor without a clock."""
    if platform.rig == "host":
        return host_clock()
    if platform.clock is None:
        raise ValueError(f"{platform.name} has no clock; name one, or a chip")
    return platform.clock.value * 1e6


def job(platform: Platform, core: str) -> Job:
    """A packet: header, payload and MIC, under a key that was expanded before."""
    return Job(platform, core, 128, "encrypt", mode="ccmp", bytes=PACKET_BYTES)


def _cores(platform: Platform, named: Sequence[str]) -> list[str]:
    """Those of the named cores that the platform can run."""
    able = [core.name for core in cores_for(platform)]
    if not named:
        return ranked_cores(platform)
    return able if list(named) == [ALL] else [name for name in able if name in named]


def lines(
    platforms: Sequence[Platform], cores: Sequence[str], *, fresh: bool, progress: Progress
) -> list[PlatformVerdict]:
    """One for each platform; without figures if it cannot be measured.

    `cores`: only these; none: those that compete unnamed.
    """
    lacking = {one.name: reason for one in platforms if (reason := why_not(one))}
    jobs = [
        job(one, core)
        for one in platforms
        if one.name not in lacking
        for core in _cores(one, cores)
    ]
    results = measure(jobs, fresh=fresh, progress=progress)
    by_name: dict[str, list[Result]] = {one.name: [] for one in platforms}
    for asked, result in zip(jobs, results, strict=True):
        by_name[asked.platform.name].append(result)
    return [_line(one, by_name[one.name], lacking.get(one.name)) for one in platforms]


def _line(platform: Platform, results: Iterable[Result], lacking: str | None) -> PlatformVerdict:
    rows = sorted((one for one in results if isinstance(one, Row)), key=costs_of)
    if not rows:
        reasons = [one.reason for one in results if isinstance(one, Refusal)]
        why = lacking or next(iter(reasons), "it can run none of these cores")
        names = (
            *("core", "clock_hz", "us_per_packet", "mbit_per_s", "needed_clock_hz", "keeps_up"),
            "energy_per_packet_uj",
        )
        return PlatformVerdict(
            PacketRow(
                platform.name, KIND_OF_RIG[platform.rig], None, why=dict.fromkeys(names, why)
            ),
            None,
        )
    clock = clock_of(platform)
    return verdict_of([_entry(platform, row, clock) for row in rows])


def _entry(platform: Platform, row: Row, clock: float) -> PacketRow:
    energy = platform.energy
    why = {} if energy else {"energy_per_packet_uj": _why_no_energy(platform)}
    return PacketRow(
        platform=platform.name,
        kind=KIND_OF_RIG[platform.rig],
        core=row.core,
        cycles=row.cycles,
        clock_hz=clock,
        picojoules=energy.value if energy else None,
        secrecy=row.secrecy,
        why=why,
    )


def _why_no_energy(platform: Platform) -> str:
    if platform.chip is not None and platform.clock is not None:
        return platform.chip.energy.why_not(platform.clock.value)
    return "no source gives its energy per cycle"
