# SPDX-License-Identifier: MIT
"""What one call touches, from the trace of a burst: tables, keys and stack, streams, code."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bursts import Trace

FETCH, LOAD, STORE, SKIPPED = range(4)
"""Kinds of a record: an instruction executed, data, an instruction whose condition failed."""
_MOMENTS = 64
"""In a call, that are told apart."""


def _reads(seen: "Trace", records: Iterable[tuple[int, int, int]]) -> dict[str, int]:
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


def _set_up(seen: "Trace", kinds: tuple[int, ...]) -> set[int]:
    """Data but tables and streams that is touched before the first call."""
    own = [*seen.tables, *seen.streams]
    return {
        at
        for address, size, kind in seen.before()
        if kind in kinds and not any(address in one for one in own)
        for at in range(address, address + size)
    }


def footprint(seen: "Trace") -> dict[str, Any]:
    """What the second call touches; in a message it is one block among others."""
    code: set[int] = set()
    fixed: set[int] = set()
    stream: set[int] = set()
    loaded: set[int] = set()
    visits: dict[int, list[int]] = defaultdict(list)
    last, place = -1, 0
    for address, size, kind in seen.of_call(1):
        touched = range(address, address + size)
        if kind in (FETCH, SKIPPED):
            code.update(touched)
            continue
        if address // 16 != last:
            visits[address // 16].append(place)
        last, place = address // 16, place + 1
        if any(address in one for one in seen.streams):
            stream.update(touched)
            loaded.update(touched if kind == LOAD else ())
        elif not any(address in one for one in seen.tables):
            fixed.update(touched)
    setup, setup_loaded = _set_up(seen, (LOAD, STORE)), _set_up(seen, (LOAD,))
    setup_code = {
        at
        for address, size, kind in seen.before()
        if kind in (FETCH, SKIPPED)
        for at in range(address, address + size)
    }
    reads = _reads(seen, seen.of_call(1))
    setup_reads = _reads(seen, seen.before())
    return {
        "code_bytes": len(code),
        "setup_code_bytes": len(setup_code - code),
        "fixed_bytes": len(fixed),
        "stream_bytes": len(stream),
        "stored_bytes": len(stream - loaded),
        "reads": reads,
        "setup_reads": setup_reads,
        "addresses": {
            one.name: one.start for one in seen.tables if one.name in {*reads, *setup_reads}
        },
        "fixed": [
            (*piece, _moments(visits[number], place)) for number, piece in _pieces(fixed).items()
        ],
        "setup_fixed": [
            (start, size, not setup_loaded.isdisjoint(range(start, start + size)))
            for start, size in _pieces(setup - fixed).values()
        ],
    }
