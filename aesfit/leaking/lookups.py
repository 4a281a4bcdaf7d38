# SPDX-License-Identifier: MIT
"""Finds the table in which each byte of the first and the last round is looked up.

An attacker who has the program runs it under a key of his own: a load whose address is a function
of a state byte, for every text, is that byte's look-up.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..measuring.trace import LOAD, Span
from .schedule import inverse_sbox, round_keys
from .victim import Accesses, Bytes

Round = Literal["first", "last"]
_TEXTS = 64
"""Number of texts compared; a wrong load agrees with all of them with probability 2^-512."""


@dataclass(frozen=True)
class ByteLookup:
    """The look-up of one byte of the state."""

    table: Span
    entry: int
    """Bytes of an entry; the offset is the index times this."""

    def lines(self, line: int) -> NDArray[np.int64]:
        """The cache line of each of the 256 indices."""
        return (self.table.start + self.entry * np.arange(256)) // line


def indices(text: Bytes, round_key: bytes, which: Round) -> Bytes:
    """Indices looked up in a round, by position in the text that goes in or comes out."""
    mixed = text ^ np.frombuffer(round_key, np.uint8)
    return mixed if which == "first" else inverse_sbox()[mixed]


def lookups(seen: Accesses, key: bytes, which: Round) -> tuple[ByteLookup | None, ...]:
    """The look-up of each of 16 bytes; None if the round uses no table for it."""
    text = seen.plain if which == "first" else seen.cipher
    keys = round_keys(key)
    found = indices(text[:_TEXTS], keys[0 if which == "first" else -1], which)
    loads = seen.data[:_TEXTS, seen.data["kind"][0] == LOAD]["address"].astype(np.int64)
    return tuple(_lookup(loads, found[:, at], seen.tables) for at in range(16))


def _lookup(loads: NDArray[np.int64], index: Bytes, tables: tuple[Span, ...]) -> ByteLookup | None:
    for table in tables:
        entry, rest = divmod(table.size, 256)
        if not entry or rest:
            continue
        found = (loads - table.start) // entry
        if (found == index[:, None]).all(axis=0).any():
            return ByteLookup(table, entry)
    return None
