# SPDX-License-Identifier: MIT
"""What one call touches, from the trace of a burst: tables, keys and stack, streams, code."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .trace import FETCH, LOAD, SKIPPED, STORE, Trace

_MOMENTS = 64
"""In a call, that are told apart."""


def _reads(seen: Trace, records: Iterable[tuple[int, int, int]]) -> dict[str, int]:
    """Loads from each table that has any."""
    found = Counter(
        table.name
        for address, _, kind in records
        for table in seen.tables
        if kind == LOAD and address in table
    )
    return dict(found)


def _pieces(touched: Iterable[int]) -> dict[int, tuple[int, int]]:
    """(start, bytes) of what is touched of each 16 bytes, by their number."""
    found: dict[int, tuple[int, int]] = {}
    for address in sorted(touched):
        start = found.get(address // 16, (address, 0))[0]
        found[address // 16] = start, address + 1 - start
    return found


def _moments(places: list[int], total: int) -> tuple[float, ...]:
    """Shares of a call of so many accesses, those nearer than can matter as one."""
    return tuple(sorted({place * _MOMENTS // total / _MOMENTS for place in places}))


@dataclass
class _Touched:
    """Bytes that a call touches, by what they are; addresses."""

    code: set[int] = field(default_factory=set)
    fixed: set[int] = field(default_factory=set)
    """Keys and stack."""
    stream: set[int] = field(default_factory=set)
    loaded: set[int] = field(default_factory=set)
    """Of the streams."""
    visits: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """By 16 bytes of data: the accesses that came to them from elsewhere, counted from 0."""
    accesses: int = 0
    """To data."""


def _touched(seen: Trace) -> _Touched:
    """Of the second call."""
    found, last = _Touched(), -1
    for address, size, kind in seen.of_call(1):
        touched = range(address, address + size)
        if kind in (FETCH, SKIPPED):
            found.code.update(touched)
            continue
        if address // 16 != last:
            found.visits[address // 16].append(found.accesses)
        last = address // 16
        found.accesses += 1
        if any(address in one for one in seen.streams):
            found.stream.update(touched)
            found.loaded.update(touched if kind == LOAD else ())
        elif not any(address in one for one in seen.tables):
            found.fixed.update(touched)
    return found


def _set_up_code(seen: Trace) -> set[int]:
    """Code that runs before the first call."""
    return {
        at
        for address, size, kind in seen.before()
        if kind in (FETCH, SKIPPED)
        for at in range(address, address + size)
    }


def _set_up_fixed(seen: Trace, fixed: set[int]) -> list[tuple[int, int, bool]]:
    """(start, bytes, whether it is loaded) of keys and stack that only the set-up touches."""
    loaded = _set_up(seen, (LOAD,))
    pieces = _pieces(_set_up(seen, (LOAD, STORE)) - fixed).values()
    return [
        (start, size, not loaded.isdisjoint(range(start, start + size))) for start, size in pieces
    ]


def _set_up(seen: Trace, kinds: tuple[int, ...]) -> set[int]:
    """Data but tables and streams that is touched before the first call."""
    own = [*seen.tables, *seen.streams]
    return {
        at
        for address, size, kind in seen.before()
        if kind in kinds and not any(address in one for one in own)
        for at in range(address, address + size)
    }


def footprint(seen: Trace) -> dict[str, Any]:
    """What the second call touches; in a message it is one block among others."""
    call = _touched(seen)
    reads, setup_reads = _reads(seen, seen.of_call(1)), _reads(seen, seen.before())
    read = {*reads, *setup_reads}
    return {
        "code_bytes": len(call.code),
        "setup_code_bytes": len(_set_up_code(seen) - call.code),
        "fixed_bytes": len(call.fixed),
        "stream_bytes": len(call.stream),
        "stored_bytes": len(call.stream - call.loaded),
        "reads": reads,
        "setup_reads": setup_reads,
        "addresses": {one.name: one.start for one in seen.tables if one.name in read},
        "fixed": [
            (*piece, _moments(call.visits[number], call.accesses))
            for number, piece in _pieces(call.fixed).items()
        ],
        "setup_fixed": _set_up_fixed(seen, call.fixed),
    }
