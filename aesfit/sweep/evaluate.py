# SPDX-License-Identifier: MIT
"""Computes the figures of points, with one function for each method.

Points come grouped by kin, so that coefficients, sizes and traces are shared.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..cachemodel.analytic import Analytic
from ..cachemodel.question import Burst, Estimator, Time, Version
from ..cachemodel.simulate import Simulated
from ..cachemodel.versions import hierarchy, versions
from ..caches.cache import Hierarchy
from ..jobs.job import Row
from ..measuring.measure import Refusal, measure
from ..platforms.platform import Platform
from .point import Figures, SweepPoint
from .run import Evaluators, reason
from .synthesised import synthesised

if TYPE_CHECKING:
    from ..measuring.trace import Trace

_BLOCK = 16
"""Bytes of one call of the block cipher."""
_TRACED = 1024
"""Calls of a trace; it serves all shorter bursts, and a warm start is the state at its end."""
_SECRET = 1
"""Number of the key and texts of traces, which differ from those of the coefficients."""


def measured(platform: Platform, points: Sequence[SweepPoint]) -> list[Figures]:
    """Measure one operation on the platform's rig, with the memories of the platform file."""
    results = measure([point.job(platform) for point in points])
    return [_measured(result) for result in results]


def _measured(result: Row | Refusal) -> Figures:
    if isinstance(result, Refusal):
        return {"error": result.reason}
    return {
        "cycles": result.cycles,
        "cycles_per_byte": result.cycles_per_byte,
        "instructions": result.instructions,
        **_sizes(result),
    }


def _sizes(row: Row) -> dict[str, Any]:
    """The columns that depend on the image and not on the cache."""
    return {
        "flash": row.flash_bytes,
        "ram": row.ram_bytes,
        "code_bytes": row.code_bytes,
        "table_bytes": row.table_bytes,
        "context_bytes": row.context_bytes,
        "stack_bytes": row.stack_bytes,
        "timing": row.timing,
        "evidence": row.evidence,
        "sources_sha256": row.provenance.sources_sha256,
        "compiler": row.provenance.compiler,
    }


def model(platform: Platform, points: Sequence[SweepPoint]) -> list[Figures]:
    """Use the cache model, with coefficients measured once per kin, or published ones."""
    return _bursts(platform, points, lambda version, point: Analytic())


def simulated(platform: Platform, points: Sequence[SweepPoint]) -> list[Figures]:
    """Use the cache simulator, over traces of the emulator."""

    def estimator(version: Version, point: SweepPoint) -> Estimator:
        traces = {version.core: _trace(_flagged(platform, point), point.kin, _traced(point))}
        return Simulated(traces)

    return _bursts(platform, points, estimator)


def _traced(point: SweepPoint) -> int:
    """Calls of the trace; depends on this point only, not on others of the sweep.

    A message has its own trace, because the tag comes last and a longer message does not contain
    it.
    """
    calls = point.calls or 0
    return calls if point.mode else max(calls, _TRACED)


def _bursts(
    platform: Platform,
    points: Sequence[SweepPoint],
    estimator: Callable[[Version, SweepPoint], Estimator],
) -> list[Figures]:
    """Figures of points that differ only in cache and burst."""
    kin = points[0].kin
    flagged = _flagged(platform, kin)
    version = _version(flagged, kin)
    image = _image(flagged, kin, version)
    found: list[Figures] = []
    for _, group in groupby(points, key=lambda p: (p.cache, p.penalty, _traced(p))):
        some = list(group)
        try:
            found += _times(flagged, version, some, estimator(version, some[0]), image)
        except (RuntimeError, ValueError, OSError) as error:  # of this geometry
            found += [{"error": reason(error)}] * len(some)
    return found


def _times(
    platform: Platform,
    version: Version,
    points: Sequence[SweepPoint],
    estimator: Estimator,
    image: Figures,
) -> Iterator[Figures]:
    bursts = [Burst(point.calls or 0, _share(point)) for point in points]
    times = estimator.times(version, _hierarchy(platform, points[0]), bursts)
    return ({**image, **_time(time)} for time in times)


def _share(point: SweepPoint) -> float:
    return 1.0 if point.evicted is None else point.evicted


def _time(time: Time) -> Figures:
    return {
        "cycles": time.per_call,
        "cycles_per_byte": time.per_call / _BLOCK,
        "burst_cycles": time.total,
        "stall_cycles": time.stalls,
    }


def _hierarchy(platform: Platform, point: SweepPoint) -> Hierarchy:
    """The point's data cache and penalty, with the platform's instruction cache."""
    cache, penalty = point.cache, point.penalty
    if cache is None or penalty is None:
        raise ValueError("a burst needs a data cache and a penalty")
    code = hierarchy(
        platform, size=cache.size, line=cache.line, ways=cache.ways, penalty=0
    ).instruction
    return Hierarchy(cache, penalty, code)


def _flagged(platform: Platform, point: SweepPoint) -> Platform:
    """The platform with the point's optimisation flags."""
    if point.flags is None:
        return platform
    flags = tuple(point.flags.split())
    return replace(platform, compiler=replace(platform.compiler, optimise=flags))


@lru_cache(maxsize=64)
def _version(platform: Platform, kin: SweepPoint) -> Version:
    return versions(platform, [kin.core], mode=kin.mode, key_bits=kin.key_bits)[0]


def _image(platform: Platform, kin: SweepPoint, version: Version) -> Figures:
    """Sizes; if nothing can be compiled, only those of the tables."""
    if platform.rig == "published":
        return {"table_bytes": sum(lookup.size for lookup in version.lookups)}
    result = measure([kin.job(platform)])[0]
    if isinstance(result, Refusal):
        raise RuntimeError(result.reason)
    return _sizes(result)


@lru_cache(maxsize=2)
def _trace(platform: Platform, kin: SweepPoint, calls: int) -> "Trace":
    from ..measuring.bursts import (
        trace,  # brings the emulator, which published platforms do without
    )

    return trace(
        platform,
        kin.core,
        calls,
        key_bits=kin.key_bits,
        op=kin.op,
        mode=kin.mode,
        secret=_SECRET,
    )


EVALUATORS: Evaluators = {
    "measured": measured,
    "model": model,
    "simulated": simulated,
    "synthesised": synthesised,
}
