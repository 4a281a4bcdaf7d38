# SPDX-License-Identifier: MIT
"""Reads of tables at an index whose bits are forms: each bit read is a function of the index.

What a constant table holds is enumerated, so a proof shows that its entries are right.
"""

from collections.abc import Callable, Sequence

from .domain import Readable, Value
from .zones import Atoms, Zone

Bits = tuple[int, ...]
"""Forms from the least significant bit on."""
Entry = Callable[[Value, int], Bits | None]
"""Gives the bits of a value of so many bits; None where it has none."""
_Read = tuple[int, int, tuple[int, ...], int, int]
"""Base, bits of an address, truth tables of the index, variables, bytes."""


class Tables:
    """Reads of one proof."""

    def __init__(self, atoms: Atoms) -> None:
        """Nothing is read yet."""
        self.atoms = atoms
        self._known: dict[_Read, list[int]] = {}
        """Truth tables of what was read of memory that never changes."""

    def read(
        self, table: Readable, base: int, index: Bits, size: int, entry: Entry
    ) -> list[int] | None:
        """The bits at a base plus an index; None where they cannot be told."""
        varying = [bit for bit in index if bit > 1]
        found = self.atoms.zone(varying) if varying else None
        if found is None:
            return None
        zone, told = found[0], iter(found[1])
        inside = [next(told) if bit > 1 else zone.constant(bit) for bit in index]
        what = base, len(index), tuple(inside), zone.count, size
        tables = self._constant(table, what)
        if tables is None:
            return self._chosen(table, what, zone, entry)
        return [zone.form(one, self.atoms) for one in tables]

    def _constant(self, table: Readable, what: _Read) -> list[int] | None:
        """Truth tables of the bits read, over the zone's variables; None for a table of words."""
        if what in self._known:
            return self._known[what]
        size = what[4]
        found, fixed = [0] * (8 * size), True
        for assignment, address in enumerate(_addresses(what)):
            value = table.constant(address, size)
            if value is None:
                return None
            fixed = fixed and table.fixed(address, size)
            for at in range(8 * size):
                found[at] |= (value >> at & 1) << assignment
        if fixed:
            self._known[what] = found
        return found

    def _chosen(self, table: Readable, what: _Read, zone: Zone, entry: Entry) -> list[int] | None:
        """An entry of a table of words: its algebraic normal form in the zone's variables.

        The Moebius transform gives the factor of each product of variables.  Tables that are linear
        in their index, as multiples of H are, have factors of single variables alone.
        """
        size, factors = what[4], list[Sequence[int]]()
        for address in _addresses(what):
            value = table.value(address, size)
            bits = None if value is None else entry(value, 8 * size)
            if bits is None:
                return None
            factors.append(bits)
        for at in range(zone.count):
            for index in range(len(factors)):
                if index >> at & 1:
                    factors[index] = _added(factors[index], factors[index ^ 1 << at])
        total = list(factors[0])
        for index in range(1, len(factors)):
            if any(factors[index]):
                chosen = self._all_of(zone, index)
                total = _added(total, [self.atoms.product(chosen, x) for x in factors[index]])
        return total

    def _all_of(self, zone: Zone, index: int) -> int:
        """The product of the variables of an index."""
        product = 1
        for at, variable in enumerate(zone.variables):
            product = self.atoms.product(product, variable) if index >> at & 1 else product
        return product


def _addresses(what: _Read) -> list[int]:
    """The address for each assignment of the variables."""
    base, width, index, count, _ = what
    every = (1 << width) - 1
    return [
        base + sum((one >> assignment & 1) << at for at, one in enumerate(index)) & every
        for assignment in range(1 << count)
    ]


def _added(a: Sequence[int], b: Sequence[int]) -> list[int]:
    return [x ^ y for x, y in zip(a, b, strict=True)]
