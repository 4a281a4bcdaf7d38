# SPDX-License-Identifier: MIT
"""The domain of masked code: a bit is a sum of shares, random bits, and products of such sums.

Shares and random bits are uniform variables; a secret bit is the sum of all of its shares.  A bit
depends on a secret if its distribution does, over all values of the other variables.
"""

from collections.abc import Iterable
from typing import Final, Literal

from ..domain import Readable, Value
from ..forms import Equality
from ..words import made
from ..zones import Atoms

Verdict = Literal["proved", "refuted", "open"]
MOST: Final = 20
"""Variables of a bit whose distribution is enumerated."""
_SECRETS: Final = 10
"""Secret bits among them whose values are tried against one another."""


class Sharing(Equality):
    """The domain's functions; what a table holds at an index of shares is not followed."""

    def __init__(self) -> None:
        """No variable yet."""
        super().__init__(Atoms())
        self.variables: dict[int, object] = {}
        """The secret bit that each variable is a share of, by its atom's number; None: of none."""
        self._groups: dict[object, set[int]] = {}
        self.constants = 1
        """Atoms that no secret decides, as a form: 1 is the constant itself."""
        self._supports: dict[int, int] = {}
        self._verdicts: dict[int, Verdict] = {}

    def variable(self, width: int, secret: Iterable[object]) -> Value:
        """A word of new variables, each a share of a secret bit, or of none (None)."""
        found = self.atoms.fresh(width)
        for atom, one in zip(found, secret, strict=True):
            number = atom.bit_length() - 1
            self.variables[number] = one
            if one is not None:
                self._groups.setdefault(one, set()).add(number)
        return made(found)

    def constant(self, width: int) -> Value:
        """A word that is the same in every call, and of which nothing else is known."""
        found = self.atoms.fresh(width)
        self.constants |= sum(found)
        return made(found)

    def both(self, a: Value, b: Value, width: int) -> Value:
        """AND, bit by bit: a truth table over many secrets would be of no use here."""
        product = self.atoms.product
        pairs = zip(self.bits(a, width), self.bits(b, width), strict=True)
        return made([product(x, y) if x and y else 0 for x, y in pairs])

    def lookup(self, table: Readable, address: Value, size: int) -> Value | None:
        """None: the index is a word of shares."""
        return None

    # --- verdicts

    def verdict(self, form: int) -> Verdict:
        """Whether the distribution of a bit is the same for all secrets."""
        form &= ~self.constants  # a complement has the same answer
        if form not in self._verdicts:
            self._verdicts[form] = self._judged(form)
        return self._verdicts[form]

    def _judged(self, form: int) -> Verdict:
        inside = self._support(form)
        numbers = set(_numbers(inside))
        if not numbers <= self.variables.keys():
            return "open"  # a part of it is not known
        whole = [group for group in self._groups.values() if group <= numbers]
        if not whole:
            return "proved"  # of every secret a share is missing
        held = set().union(*whole)
        alone = [one for one in _numbers(form) if one in self.variables and one not in held]
        nonlinear = self._products(form)
        if any(not nonlinear >> one & 1 for one in alone):
            return "proved"  # a variable of its own, which is independent of all secrets
        if len(numbers) > MOST or len(whole) > _SECRETS:
            return "proved" if self._halved(form, held) else "open"
        return self._enumerated(form, sorted(numbers), whole)

    def _halved(self, form: int, held: set[int]) -> bool:
        """It is L + x y, and y has a variable that is in neither L nor x, so y is a fair coin.

        Then it is 1 as often as x is, halved, and as L is without x; both must depend on no secret.
        """
        for number in _numbers(form):
            for x, y in _both_ways(self.atoms.factors.get(number)):
                rest = form ^ 1 << number
                others = self._support(x) | self._support(rest) | self._products(y)
                free = [one for one in _numbers(y) if one in self.variables and one not in held]
                if all(others >> one & 1 for one in free):
                    continue
                without = self.atoms.product(rest, x ^ 1)
                if self.verdict(x) == self.verdict(without) == "proved":
                    return True
        return False

    def _products(self, form: int) -> int:
        """What the products of a form depend on, as a mask."""
        found = 0
        for number in _numbers(form):
            if number not in self.variables:
                found |= self._atom_support(number)
        return found

    def _support(self, form: int) -> int:
        """Variables, and atoms of which nothing is known, as a mask."""
        found = 0
        for number in _numbers(form):
            found |= self._atom_support(number)
        return found

    def _atom_support(self, number: int) -> int:
        if number not in self._supports:
            factors = self.atoms.factors.get(number)
            if factors is None:
                self._supports[number] = 1 << number
            else:
                self._supports[number] = self._support(factors[0]) | self._support(factors[1])
        return self._supports[number]

    def _enumerated(self, form: int, numbers: list[int], whole: list[set[int]]) -> Verdict:
        """Count the ones for each value of the secrets of which all shares are there."""
        every = (1 << (1 << len(numbers))) - 1
        tables = {one: _column(at, len(numbers)) for at, one in enumerate(numbers)}
        table = self._table(form, tables, every)
        counts, patterns = set[int](), [every]
        for group in whole:
            secret = 0
            for one in group:
                secret ^= tables[one]
            patterns = [some & side for some in patterns for side in (secret, every ^ secret)]
        for some in patterns:
            counts.add((table & some).bit_count())
        return "proved" if len(counts) == 1 else "refuted"

    def _table(self, form: int, tables: dict[int, int], every: int) -> int:
        """The truth table of a form."""
        found = every if form & 1 else 0
        for number in _numbers(form):
            if number not in tables:
                first, second = self.atoms.factors[number]
                tables[number] = self._table(first, tables, every) & self._table(
                    second, tables, every
                )
            found ^= tables[number]
        return found


def _both_ways(factors: tuple[int, int] | None) -> tuple[tuple[int, int], ...]:
    return () if factors is None else (factors, factors[::-1])


def _numbers(form: int) -> list[int]:
    """Numbers of the atoms of a form; the constant is none."""
    rest, found = form & ~1, []
    while rest:
        lowest = rest & -rest
        found.append(lowest.bit_length() - 1)
        rest ^= lowest
    return found


def _column(at: int, count: int) -> int:
    """The truth table of a variable: runs of 2^at zeros and ones."""
    run = 1 << at
    found, size = ((1 << run) - 1) << run, 2 * run
    while size < 1 << count:
        found |= found << size
        size *= 2
    return found
