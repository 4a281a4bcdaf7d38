# SPDX-License-Identifier: MIT
"""What forms are for one choice of their inputs, worked out from how each atom was made."""

from collections.abc import Mapping

from aesfit.proving.zones import Atoms, Zone


class Evaluation:
    """All atoms of a proof for one choice of inputs."""

    def __init__(self, atoms: Atoms, inputs: Mapping[int, int]) -> None:
        """`inputs`: atoms as forms, each with its bit."""
        self._known = {0: 1, **{form.bit_length() - 1: bit for form, bit in inputs.items()}}
        self._atoms = atoms
        self._pairs = {form: pair for pair, form in atoms.products.items()}

    def bit(self, form: int) -> int:
        """The form's bit."""
        digits, total = bin(form)[:1:-1], 0
        number = digits.find("1")
        while number >= 0:
            total ^= self._atom(number)
            number = digits.find("1", number + 1)
        return total

    def _atom(self, number: int) -> int:
        if number not in self._known:
            self._known[number] = self._made(number)
        return self._known[number]

    def _made(self, number: int) -> int:
        """An atom, from what it is of other forms."""
        for one in self._atoms.pairings:
            if one.first <= number < one.first + one.count:
                left, right = divmod(number - one.first, one.width)
                return self.bit(one.left.forms[left]) & self.bit(one.right.forms[right])
        atom = 1 << number
        for one in self._atoms.pairings:
            if atom in one.named:
                return self.bit(one.named[atom])
        if atom in self._pairs:
            first, second = self._pairs[atom]
            return self.bit(first) & self.bit(second)
        return self._of_zone(*self._atoms.functions[number])

    def _of_zone(self, zone: Zone, table: int) -> int:
        index = sum(self.bit(form) << at for at, form in enumerate(zone.variables))
        return table >> index & 1
