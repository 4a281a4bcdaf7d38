# SPDX-License-Identifier: MIT
"""Rows with the misses that the cache model expects in bursts, and the arithmetic behind them.

A call is 16 bytes of payload: one block of a message.  A burst of N calls may be part of a message
or several messages; each begins with a key set-up, as those that gave the coefficients.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from .fit import Bursts, Candidate, Request
from .model.question import Hierarchy, Version
from .quantity import count
from .rigs.rig import Row
from .rigs.stalls import COLD

if TYPE_CHECKING:
    from .model.equations import Floats

_BLOCK = 16
"""Bytes of a call."""
_EXPECTED = "cache misses as the cache model expects them"
LONGEST = 65536
"""Calls of the longest burst."""


@dataclass(frozen=True)
class Modelled:
    """What the model needs of one variant of a core."""

    version: Version
    hierarchy: Hierarchy


@dataclass(frozen=True)
class Part:
    """Misses of one thing in a burst, were it alone in the cache."""

    name: str
    lines: int
    reads: int | None
    """Per call; None where they are not counted."""
    misses: float


def calls_of(size: int) -> int:
    """Calls that a message of so many bytes takes."""
    return ceil(size / _BLOCK)


def with_misses(row: Row, modelled: Modelled, bursts: Bursts) -> Row:
    """A measured row with the misses that a burst expects in the place of those measured.

    Key set-up keeps none, because those of a burst hold it.
    """
    ideal = row.cycles - (row.stall_cycles or 0)
    lost = 0
    if row.op != "key-setup":
        (burst,) = _stalls(modelled, bursts, [bursts.calls])
        lost = round(float(burst) / bursts.calls * calls_of(row.bytes))
    cycles = ideal + lost
    memory = row.provenance.memory.removesuffix(f", {COLD}")
    return replace(
        row,
        cycles=cycles,
        cycles_per_byte=cycles / row.bytes if row.bytes else None,
        stall_cycles=lost,
        provenance=replace(row.provenance, memory=f"{memory}; {_EXPECTED}"),
    )


def _stalls(modelled: Modelled, bursts: Bursts, calls: Sequence[int]) -> "Floats":
    from .model.analytic import stalls

    return stalls(modelled.version, modelled.hierarchy, calls, bursts.evicted)


def parts(modelled: Modelled, bursts: Bursts) -> list[Part]:
    """Misses of a burst by what they fetch; the last part is what these cost each other."""
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
    found.append(Part("one pushing out another", 0, None, rest))
    return found


def _misses(version: Version, modelled: Modelled, bursts: Bursts) -> float:
    import numpy as np

    from .model.analytic import misses

    calls = np.array([bursts.calls], dtype=np.float64)
    return float(misses(version, modelled.hierarchy.data, calls, bursts.evicted)[0])


def account(
    candidate: Candidate, modelled: Modelled, bursts: Bursts, request: Request
) -> list[str]:
    """The arithmetic behind the cycles of one candidate, a line each."""
    version, row = modelled.version, candidate.row
    line = modelled.hierarchy.data.line
    penalty = modelled.hierarchy.penalty.of(line)
    (stalled,) = _stalls(modelled, bursts, [bursts.calls])
    found = parts(modelled, bursts)
    data = sum(part.misses for part in found)
    lost = row.stall_cycles or 0
    told = [
        f"{row.core}: E = {version.cycles_per_call:,.1f} cycles a call, c = "
        f"{version.overhead:,.0f} once; expected misses of a burst of {_calls(bursts.calls)}:"
    ]
    for part in found:
        reads = f", {part.reads} reads a call" if part.reads is not None else ""
        lines = f" ({part.lines} lines{reads})" if part.lines else ""
        told.append(f"  {part.misses:8.1f}  {part.name}{lines}")
    told.append(f"  {data:8.1f}  in all, at {penalty:g} cycles: {data * penalty:,.0f} cycles")
    cache = modelled.hierarchy.instruction
    if cache is not None:
        code = float(stalled) - data * penalty
        each = modelled.hierarchy.penalty.of(cache.line)
        told.append(f"  {code / each:8.1f}  lines of code, at {each:g} cycles: {code:,.0f} cycles")
    blocks = calls_of(request.bytes)
    told.append(
        f"  {float(stalled):,.0f} / {bursts.calls} x {_calls(blocks)} = {lost:,} cycles a message; "
        f"{count(row.cycles - lost)} without misses + {lost:,} = {count(row.cycles)}, or "
        f"{row.cycles / blocks:,.1f} a call"
    )
    return told


def crossover(
    first: tuple[Candidate, Modelled], second: tuple[Candidate, Modelled], bursts: Bursts, size: int
) -> str:
    """Where two candidates change places as bursts grow, all else as it is."""
    import numpy as np

    from .predict import stretches

    calls = np.arange(1, LONGEST + 1, dtype=np.float64)
    blocks = calls_of(size)
    curves = {}
    for candidate, modelled in (first, second):
        ideal = candidate.row.cycles - (candidate.row.stall_cycles or 0)
        each = _stalls(modelled, bursts, range(1, LONGEST + 1)) / calls
        curves[candidate.name] = np.asarray(ideal / blocks + each)
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


def _calls(number: int) -> str:
    return f"{number} call{'s' if number != 1 else ''}"
