# SPDX-License-Identifier: MIT
"""Curves as the page draws them, with the ranges where one core is the fastest."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from ..cachemodel.equations import Floats
from ..cachemodel.predict import stretches
from .schema import Best, Crossing, Curves

_PER_OCTAVE = 8


def _drawn(calls: Floats) -> list[int]:
    """Places in `calls` (1, 2, 3 ...) that make a smooth curve along a logarithmic axis."""
    last = len(calls)
    steps = int(np.ceil(np.log2(last) * _PER_OCTAVE)) + 1
    return sorted({*np.rint(np.geomspace(1, last, steps)).astype(int).tolist()})


def curves(calls: Floats, cycles: Mapping[str, Floats], asked: int | None) -> Curves:
    """Every curve at the burst lengths that are drawn, and at the one that was asked for."""
    drawn = sorted({*_drawn(calls), *([asked] if asked else [])})
    at = np.array(drawn) - 1
    return Curves(
        calls=drawn,
        cores={core: row[at].tolist() for core, row in cycles.items()},
    )


def ranges(calls: Floats, cycles: Mapping[str, Floats]) -> list[Best]:
    """Which core is the fastest for which burst; nothing without cores."""
    if not cycles:
        return []
    return [
        Best.model_validate({"from": one.first, "to": one.last, "core": one.core})
        for one in stretches(calls, dict(cycles))
    ]


def crossings(best: Sequence[Best], cycles: Mapping[str, Floats]) -> list[Crossing]:
    """Where the fastest core changes; bursts are counted from 1."""
    return [
        Crossing.model_validate(
            {
                "calls": after.first,
                "from": before.core,
                "to": after.core,
                "cycles": float(cycles[after.core][after.first - 1]),
            }
        )
        for before, after in pairwise(best)
    ]
