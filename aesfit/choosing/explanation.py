# SPDX-License-Identifier: MIT
"""Explains expected cache misses line by line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from ..cachemodel.analytic import misses, stalls
from ..cachemodel.equations import Floats
from ..cachemodel.predict import stretches
from ..cachemodel.question import Version
from ..units import count
from .pricing import Modelled, cycles
from .ranking import Candidate, Choice
from .request import LONGEST, Bursts, Request


@dataclass(frozen=True)
class Part:
    """Misses of one kind of data in a burst, as if it were alone in the cache."""

    name: str
    lines: int
    reads: int | None
    """Reads per call; None if not counted."""
    misses: float


def _stalls(modelled: Modelled, bursts: Bursts, calls: Sequence[int]) -> Floats:
    return stalls(modelled.version, modelled.hierarchy, calls, bursts.evicted)


def parts(modelled: Modelled, bursts: Bursts) -> list[Part]:
    """Misses of a burst by kind of data; the last part is mutual eviction."""
    version, line = modelled.version, modelled.hierarchy.data.line
    bare = replace(
        version, lookups=(), fixed=(), fixed_bytes=0, stream_bytes=0, stored_bytes=0, setup=()
    )
    found = []
    for table in version.lookups:
        setup = tuple(one for one in version.setup if one.table == table.table)
        alone = replace(bare, lookups=(table,), setup=setup)
        lines = -(-table.size // line)
        found.append(Part(table.table, lines, table.reads, _misses(alone, modelled, bursts)))
    fixed = replace(bare, fixed=version.fixed, fixed_bytes=version.fixed_bytes)
    size = sum(one.size for one in version.fixed) or version.fixed_bytes
    found.append(
        Part("keys, stack, constants", -(-size // line), None, _misses(fixed, modelled, bursts))
    )
    streams = replace(bare, stream_bytes=version.stream_bytes, stored_bytes=version.stored_bytes)
    passing = _misses(streams, modelled, bursts)
    found.append(Part("input and output", ceil(passing), None, passing))
    rest = _misses(version, modelled, bursts) - sum(one.misses for one in found)
    found.append(Part("evictions of one by another", 0, None, rest))
    return found


def _misses(version: Version, modelled: Modelled, bursts: Bursts) -> float:
    calls = np.array([bursts.calls], dtype=np.float64)
    return float(misses(version, modelled.hierarchy.data, calls, bursts.evicted)[0])


def explain(choice: Choice) -> tuple[str, ...]:
    """The arithmetic for the winner and the next core, and their crossover.

    ValueError without bursts.
    """
    request, first = choice.request, choice.ranking[:2]
    if request.bursts is None:
        raise ValueError("without bursts there are no expected misses to explain")
    told: list[str] = []
    for candidate in first:
        modelled = candidate.costs.modelled
        assert modelled is not None  # noqa: S101 - every candidate in bursts has it
        told += _account(candidate, modelled, request.bursts, request)
    if len(first) == 2:
        told.append(crossover(request, *first))
    return tuple(told)


def _account(
    candidate: Candidate, modelled: Modelled, bursts: Bursts, request: Request
) -> list[str]:
    """The arithmetic behind the cycles of one candidate, a line each."""
    version, row = modelled.version, candidate.row
    (stalled,) = _stalls(modelled, bursts, [bursts.calls])
    lost = row.stall_cycles or 0
    blocks = request.blocks
    return [
        f"{row.core}: E = {version.cycles_per_call:,.1f} cycles a call, c = "
        f"{version.overhead:,.0f} once; expected misses of a burst of {_calls(bursts.calls)}:",
        *_lines(modelled, bursts, float(stalled)),
        f"  {float(stalled):,.0f} / {bursts.calls} x {_calls(blocks)} = {lost:,} cycles a message; "
        f"{count(row.cycles - lost)} without misses + {lost:,} = {count(row.cycles)}, or "
        f"{row.cycles / blocks:,.1f} a call",
    ]


def _lines(modelled: Modelled, bursts: Bursts, stalled: float) -> list[str]:
    """Misses of a burst: of each kind of data, of all data, and of code."""
    line = modelled.hierarchy.data.line
    penalty = modelled.hierarchy.penalty.of(line)
    found = parts(modelled, bursts)
    data = sum(part.misses for part in found)
    told = []
    for part in found:
        reads = f", {part.reads} reads a call" if part.reads is not None else ""
        lines = f" ({part.lines} lines{reads})" if part.lines else ""
        told.append(f"  {part.misses:8.1f}  {part.name}{lines}")
    told.append(f"  {data:8.1f}  in total, at {penalty:g} cycles: {data * penalty:,.0f} cycles")
    cache = modelled.hierarchy.instruction
    if cache is not None:
        code = stalled - data * penalty
        each = modelled.hierarchy.penalty.of(cache.line)
        told.append(f"  {code / each:8.1f}  lines of code, at {each:g} cycles: {code:,.0f} cycles")
    return told


def crossover(request: Request, first: Candidate, second: Candidate) -> str:
    """The crossover of two candidates over the burst length, all else equal."""
    calls = np.arange(1, LONGEST + 1, dtype=np.float64)
    curves = {one.name: cycles(request, one.costs, calls) for one in (first, second)}
    found = stretches(calls, curves)
    if len(found) == 1:
        other = next(name for name in curves if name != found[0].core)
        return f"{found[0].core} takes fewer cycles than {other} in bursts of any length"
    told = [
        f"{one.core} in bursts of {one.first} "
        + (f"to {one.last} calls" if one.last < LONGEST else "calls and more")
        for one in found
    ]
    return f"the faster of these two: {', '.join(told)}"


def _calls(number: float) -> str:
    return f"{number:g} call{'s' if number != 1 else ''}"
