# SPDX-License-Identifier: MIT
"""What a message costs: the one formula behind every figure and every curve.

A call is 16 bytes of payload: one block of a message.  A burst of N calls may be part of a message
or several messages; each begins with a key set-up, like those that gave the coefficients, so every
burst contains the misses of key set-up.  The cycles of key set-up are charged as the request says.
In the mode `block` a message is one call, and a burst pays key set-up and loop once (c): that is
the time that `aesfit predict` draws.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, overload

from ..cachemodel.question import Version
from ..caches.cache import Hierarchy
from ..jobs.job import Row
from ..rigs.emulator.stalls import COLD
from .request import BLOCK, BLOCK_BYTES, Bursts, Request, calls_of

if TYPE_CHECKING:
    from ..cachemodel.equations import Floats

_EXPECTED = "cache misses as the cache model expects them"


@dataclass(frozen=True)
class Modelled:
    """The model's coefficients of one variant of a core."""

    version: Version
    hierarchy: Hierarchy


@dataclass(frozen=True)
class Costs:
    """Costs of one variant of a core, in cycles."""

    message: float
    """One message without key set-up; in bursts without any miss."""
    setup: float
    """One key set-up; in the mode `block` everything that a burst pays once."""
    modelled: Modelled | None = None
    """The model's coefficients, in bursts."""


@overload
def cycles(request: Request, costs: Costs, at: float) -> float: ...
@overload
def cycles(request: Request, costs: Costs, at: "Floats") -> "Floats": ...
def cycles(request: Request, costs: Costs, at: "float | Floats") -> "float | Floats":
    """Cycles of one message with its share of key set-up and of the misses of a burst.

    `at`: calls in a burst if the request has bursts, otherwise messages under one key; a number or
    an array.
    """
    bursts, modelled = request.bursts, costs.modelled
    if bursts is None:
        return rounded(costs.message + costs.setup / at)
    assert modelled is not None  # noqa: S101 - field.py finds it for every variant in bursts
    if request.mode == BLOCK:
        return _per_call(modelled, bursts, at)
    share = 1 / request.messages_per_key if request.messages_per_key else 0.0
    missed = lost(modelled, bursts, at, request.blocks)
    return rounded(costs.message + missed + share * costs.setup)


def asked_at(request: Request) -> float:
    """The value of `at` that the request names."""
    if request.bursts is not None:
        return request.bursts.calls
    return request.messages_per_key or inf


@overload
def lost(modelled: Modelled, bursts: Bursts, at: float, blocks: float) -> float: ...
@overload
def lost(modelled: Modelled, bursts: Bursts, at: "Floats", blocks: float) -> "Floats": ...
def lost(
    modelled: Modelled, bursts: Bursts, at: "float | Floats", blocks: float
) -> "float | Floats":
    """Whole cycles that a message of so many blocks loses to misses in bursts of `at` calls."""
    import numpy as np  # questions without bursts do without it

    if not isinstance(at, np.ndarray):
        return float(round(_stalled(modelled, bursts, at) / at * blocks))
    from ..cachemodel.analytic import stalls  # start-up time

    return np.rint(stalls(modelled.version, modelled.hierarchy, at, bursts.evicted) / at * blocks)


@lru_cache(maxsize=512)
def _stalled(modelled: Modelled, bursts: Bursts, at: float) -> float:
    """Cycles that one burst loses, which every operation of a core asks for."""
    from ..cachemodel.analytic import stalls  # start-up time

    return float(stalls(modelled.version, modelled.hierarchy, [at], bursts.evicted)[0])


def _per_call(modelled: Modelled, bursts: Bursts, at: "float | Floats") -> "float | Floats":
    import numpy as np  # as above

    from ..cachemodel.analytic import curve  # start-up time

    calls = np.atleast_1d(np.asarray(at, dtype=np.float64))
    found = curve(modelled.version, modelled.hierarchy, calls, bursts.evicted)
    return found if isinstance(at, np.ndarray) else float(found[0])


@overload
def rounded(value: float) -> float: ...
@overload
def rounded(value: "Floats") -> "Floats": ...
def rounded(value: "float | Floats") -> "float | Floats":
    """Round to two decimals; a whole number becomes an int."""
    if isinstance(value, int | float):
        return int(value) if value == int(value) else round(100 * value) / 100
    return (value * 100).round() / 100


def with_misses(row: Row, modelled: Modelled, bursts: Bursts, blocks: float | None = None) -> Row:
    """A measured row with the expected misses of a burst in place of measured ones.

    `blocks` of its message, else those of the row's own bytes.  Key set-up keeps none, because
    those of a burst hold it.
    """
    missed = 0
    if row.op != "key-setup":
        missed = int(lost(modelled, bursts, bursts.calls, blocks or calls_of(row.bytes)))
    total = row.cycles - (row.stall_cycles or 0) + missed
    return replace(
        row,
        cycles=total,
        cycles_per_byte=total / row.bytes if row.bytes else None,
        stall_cycles=missed,
        provenance=replace(row.provenance, memory=_memory(row)),
    )


def as_call(row: Row, modelled: Modelled, request: Request) -> Row:
    """The row of the block function as one call of the mode `block`, priced in its bursts.

    The measurement fills all lanes of a core; a call here has one block.
    """
    bursts = request.bursts
    assert bursts is not None  # noqa: S101 - check() of request.py refuses the mode without
    total = float(_per_call(modelled, bursts, bursts.calls))
    return replace(
        row,
        bytes=BLOCK_BYTES,
        cycles=total,
        cycles_per_byte=total / BLOCK_BYTES,
        instructions=None,
        stall_cycles=int(lost(modelled, bursts, bursts.calls, 1)),
        provenance=replace(row.provenance, window=_WINDOW, memory=_memory(row)),
    )


_WINDOW = (
    "one call of the block cipher over one block, by the coefficients E and c of its bursts; other "
    "lanes of the core idle"
)


def _memory(row: Row) -> str:
    return f"{row.provenance.memory.removesuffix(f', {COLD}')}; {_EXPECTED}"
