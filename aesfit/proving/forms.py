# SPDX-License-Identifier: MIT
"""The domain that proves equality: a bit is a form (zones.py), a word is its bits.

A sum is not worked out before it is used: as an address it is a table and an index, and equal terms
double whatever stands between them.
"""

from collections.abc import Sequence
from functools import lru_cache

from .bilinear import bits_of
from .domain import Readable, Value, Word
from .sliced import Lanes, common
from .tables import Bits, Tables
from .words import Forms, Gated, Sliced, Sum, constant, in_lanes, made
from .zones import Atoms, Zone


@lru_cache(1 << 12)
def _named(row: int) -> Bits:
    """Numbers of the bits that a row names; the rows are those of a few linear maps."""
    return tuple(bits_of(row))


class Equality:
    """The domain's functions."""

    def __init__(self, atoms: Atoms) -> None:
        """All words are over the same atoms."""
        self.atoms = atoms
        self._tables = Tables(atoms)
        self._lanes: dict[tuple[Zone | None, ...], Lanes] = {}
        self._counters: dict[Bits, tuple[int, Bits]] = {}
        """Words that are another one plus a number, so that counting by 1 twice counts by 2."""

    def bits(self, value: Value, width: int) -> Bits:
        """A value's bits, with zeros up to the width."""
        if isinstance(value, int):
            return constant(value, width)
        assert isinstance(value, Word)  # noqa: S101 - a value is one of the two
        found = self._all(value)
        return found[:width] + (0,) * (width - len(found))

    def _all(self, value: Word) -> Bits:
        if isinstance(value, Sum):
            return self._evaluated(value)
        if isinstance(value, Sliced):
            if value.bits is None:
                value.bits = value.lanes.forms(value.tables, self.atoms)
            return value.bits
        assert isinstance(value, Forms)  # noqa: S101 - the executor forces and refuses all else
        return value.bits

    def xor(self, a: Value, b: Value, width: int) -> Value:
        """Exclusive OR."""
        if isinstance(a, Sliced) or isinstance(b, Sliced) or self._begins_alike(a, b):
            found = self._in_zones(a, b, width)
            if found is not None:
                return in_lanes(found[0], found[1] ^ found[2])
        pairs = zip(self.bits(a, width), self.bits(b, width), strict=True)
        return made([x ^ y for x, y in pairs])

    def both(self, a: Value, b: Value, width: int) -> Value:
        """AND."""
        if not isinstance(a, int) and not isinstance(b, int):
            found = self._in_zones(a, b, width)
            if found is not None:
                return in_lanes(found[0], found[1] & found[2])
        product = self.atoms.product
        pairs = zip(self.bits(a, width), self.bits(b, width), strict=True)
        return made([product(x, y) if x and y else 0 for x, y in pairs])

    # --- words in zones

    def _in_zones(self, a: Value, b: Value, width: int) -> tuple[Lanes, int, int] | None:
        """The truth tables of two words over the same zones; None where there are no such zones."""
        lanes = self._lanes_of(a, b, width)
        if lanes is None or lanes.width != width:
            return None
        first = self._inside(a, lanes)
        second = None if first is None else self._inside(b, lanes)
        return None if first is None or second is None else (lanes, first, second)

    def _begins_alike(self, a: Value, b: Value) -> bool:
        """A zone holds the first bits of both words, as at the entrance of a circuit."""
        if not isinstance(a, Forms) or not isinstance(b, Forms) or len(a.bits) != len(b.bits):
            return False
        x, y = a.bits[0], b.bits[0]
        return x > 1 and y > 1 and not self.atoms.held(x).keys().isdisjoint(self.atoms.held(y))

    def _lanes_of(self, a: Value, b: Value, width: int) -> Lanes | None:
        for one in (a, b):
            if isinstance(one, Sliced):
                return one.lanes
            if isinstance(one, Forms) and one.inside is not None:
                return one.inside[0]
        zones = common(self.bits(a, width), self.bits(b, width), self.atoms)
        if zones is None:
            return None
        if zones not in self._lanes:
            self._lanes[zones] = Lanes(zones)
        return self._lanes[zones]

    def _inside(self, value: Value, lanes: Lanes) -> int | None:
        """A word's truth tables over these zones."""
        if isinstance(value, int):
            return lanes.of_number(value)
        if isinstance(value, Sliced) and value.lanes is lanes:
            return value.tables
        if isinstance(value, Forms) and value.inside is not None and value.inside[0] is lanes:
            return value.inside[1]
        tables = lanes.tables(self.bits(value, lanes.width), self.atoms)
        if tables is not None and isinstance(value, Forms):
            value.inside = lanes, tables
        return tables

    # --- sums

    def add(self, a: Value, b: Value, carry: int, width: int) -> Value:
        """A sum, kept as one; where only one of two words is not 0 nothing is carried."""
        if isinstance(a, Gated) and isinstance(b, Gated) and a.gate ^ b.gate == 1 and not carry:
            return self.xor(a, b, width)
        total = carry
        terms: list[Bits] = []
        for one in (a, b):
            if isinstance(one, int):
                total += one
            elif isinstance(one, Sum) and one.bits is None and one.width == width:
                total += one.constant
                terms += one.terms
            else:
                terms.append(self.bits(one, width))
        if len(terms) == 1:
            more, terms[0] = self._counters.get(terms[0], (0, terms[0]))
            total += more
        return Sum(total & (1 << width) - 1, tuple(terms), width)

    def _evaluated(self, value: Sum) -> Bits:
        if value.bits is None:
            total, *terms = _paired(list(value.terms))
            rest = value.constant
            for term in terms:  # a - b is a + ~b + 1: its 1 is the carry
                carry = 1 if 0 < rest <= len(terms) else 0
                total = self._ripple(total, term, carry)
                rest -= carry
            if rest:
                total = self._ripple(total, constant(rest, value.width), 0)
            value.bits = self._counted(value, total) if len(value.terms) == 1 else total
        return value.bits

    def _counted(self, value: Sum, total: Bits) -> Bits:
        """The total of a word and a number, whose low bits are remembered as those of a counter.

        A word of 32 bits with zeros above, which x86-64 adds to in 64 bits, counts in its low bits.
        """
        (term,) = value.terms
        low = next((at for at, bit in enumerate(term) if bit < 2), len(term))
        if not low or any(term[low:]):
            return total
        more, first = self._counters.get(term[:low], (0, term[:low]))
        number = value.constant + more & (1 << low) - 1
        if more:
            total = self._evaluated(Sum(number, (first,), low)) + total[low:]
        self._counters[total[:low]] = number, first
        return total

    def _ripple(self, a: Bits, b: Bits, carry: int) -> Bits:
        found = []
        for x, y in zip(a, b, strict=True):
            found.append(x ^ y ^ carry)
            carry = self._majority(x, y, carry)
        return tuple(found)

    def _majority(self, x: int, y: int, carry: int) -> int:
        """Of three bits, by one product, which is none where two are equal or complementary.

        So the masks (b << 8) - b, where b has the lowest bits of bytes, mix no bit with another.
        """
        product = self.atoms.product
        if x < 2 or y < 2 or carry < 2:
            return product(x, y) ^ product(carry, x ^ y)
        return x ^ product(x ^ y, x ^ carry)

    def multiply(self, a: Value, b: Value, width: int) -> Value:
        """By a number: the sum of its shifts."""
        if isinstance(a, int):
            a, b = b, a
        if not isinstance(b, int):
            return self._with_holes(a, b, width)
        bits, total = self.bits(a, width), constant(0, width)
        for at in range(width):
            if b >> at & 1:
                total = self._ripple(total, (0,) * at + bits[: width - at], 0)
        return made(total)

    def _with_holes(self, a: Value, b: Value, width: int) -> Value:
        """Of two words: a bit that no carry can reach is a sum of products, the others are atoms.

        The carry into a bit is at most half of what meets at the bit before it.
        """
        x, y = self.bits(a, width), self.bits(b, width)
        others = self.bits(self.unknown("INT_MULT", (a, b), width), width)
        found, carry = [], 0
        for at in range(width):
            met = [(x[i], y[at - i]) for i in range(at + 1) if x[i] and y[at - i]]
            found.append(others[at] if carry else self._sum_of_products(met))
            carry = (carry + len(met)) // 2
        product, gates = made(found), [one[0] for one in (x, y) if not any(one[1:])]
        return Gated(product.bits, gates[0]) if gates and isinstance(product, Forms) else product

    def _sum_of_products(self, pairs: Sequence[tuple[int, int]]) -> int:
        total = 0
        for x, y in pairs:
            total ^= self.atoms.product(x, y)
        return total

    # --- bits

    def is_zero(self, a: Value, width: int) -> Value:
        """The product of all complements."""
        bits = self.bits(a, width)
        if 1 in bits:
            return 0
        found = 1
        for bit in bits:
            found = self.atoms.product(found, bit ^ 1)
        return made((found,))

    def extract(self, a: Value, low: int, width: int) -> Value:
        """Bits from `low` on."""
        if isinstance(a, Sliced) and low == 0 and width == a.lanes.width:
            return a
        return made(self.bits(a, low + width)[low:])

    def join(self, low: Value, low_width: int, high: Value, width: int) -> Value:
        """`high` above `low`."""
        return made(self.bits(low, low_width) + self.bits(high, width - low_width))

    def unknown(self, name: str, values: tuple[Value, ...], width: int) -> Value:
        """An atom for each bit, the same for the same operation on the same forms."""
        what = (name, *(one if isinstance(one, int) else self._all(one) for one in values))
        return made([self.atoms.unknown((what, width, at)) for at in range(width)])

    def linear(self, a: Value, rows: Sequence[int]) -> Value:
        """Each bit is the sum of those that its row names."""
        bits, found = self.bits(a, max(rows).bit_length()), []
        for row in rows:
            total = 0
            for at in _named(row):
                total ^= bits[at]
            found.append(total)
        return made(found)

    # --- tables

    def lookup(self, table: Readable, address: Value, size: int) -> Value | None:
        """The functions of the index that the table is; None where it holds what nobody wrote."""
        read = self._tables.read(table, *self._split(address), size, self._entry)
        return None if read is None else made(read)

    def _split(self, address: Value) -> tuple[int, Bits]:
        """A number, and the bits of what is added to it."""
        assert isinstance(address, Word)  # noqa: S101 - numbers are no lookups
        if isinstance(address, Sum) and address.bits is None:
            index = self._evaluated(Sum(0, address.terms, address.width))
            return address.constant, index
        return 0, self._all(address)

    def _entry(self, value: Value, width: int) -> Bits | None:
        """The bits of what a table holds; None where it is no word of this domain."""
        return self.bits(value, width) if isinstance(value, int | Forms | Sliced | Sum) else None


def _paired(terms: list[Bits]) -> list[Bits]:
    """The terms with equal ones doubled: r + c + r is 2 r + c."""
    left: list[Bits] = []
    for term in terms:
        if term in left:
            left.remove(term)
            left = _paired([*left, (0, *term[:-1])])
        else:
            left.append(term)
    return left
