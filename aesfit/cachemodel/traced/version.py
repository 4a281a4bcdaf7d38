# SPDX-License-Identifier: MIT
"""Derives a version of the cache model from a function of an ELF file, with its provenance.

E is the mean of the sampled calls, each from its first instruction to its return, and c is 0: key
set-up is a separate function, which `aesfit count` counts.  The buffers of the arguments count as
data at fixed addresses.  Code is counted in lines of the instruction cache.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..._native import version as __version__
from ...caches.cache import Hierarchy
from ...counting.arguments import symbols
from ...counting.count import check_countable, placed
from ...counting.foreign import Function, function_in
from ...counting.price import price, refuse_waits
from ...jobs.job import Provenance
from ...measuring.footprint import footprint
from ...measuring.trace import RECORD, Span, Trace
from ...platforms.platform import Platform
from ...rigs.emulator.evidence import model_sha256
from ...rigs.emulator.machine import Machine
from ...rigs.emulator.recording import Recorded
from ..equations import Floats
from ..layout import WeighedLookup
from ..question import Region, Version
from .independence import TableLines, check
from .names import Names, names_in
from .sampling import INPUTS, SampledCall, Sampler, TracedFunction, check_arguments, sampled
from .tables import TracedTable, tables

PIECE = 16
"""Granularity of footprint() in bytes."""


@dataclass(frozen=True)
class Derived:
    """A version and its provenance."""

    version: Version
    provenance: Provenance
    warnings: tuple[str, ...]


def derive(asked: TracedFunction, hierarchy: Hierarchy) -> Derived:
    """The version for these caches, whose line size determines the shares.

    ValueError: the question makes no sense.  RuntimeError: a call did not run to its end, the
    timing model has no rule for it, or the cache model does not hold for the code and its input.
    """
    check_arguments(asked.arguments)
    check_countable(asked.platform)
    refuse_waits(asked.platform, placed(asked.platform))
    named = symbols(asked.arguments)
    with function_in(asked.platform, asked.files, asked.function, named) as called:
        sampler = Sampler(asked, called)
        waits = asked.platform.memory("flash").interface is not None
        calls = list(sampled(sampler, keep=waits))
        return _derived(asked, hierarchy, called, sampler, calls)


def _derived(
    asked: TracedFunction,
    hierarchy: Hierarchy,
    called: Function,
    sampler: Sampler,
    calls: Sequence[SampledCall],
) -> Derived:
    names = names_in(called.image, sampler.buffers, sampler.machine.where)
    found = tables(calls, names)
    check(found, hierarchy.data.line, names)
    recorded = [one.recorded for one in calls]
    cycles, memory = priced(asked.platform, sampler.machine, called, recorded)
    line = hierarchy.data.line
    lookups = [_lookup(one, line, names) for one in found]
    version = Version(
        core=asked.function,
        cycles_per_call=float(cycles.mean()),
        overhead=0.0,
        lookups=tuple(lookups),
        fixed=_fixed(sampler, found, calls[0]),
        code_bytes=_code_bytes(hierarchy, calls),
    )
    fixed_bytes = sum(one.size for one in version.fixed)
    told = _provenance(asked, called, _told(lookups, names), memory)
    return Derived(replace(version, fixed_bytes=fixed_bytes), told, called.warnings)


def priced(
    platform: Platform, machine: Machine, called: Function, calls: Sequence[Recorded]
) -> tuple[Floats, str]:
    """Cycles of each call without misses, and their provenance.

    Calls that took the same path share a profile, and cost the same unless flash has wait states.
    """
    waits = platform.memory("flash").interface is not None
    names = [number if waits else id(one.execution.profile) for number, one in enumerate(calls)]
    kinds = dict(zip(names, calls, strict=True))
    found = price(platform, machine, called, list(kinds.values()), placed(platform))
    cycles = dict(zip(kinds, found.runs, strict=True))
    return np.array([cycles[name] for name in names], dtype=np.float64), found.memory


def _lookup(table: TracedTable, line: int, names: Names) -> WeighedLookup:
    return WeighedLookup(
        table=names.of(table.start),
        size=table.size,
        reads=round(table.mean_reads),
        address=table.start,
        line=line,
        shares=tuple(TableLines(table, line).shares().tolist()),
    )


def _fixed(sampler: Sampler, found: Sequence[TracedTable], call: SampledCall) -> tuple[Region, ...]:
    """Data of one more call without its tables: round keys, buffers, stack, constants."""
    records = sampler.call(INPUTS).records
    spans = tuple(Span(str(at), one.start, one.size) for at, one in enumerate(found))
    twice = Trace(2 * records, (0, len(records) // RECORD.size), spans, ())
    loaded = set((call.loads.address // PIECE).tolist())
    return tuple(
        Region(start, size, moments=moments, stored=start // PIECE not in loaded)
        for start, size, moments in footprint(twice)["fixed"]
    )


def _code_bytes(hierarchy: Hierarchy, calls: Sequence[SampledCall]) -> int:
    """Mean bytes of whole lines of executed code; 0 if the platform has no instruction cache."""
    if hierarchy.instruction is None:
        return 0
    line = hierarchy.instruction.line
    each = {one.code: _lines(one.code, line) for one in calls}
    return round(float(np.mean([each[one.code] for one in calls]))) * line


def _lines(code: frozenset[tuple[int, int]], line: int) -> int:
    ends = (end for address, size in code for end in (address, address + size - 1))
    return len({end // line for end in ends})


def _provenance(asked: TracedFunction, called: Function, told: str, memory: str) -> Provenance:
    """The provenance of the version, with its tables."""
    return Provenance(
        sources_sha256=called.files_sha256,
        platform_sha256=asked.platform.sha256,
        timing_sha256=model_sha256(asked.platform.timing or ""),
        compiler=called.compiler,
        flags="",
        rig="emulator",
        version=__version__,
        window=f"mean of {INPUTS} calls of {called.name} with other inputs, each from its first "
        f"instruction to its return; tables found in their data trace: {told or 'none'}",
        memory=memory,
    )


def _told(found: Sequence[WeighedLookup], names: Names) -> str:
    """Describes the tables in words."""
    return "; ".join(
        f"{one.table} ({names.section(one.address or 0)}, at {one.address or 0:#x}): "
        f"{one.size} bytes, {len(one.shares)} lines, {one.reads} reads a call"
        for one in found
    )
