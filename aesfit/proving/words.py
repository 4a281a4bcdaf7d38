# SPDX-License-Identifier: MIT
"""Words whose bits are forms: as their bits, as truth tables of zones, as sums put off."""

from collections.abc import Sequence
from functools import lru_cache

from .domain import Value, Word
from .sliced import Lanes
from .tables import Bits


class Forms(Word):
    """A word as its bits."""

    __slots__ = ("bits", "inside")

    def __init__(self, bits: Bits) -> None:
        """At least one of them is no constant."""
        self.bits = bits
        self.inside: tuple[Lanes, int] | None = None
        """Zones that hold the bits, and their truth tables there."""


class Gated(Forms):
    """A word times a bit: 0 where the bit is."""

    __slots__ = ("gate",)

    def __init__(self, bits: Bits, gate: int) -> None:
        """The products, and the form of the bit."""
        super().__init__(bits)
        self.gate = gate


class Sliced(Word):
    """A word whose bits are functions of zones, as truth tables; nobody has used its forms yet."""

    __slots__ = ("bits", "lanes", "tables")

    def __init__(self, lanes: Lanes, tables: int) -> None:
        """At least one of them is no constant."""
        self.lanes, self.tables = lanes, tables
        self.bits: Bits | None = None


class Sum(Word):
    """A sum that nobody has used yet."""

    __slots__ = ("bits", "constant", "terms", "width")

    def __init__(self, constant: int, terms: tuple[Bits, ...], width: int) -> None:
        """A number and words."""
        self.constant, self.terms, self.width = constant, terms, width
        self.bits: Bits | None = None


def made(bits: Sequence[int]) -> Value:
    """A number where all bits are constants."""
    if max(bits, default=0) < 2:
        return sum(bit << at for at, bit in enumerate(bits))
    return Forms(tuple(bits))


def in_lanes(lanes: Lanes, tables: int) -> Value:
    """A number where all bits are constants."""
    number = lanes.number(tables)
    return Sliced(lanes, tables) if number is None else number


@lru_cache(1 << 12)
def constant(value: int, width: int) -> Bits:
    """The bits of a number."""
    return tuple(value >> at & 1 for at in range(width))
