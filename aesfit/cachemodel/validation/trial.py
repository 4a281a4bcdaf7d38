# SPDX-License-Identifier: MIT
"""Validates the cache model: every core in every place, by the model and by the simulator."""

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context

import numpy as np

from ...caches.cache import Hierarchy, sets_of
from ...jobs.job import Progress
from ...measuring.workers import end_with_parent
from ...platforms.platform import Platform
from ..analytic import stalls
from ..equations import Floats
from ..question import Version
from ..versions import hierarchy, versions
from .compare import TEXTS, Place, ValidationPoint, compare, lengths
from .samples import Behind, SampledBursts, Samples, sample


@dataclass(frozen=True)
class Trial:
    """What is compared."""

    platform: Platform
    cores: tuple[str, ...]
    places: tuple[Place, ...]
    calls: tuple[int, ...]
    texts: int = TEXTS

    @property
    def secrets(self) -> tuple[int, ...]:
        """Numbers of keys and texts; 0 gave the coefficients."""
        return tuple(range(1, self.texts + 1))


def own_hierarchy(platform: Platform) -> Hierarchy:
    """The platform's caches; ValueError if no data cache can be simulated."""
    if not platform.emulated:
        raise ValueError(
            f"nothing runs on {platform.name} whose accesses are traced; see: aesfit platforms"
        )
    if all(one.kind != "data" for one in platform.caches) or platform.miss_penalty is None:
        raise ValueError(f"{platform.name} has no data cache; see: aesfit platforms")
    return hierarchy(platform)


def trial(asked: Trial, progress: Progress = lambda done, total: None) -> list[ValidationPoint]:
    """Compute every point; ValueError if the question makes no sense."""
    calls = lengths(asked.calls)
    if not calls:
        raise ValueError("bursts of 0, 512 and 1024 calls gave the coefficients; give others")
    for place in asked.places:
        sets_of(place.cache)
    own = own_hierarchy(asked.platform)
    jobs = [_asked(asked, own, core, calls) for core in asked.cores]
    steps = 2 * len(jobs)
    found = versions(asked.platform, asked.cores, progress=lambda done, _: progress(done, steps))
    samples = {}
    for done, one in enumerate(_sampled(jobs), len(jobs) + 1):
        samples[one.core] = one
        progress(done, steps)
    return [
        point
        for version in found
        for place in asked.places
        for point in _points(version, place, own, calls, samples[version.core])
    ]


def _asked(asked: Trial, own: Hierarchy, core: str, calls: tuple[int, ...]) -> SampledBursts:
    behind = [Behind(place.cache, place.evicted) for place in asked.places]
    if own.instruction is not None:
        shares = dict.fromkeys(place.evicted for place in asked.places)
        behind += [Behind(own.instruction, share, instructions=True) for share in shares]
    return SampledBursts(asked.platform, core, tuple(dict.fromkeys(behind)), calls, asked.secrets)


def _points(
    version: Version,
    place: Place,
    own: Hierarchy,
    calls: tuple[int, ...],
    samples: Samples,
) -> list[ValidationPoint]:
    here = replace(own, data=place.cache)
    columns = np.array(calls)
    data = samples.fills[Behind(place.cache, place.evicted)]
    lost = data[:, columns].astype(np.float64) * own.penalty.of(place.cache.line)
    if own.instruction is not None:
        code = samples.fills[Behind(own.instruction, place.evicted, instructions=True)]
        lost = lost + code[:, columns] * own.penalty.of(own.instruction.line)
    number: Floats = columns.astype(np.float64)
    expected = stalls(version, here, number, place.evicted)
    return compare(version, place, calls, expected, lost, samples.ideal)


def _sampled(jobs: Sequence[SampledBursts]) -> Iterator[Samples]:
    """Simulate the cores, in processes if there are several."""
    workers = min(len(jobs), os.cpu_count() or 1)
    if workers < 2:
        yield from map(sample, jobs)
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _born)
    try:
        for future in as_completed([pool.submit(sample, job) for job in jobs]):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _born() -> None:
    """A process for samples is ready: an interrupt ends it at once."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
