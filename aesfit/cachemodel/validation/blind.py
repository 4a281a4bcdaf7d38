# SPDX-License-Identifier: MIT
"""Blind trials of the inverse: times of known caches, whose shape and penalty are hidden from it.

Times come from the simulator, as in trial.py: the emulator's cycles of a burst, and the penalty for
each line of data and code that its trace filled.  Several keys and texts are the repeats.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...caches.cache import Cache, Hierarchy
from ...jobs.job import Progress
from ...platforms.platform import Platform
from ..equations import Floats
from ..inverse import WAYS, BurstTimes, Inferred, infer
from ..versions import versions
from .compare import parse_geometry
from .samples import Behind, SampledBursts, Samples, sample
from .trial import own_hierarchy

CORES = ("transposed", "ttable1", "ttable4", "ttable8")
"""The versions of Bertoni et al.: tables of 256 bytes to 8 KiB."""
CALLS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
TEXTS = 12
UNSEEN = (
    *("1K:2:16", "4K:4:16", "8K:4:16", "8K:8:32", "16K:2:32", "16K:4:64"),
    *("4K:2:64", "8K:1:32", "2K:2:32", "4K:4:16:fifo", "8K:2:16:random", "16K:4:32:random"),
)
"""Caches that are not among those on which the tolerances of the inverse were chosen."""
FIELDS = ("line", "size", "ways", "penalty")


@dataclass(frozen=True)
class BlindTrial:
    """One cache, hidden and inferred."""

    platform: str
    cache: Cache
    penalty: float
    found: Inferred

    def inside(self, name: str) -> bool:
        """Whether the answer contains the truth; more ways than were tried count as the most."""
        if name == "penalty":
            low, high = self.found.penalty
            return low <= self.penalty <= high
        true = getattr(self.cache, name)
        return (min(true, WAYS[-1]) if name == "ways" else true) in self.found.values(name)


def times_of(samples: Samples, lost: Floats, calls: Sequence[int]) -> BurstTimes:
    """What a stopwatch would show: stalls with a row for each text, on ideal cycles."""
    totals = samples.ideal + lost
    errors = totals.std(axis=0, ddof=1) / np.sqrt(len(totals))
    return BurstTimes(
        samples.core, tuple(calls), tuple(totals.mean(axis=0).tolist()), tuple(errors.tolist())
    )


def _samples(
    platform: Platform, own: Hierarchy, caches: Sequence[Cache], cores: Sequence[str], texts: int
) -> dict[str, Samples]:
    behind = [Behind(cache) for cache in caches]
    if own.instruction is not None:
        behind.append(Behind(own.instruction, instructions=True))
    secrets = tuple(range(1, texts + 1))
    return {
        core: sample(SampledBursts(platform, core, tuple(behind), CALLS, secrets)) for core in cores
    }


def _measured(samples: Mapping[str, Samples], cache: Cache, own: Hierarchy) -> list[BurstTimes]:
    found = []
    for one in samples.values():
        data = one.fills[Behind(cache)][:, CALLS].astype(np.float64)
        lost = data * own.penalty.of(cache.line)
        if own.instruction is not None:
            code = one.fills[Behind(own.instruction, instructions=True)][:, CALLS]
            lost = lost + code * own.penalty.of(own.instruction.line)
        found.append(times_of(one, lost, CALLS))
    return found


def blind(
    platform: Platform,
    geometries: Sequence[str] = UNSEEN,
    *,
    cores: Sequence[str] = CORES,
    tried: Sequence[Cache] = (),
    texts: int = TEXTS,
    known_cycles: bool = False,
    progress: Progress = lambda done, total: None,
) -> list[BlindTrial]:
    """The platform's own cache and others, inferred from simulated times."""
    own = own_hierarchy(platform)
    caches = [own.data]
    for one in geometries:
        caches.append(replace(parse_geometry(one), write_allocate=own.data.write_allocate))
    samples = _samples(platform, own, caches, cores, texts)
    named = versions(platform, list(cores))
    found = []
    for done, cache in enumerate(caches):
        progress(done, len(caches))
        bursts = _measured(samples, cache, own)
        answer = infer(bursts, named, tried, known_cycles=known_cycles)
        found.append(BlindTrial(platform.name, cache, own.penalty.of(cache.line), answer))
    return found
