# SPDX-License-Identifier: MIT
"""The domain that proves equality at every length: words are forms (forms.py) or counts (sums.py).

A count that meets a form becomes one: each of its bits that the counts decide has an atom.
"""

from collections.abc import Sequence

from .domain import Domain, Readable, Value, Word
from .findings import StuckError
from .forms import Equality
from .growing import GrowingBits
from .sums import Growing, Linear, Public, Ranges
from .tables import Bits
from .words import made


class TextBits(Word):
    """Bits of the state of a loop: a form, or the name and the number of a bit of its mode's."""

    __slots__ = ("bits",)

    def __init__(self, bits: Sequence["int | tuple[str, int]"]) -> None:
        """At least one of them is a mode's."""
        self.bits = tuple(bits)


class CountedForms:
    """The domain's functions: those of GrowingBits of what counts, of all else those of forms."""

    def __init__(self, forms: Equality) -> None:
        """There is no count yet."""
        self.forms, self.counts = forms, GrowingBits()

    @property
    def ranges(self) -> Ranges:
        """Of the counts."""
        return self.counts.ranges

    @ranges.setter
    def ranges(self, ranges: Ranges) -> None:
        self.counts.ranges = ranges

    def exact(self, value: Value) -> Linear | None:
        """The sum that a value is; None where it is none, or may wrap."""
        return self.counts.exact(value)

    def bits(self, value: Value) -> tuple[int, int, int]:
        """What is known of each bit of a count."""
        return self.counts.bits(value)

    def form(self, value: Value, width: int) -> Value:
        """A word as forms; StuckError where a count can be no form."""
        if isinstance(value, Growing):
            return self._named(value, width)
        if isinstance(value, Public):
            raise StuckError("it mixes a part of a count with what depends on secrets")
        return value

    def _named(self, value: Growing, width: int) -> Value:
        """A bit is a function of the sum modulo twice its weight."""
        known, public, _ = self.counts.bits(value)
        unknown = self.forms.atoms.unknown
        return made(
            [
                unknown(("count", value.sum.modulo(at + 1), at)) if public >> at & 1
                else known >> at & 1
                for at in range(width)
            ]
        )  # fmt: skip

    def _of(self, *values: tuple[Value, int]) -> tuple[Domain, list[Value]]:
        """The domain of words of these widths, and the words in it."""
        some = [one for one, _ in values]
        if all(isinstance(one, int | Growing | Public) for one in some):
            return self.counts, some
        if not any(isinstance(one, Growing | Public) for one in some):
            return self.forms, some
        return self.forms, [self.form(*one) for one in values]

    # --- functions of the domain

    def xor(self, a: Value, b: Value, width: int) -> Value:
        """Exclusive OR."""
        domain, (a, b) = self._of((a, width), (b, width))
        return domain.xor(a, b, width)

    def both(self, a: Value, b: Value, width: int) -> Value:
        """AND."""
        domain, (a, b) = self._of((a, width), (b, width))
        return domain.both(a, b, width)

    def add(self, a: Value, b: Value, carry: int, width: int) -> Value:
        """The sum."""
        domain, (a, b) = self._of((a, width), (b, width))
        return domain.add(a, b, carry, width)

    def multiply(self, a: Value, b: Value, width: int) -> Value:
        """The product."""
        domain, (a, b) = self._of((a, width), (b, width))
        return domain.multiply(a, b, width)

    def is_zero(self, a: Value, width: int) -> Value:
        """One bit."""
        return self._of((a, width))[0].is_zero(a, width)

    def extract(self, a: Value, low: int, width: int) -> Value:
        """Bits from `low` on."""
        if isinstance(a, TextBits):
            return TextBits(a.bits[low : low + width])
        return self._of((a, width))[0].extract(a, low, width)

    def join(self, low: Value, low_width: int, high: Value, width: int) -> Value:
        """`high` above `low`."""
        if isinstance(low, TextBits) or isinstance(high, TextBits):
            return TextBits(self.places(low, low_width) + self.places(high, width - low_width))
        domain, (low, high) = self._of((low, low_width), (high, width - low_width))
        return domain.join(low, low_width, high, width)

    def places(self, value: Value, width: int) -> "tuple[int | tuple[str, int], ...]":
        """The bits of a word of a loop's state."""
        if isinstance(value, TextBits):
            return (value.bits + (0,) * width)[:width]
        return self.forms.bits(self.form(value, width), width)

    def unknown(self, name: str, values: tuple[Value, ...], width: int) -> Value:
        """What nothing more is known of."""
        domain, some = self._of(*((one, width) for one in values))
        return domain.unknown(name, tuple(some), width)

    def linear(self, a: Value, rows: Sequence[int]) -> Value:
        """A bit for each row."""
        return self._of((a, 0))[0].linear(a, rows)

    def lookup(self, table: Readable, address: Value, size: int) -> Value | None:
        """What a table holds; not where a count chooses."""
        if isinstance(address, Growing | Public):
            return None
        return self.forms.lookup(table, address, size)

    def form_bits(self, value: Value, width: int) -> Bits:
        """The bits of a word, as forms."""
        return self.forms.bits(self.form(value, width), width)
