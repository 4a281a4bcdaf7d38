# SPDX-License-Identifier: MIT
"""Software or hardware: published cycles of a chip's AES engines beside those of the best core."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Literal

from ..jobs.job import Job, Progress, Row
from ..platforms.engines import BLOCK_BYTES, AesEngine, EngineChip, EngineFigure, engine_chips
from ..platforms.platform import Platform
from ..units import count
from .answered import answered
from .multipliers import DEFAULT
from .ranking import Candidate
from .request import Request

LENGTHS = (16, 64, 1504)
"""Payload bytes at which an engine with published cycles of a block is compared: the atlas's."""


@dataclass(frozen=True)
class EngineRow:
    """An engine and the best core at one length; its keys are stable."""

    chip: str
    engine: str
    mode: str
    key_bits: int
    includes: str
    """"engine": the engine alone; else the driver that the cycles include."""
    bytes: int
    engine_cycles: float
    core: str
    software_cycles: float | None
    """Of the core in that mode, keys expanded before; None where it could not be measured."""
    faster: Literal["engine", "core"] | None
    engine_from_bytes: int | None
    """The payload from which the engine is faster, up to the longest compared; None: it is not."""
    source: str


def faster_from(engine: Mapping[int, float], software: Mapping[int, float]) -> int | None:
    """The payload, in bytes, from which the engine takes fewer cycles up to the longest length.

    Both: cycles by payload bytes; lengths that both have are compared, and between two of them
    cycles lie on a straight line, looked at in whole blocks.  None where the engine is not faster
    at the longest length.
    """
    sizes = sorted(engine.keys() & software.keys())
    found: int | None = None
    for size in reversed([*_between(sizes), *sizes[-1:]]):
        if _on_line(engine, sizes, size) >= _on_line(software, sizes, size):
            break
        found = size
    return found


def _between(sizes: list[int]) -> Iterator[int]:
    """The lengths but the last, and whole blocks between them."""
    for low, high in pairwise(sizes):
        yield low
        yield from range(BLOCK_BYTES * (low // BLOCK_BYTES + 1), high, BLOCK_BYTES)


def _on_line(cycles: Mapping[int, float], sizes: list[int], size: int) -> float:
    if size in cycles:
        return cycles[size]
    low = max(one for one in sizes if one < size)
    high = min(one for one in sizes if one > size)
    return cycles[low] + (cycles[high] - cycles[low]) * (size - low) / (high - low)


def engines_told(platform: Platform) -> str:
    """The chips with AES engines that compute as the platform does; empty where none is known."""
    told = {True: list[str](), False: list[str]()}
    for chip in engine_chips(platform):
        told[chip.counted].append(f"{chip.title} ({chip.relation})")
    with_cycles, without = (", ".join(told[counted]) for counted in (True, False))
    sentences = (
        with_cycles
        and f"AES engines with published cycles: {with_cycles}; --hardware compares them",
        without and f"AES engines of which no cycles are known: {without}",
    )
    return "; ".join(filter(None, sentences))


def none_compared(platform: Platform) -> str:
    """Why a core is compared with no engine, in a sentence; empty where it can be."""
    if any(chip.counted for chip in engine_chips(platform)):
        return ""
    told = f"no cycles of an AES engine are known for {platform.name}, so none is compared"
    known = engines_told(platform)
    return f"{told} ({known})" if known else told


def engine_rows(
    request: Request, winner: Candidate, fresh: bool, progress: Progress
) -> tuple[EngineRow, ...]:
    """Every engine of the platform at every length, beside the winner in the engine's mode."""
    every = [
        (chip, engine, figure)
        for chip in engine_chips(request.platform)
        for engine in chip.engines
        for figure in engine.figures
    ]
    jobs = {
        (figure.mode, figure.key_bits, size): _job(request, winner, figure, size)
        for _, _, figure in every
        for size in figure.at(LENGTHS)
    }
    rows = answered(list(jobs.values()), fresh=fresh, progress=progress).results
    cycles = {
        about: float(row.cycles)
        for about, row in zip(jobs, rows, strict=True)
        if isinstance(row, Row)
    }
    return tuple(row for one in every for row in _compared(*one, winner, cycles))


def _job(request: Request, winner: Candidate, figure: EngineFigure, size: int) -> Job:
    return Job(
        platform=request.counted_on,
        core=winner.name,
        key_bits=figure.key_bits,
        op="encrypt",
        mode=figure.mode,
        bytes=size,
        flags=winner.flags,
        ghash=winner.ghash or DEFAULT,
        placement=request.placement,
    )


def _compared(
    chip: EngineChip,
    engine: AesEngine,
    figure: EngineFigure,
    winner: Candidate,
    cycles: Mapping[tuple[str, int, int], float],
) -> Iterator[EngineRow]:
    """The lengths of one published figure."""
    hard = figure.at(LENGTHS)
    known = {size: cycles.get((figure.mode, figure.key_bits, size)) for size in hard}
    soft = {size: value for size, value in known.items() if value is not None}
    start = faster_from(hard, soft)
    for size, taken in hard.items():
        yield EngineRow(
            chip.title,
            engine.name,
            figure.mode,
            figure.key_bits,
            figure.driver or "engine",
            size,
            taken,
            winner.name,
            soft.get(size),
            None if size not in soft else "engine" if taken < soft[size] else "core",
            start,
            figure.source,
        )


def hardware_json(rows: tuple[EngineRow, ...]) -> list[dict[str, Any]]:
    """The rows with their stable keys."""
    return [asdict(one) for one in rows]


def crossings_told(rows: tuple[EngineRow, ...], platform: Platform) -> list[str]:
    """A sentence for each published figure, and one for what each engine does not do."""
    series: dict[tuple[str, str, str, int, str], list[EngineRow]] = {}
    for row in rows:
        about = (row.chip, row.engine, row.mode, row.key_bits, row.includes)
        series.setdefault(about, []).append(row)
    limits = [
        f"{chip.title}, {engine.name}: {engine.does}; limits: {engine.limits} ({engine.source})"
        for chip in engine_chips(platform)
        for engine in chip.engines
    ]
    return [*map(_crossing, series.values()), *limits]


def _crossing(rows: list[EngineRow]) -> str:
    """Where one engine overtakes the core, or that it does not."""
    first, start = rows[0], rows[0].engine_from_bytes
    cost = "alone, without a driver" if first.includes == "engine" else f"with {first.includes}"
    what = f"{first.engine} of {first.chip} {cost}, AES-{first.key_bits} in {first.mode}"
    if first.software_cycles is None:
        return f"{what}: {first.core} could not be measured"
    sizes = [one.bytes for one in rows]
    if len(sizes) == 1:
        ratio = first.engine_cycles / first.software_cycles
        at = f"at {count(sizes[0])} bytes, the one length that was published"
        less = (
            f"{100 * (1 - ratio):.0f} % fewer cycles than"
            if ratio < 1
            else f"{ratio:.2f} times those of"
        )
        return f"{what}: {less} {first.core} {at}"
    if start is None:
        return f"{what}: slower than {first.core} at {count(max(sizes))} bytes"
    if start == min(sizes):
        return (
            f"{what}: faster than {first.core} at each of {len(sizes)} lengths from {start} bytes"
        )
    return f"{what}: faster than {first.core} from {count(start)} bytes, slower below"
