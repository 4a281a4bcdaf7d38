# SPDX-License-Identifier: MIT
"""Which table each byte of the first and of the last round is looked up in.

An attacker who has the program runs it under a key of his own: a load whose address follows a
byte of the state through a table, for every text, is that byte's look-up.
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
"""Texts that a look-up is followed over; another load agrees with all of them by 2^-512."""


@dataclass(frozen=True)
class ByteLookup:
    """The look-up of one byte of the state."""

    table: Span
    entry: int
    """Bytes of an entry; the index times it is the offset."""

    def lines(self, line: int) -> NDArray[np.int64]:
        """The cache line of each of the 256 indices."""
        return (self.table.start + self.entry * np.arange(256)) // line


def indices(text: Bytes, round_key: bytes, which: Round) -> Bytes:
    """Indices looked up in a round, by position in the text that goes in or comes out."""
    mixed = text ^ np.frombuffer(round_key, np.uint8)
    return mixed if which == "first" else inverse_sbox()[mixed]


def lookups(seen: Accesses, key: bytes, which: Round) -> tuple[ByteLookup | None, ...]:
    """The look-up of each of 16 bytes; None where the round looks it up in no table."""
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
