# SPDX-License-Identifier: MIT
"""Curves as the page draws them, with the ranges where one core is the fastest."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from ..cachemodel.equations import Floats
from ..cachemodel.predict import stretches
from .schema import Best, Crossing, Curves

_PER_OCTAVE = 8
_ROUNDING = 1.0
"""Cycles by which a curve may lie beside its formula."""


def drawn_at(last: int, asked: int | None) -> Floats:
    """Lengths, among them that which was asked for, that make a smooth curve on a logarithmic axis.

    From 1 to `last`.
    """
    steps = int(np.ceil(np.log2(last) * _PER_OCTAVE)) + 1
    drawn = {
        *np.rint(np.geomspace(1, last, steps)).astype(int).tolist(),
        *([asked] if asked else []),
    }
    return np.array(sorted(drawn), dtype=np.float64)


def curves(drawn: Floats, cycles: Mapping[str, Floats]) -> Curves:
    """Every curve at the lengths that are drawn."""
    return Curves(
        calls=drawn.astype(int).tolist(),
        cores={core: row.tolist() for core, row in cycles.items()},
    )


def contenders(
    drawn: Floats, cycles: Mapping[str, Floats], always: Mapping[str, float]
) -> list[str]:
    """Cores that may be the fastest somewhere, by their curves at the lengths that are drawn.

    `always`: cycles that a core takes whatever the length.  A longer burst takes no fewer cycles
    beyond them in all, so that between the lengths a and b a call takes at least a/(b - 1) of what
    it takes at a, and at most b/(a + 1) of what it takes at b.
    """
    if not cycles:
        return []
    table = np.array(list(cycles.values()))
    floor = np.array([[always[core]] for core in cycles])
    first, last = drawn[:-1], drawn[1:]
    least = floor + (table[:, :-1] - floor) * first / (last - 1)
    most = floor + (table[:, 1:] - floor) * last / (first + 1)
    between = (last - first > 1) & (least <= most.min(axis=0) + _ROUNDING)
    near = between.any(axis=1) | (table <= table.min(axis=0)).any(axis=1)
    return [core for core, one in zip(cycles, near, strict=True) if one]


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
