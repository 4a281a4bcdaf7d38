# SPDX-License-Identifier: MIT
"""Forms of which some input bits are given: what is left of them.

An atom stands for a function of input bits.  Where some of these are given it stands for what is
left of that function, so all sums and products of forms stay true.  An atom that cannot be looked
into is kept: then no constant is left, and no claim is made.
"""

from collections.abc import Mapping

from .bilinear import bits_of
from .zones import Atoms


class Substitution:
    """Input bits, each given a form."""

    def __init__(self, atoms: Atoms, given: Mapping[int, int]) -> None:
        """`given`: numbers of atoms, and what stands in their place."""
        self._atoms, self._oldest = atoms, min(given)
        self._left = dict(given)

    def of(self, form: int) -> int:
        """What is left of a form; atoms that are older than all that is given are all left."""
        later = form >> self._oldest
        left = form ^ later << self._oldest
        for at in bits_of(later):
            left ^= self._of_atom(at + self._oldest)
        return left

    def _of_atom(self, at: int) -> int:
        if at not in self._left:
            self._left[at] = self._worked_out(at)
        return self._left[at]

    def _worked_out(self, at: int) -> int:
        factors = self._atoms.factors.get(at)
        if factors is not None:
            shorter = self.of(factors[0])
            return shorter and self._atoms.product(shorter, self.of(factors[1]))
        if at not in self._atoms.functions:
            return 1 << at
        zone, table = self._atoms.functions[at]
        left = [self.of(form) for form in zone.variables]
        if left == list(zone.variables):
            return 1 << at
        if all(form < 2 for form in left):
            return table >> sum(form << number for number, form in enumerate(left)) & 1
        return self._atoms.of_tables(left, [table])[0]
