# SPDX-License-Identifier: MIT
"""Simulated bursts of one core over several keys and texts, kept by content.

A trace is made once for each key and text, goes through every cache that is asked about, and is
forgotten; what stays is how many lines each burst filled.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...caches.cache import Cache
from ...jobs.job import Job
from ...measuring import bursts
from ...platforms.platform import Platform
from ...rigs import rig_of
from ...store import closure
from ...store.contents import cached, key
from .. import simulate
from ..equations import Floats

Counts = NDArray[np.int64]
_TIMED = 16
"""Most burst lengths that are timed without misses; between them time is taken to be linear."""


@dataclass(frozen=True)
class Behind:
    """A cache as a burst finds it."""

    cache: Cache
    evicted: float = 1.0
    instructions: bool = False
    """It holds instructions, not data."""


@dataclass(frozen=True)
class SampledBursts:
    """What to simulate."""

    platform: Platform
    core: str
    behind: tuple[Behind, ...]
    calls: tuple[int, ...]
    """Burst lengths, growing."""
    secrets: tuple[int, ...]
    """Numbers of keys and texts; number 0 gave the coefficients."""


@dataclass(frozen=True)
class Samples:
    """What was simulated of one core."""

    core: str
    fills: dict[Behind, Counts]
    """Lines filled, a row for each key and text, a column for each burst of 0, 1, 2 ... calls."""
    ideal: Floats
    """Cycles without misses of bursts of the lengths asked for, with the first key and text."""


def _key(asked: SampledBursts, *parts: object) -> str:
    job = Job(asked.platform, asked.core, 128, "encrypt-burst")
    own = closure.digest(__name__), closure.extension_sha256()
    return key("samples", rig_of(asked.platform).key(job), own, *parts)


def sample(asked: SampledBursts) -> Samples:
    """Lines filled behind each cache, and ideal cycles; what is kept is not done again."""
    made: dict[Behind, Counts] = {}

    def fills(behind: Behind) -> Counts:
        def make(target: Path) -> dict[str, Any]:
            if not made:
                made.update(_simulated(asked))
            rows = np.diff(made[behind], prepend=0).astype("<u4")
            target.write_bytes(zlib.compress(rows.tobytes()))
            return {}

        name = _key(asked, asdict(behind), asked.secrets, asked.calls[-1])
        packed = zlib.decompress(cached(name, ".fills", make)[0].read_bytes())
        steps = np.frombuffer(packed, "<u4").reshape(len(asked.secrets), -1)
        return steps.cumsum(axis=1, dtype=np.int64)

    return Samples(asked.core, {one: fills(one) for one in asked.behind}, _ideal(asked))


def _simulated(asked: SampledBursts) -> dict[Behind, Counts]:
    """One trace at a time, because they are long."""
    found: dict[Behind, list[Sequence[int]]] = {one: [] for one in asked.behind}
    for secret in asked.secrets:
        seen = bursts.trace(asked.platform, asked.core, asked.calls[-1], secret=secret)
        for one, rows in found.items():
            kinds = simulate.INSTRUCTIONS if one.instructions else simulate.DATA
            rows.append(
                simulate.fills(
                    seen,
                    one.cache,
                    kinds,
                    evicted=one.evicted,
                    seed=secret,
                )
            )
    return {one: np.array(rows, dtype=np.int64) for one, rows in found.items()}


def _ideal(asked: SampledBursts) -> Floats:
    places = np.linspace(0, len(asked.calls) - 1, min(len(asked.calls), _TIMED)).round()
    timed = [asked.calls[int(place)] for place in places]

    def make(target: Path) -> dict[str, Any]:
        facts = {
            "cycles": [
                bursts.ideal_cycles(asked.platform, asked.core, calls, secret=asked.secrets[0])
                for calls in timed
            ]
        }
        target.write_text(json.dumps(facts), encoding="utf-8")
        return facts

    cycles = cached(_key(asked, timed, asked.secrets[0]), ".json", make)[1]["cycles"]
    return np.interp(asked.calls, timed, cycles)
