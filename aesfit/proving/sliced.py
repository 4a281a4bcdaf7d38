# SPDX-License-Identifier: MIT
"""Words each bit of which is a function of a zone of its own, as bitsliced S-boxes have them.

The truth tables of all bits lie in one number, 256 bits each, so AND and exclusive OR of two words
over the same zones are one operation.  Forms are made of them only where a word leaves its zones,
so what a circuit computes on its way takes no atoms.
"""

from collections.abc import Sequence

from .zones import Atoms, Zone

_LANE = 256
"""Bits of the truth table of a function of eight variables."""
_EVERY = (1 << _LANE) - 1
_NUMBERS = 1 << 8
"""Numbers that are kept as tables."""


class Lanes:
    """The zone of each bit of a word; None where a bit is a constant in all that was met."""

    __slots__ = ("every", "numbers", "width", "zones")

    def __init__(self, zones: tuple[Zone | None, ...]) -> None:
        """No word yet."""
        self.zones, self.width = zones, len(zones)
        self.numbers: dict[int, int] = {}
        self.every = self._of_number((1 << self.width) - 1)

    def of_number(self, value: int) -> int:
        """The tables of constants."""
        found = self.numbers.get(value)
        if found is None:
            found = self._of_number(value)
            if len(self.numbers) < _NUMBERS:
                self.numbers[value] = found
        return found

    def _of_number(self, value: int) -> int:
        return sum(
            _constant(zone) << _LANE * at for at, zone in enumerate(self.zones) if value >> at & 1
        )

    def number(self, tables: int) -> int | None:
        """The number that all bits together are; None where one is no constant."""
        found = 0
        for at, zone in enumerate(self.zones):
            table = tables >> _LANE * at & _EVERY
            if table:
                if table != _constant(zone):
                    return None
                found |= 1 << at
        return found

    def forms(self, tables: int, atoms: Atoms) -> tuple[int, ...]:
        """The bits as forms."""
        data = tables.to_bytes(_LANE // 8 * self.width, "little")
        found = []
        for at, zone in enumerate(self.zones):
            table = int.from_bytes(data[_LANE // 8 * at : _LANE // 8 * (at + 1)], "little")
            found.append(zone.form(table, atoms) if zone is not None else table & 1)
        return tuple(found)

    def tables(self, bits: Sequence[int], atoms: Atoms) -> int | None:
        """The tables of a word's forms; None where a zone does not hold one of them."""
        found = []
        for bit, zone in zip(bits, self.zones, strict=True):
            if bit < 2:
                table: int | None = _constant(zone) if bit else 0
            else:
                table = None if zone is None else atoms.held(bit).get(zone)
            if table is None:
                return None
            found.append(table)
        return _packed(found)


def _constant(zone: Zone | None) -> int:
    return _EVERY if zone is None else zone.constant(1)


def _packed(tables: Sequence[int]) -> int:
    return int.from_bytes(b"".join(one.to_bytes(_LANE // 8, "little") for one in tables), "little")


def common(a: Sequence[int], b: Sequence[int], atoms: Atoms) -> tuple[Zone | None, ...] | None:
    """A zone for each pair of bits that holds both; None where one has none, or none is needed."""
    found: list[Zone | None] = []
    if not any(x > 1 and y > 1 for x, y in zip(a, b, strict=True)):
        return None
    for x, y in zip(a, b, strict=True):
        if x < 2 or y < 2:
            other = max(x, y)
            zone = next(iter(atoms.held(other)), None) if other > 1 else None
            if other > 1 and zone is None:
                return None
        else:
            others = atoms.held(y)
            zone = next((one for one in atoms.held(x) if one in others), None)
            if zone is None:
                return None
        found.append(zone)
    return tuple(found)
