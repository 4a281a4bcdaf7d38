# SPDX-License-Identifier: MIT
"""What forms are for one choice of their inputs, worked out from how each atom was made."""

from collections.abc import Mapping

from aesfit.proving.zones import Atoms, Zone


class Evaluation:
    """All atoms of a proof for one choice of inputs."""

    def __init__(self, atoms: Atoms, inputs: Mapping[int, int]) -> None:
        """`inputs`: atoms as forms, each with its bit."""
        self._known = {1: 1, **inputs}
        self._atoms = atoms
        self._pairs = {form: pair for pair, form in atoms.products.items()}

    def bit(self, form: int) -> int:
        """The form's bit."""
        total = 0
        while form:
            atom = 1 << form.bit_length() - 1
            form ^= atom
            total ^= self._atom(atom)
        return total

    def _atom(self, atom: int) -> int:
        if atom not in self._known:
            if atom in self._pairs:
                first, second = self._pairs[atom]
                self._known[atom] = self.bit(first) & self.bit(second)
            elif atom not in self._atoms.functions:
                self._known[atom] = self._of_pairing(atom)
            else:
                self._known[atom] = self._of_zone(*self._atoms.functions[atom])
        return self._known[atom]

    def _of_pairing(self, atom: int) -> int:
        """A product of two of its forms, or a sum that it named."""
        number = atom.bit_length() - 1
        for one in self._atoms.pairings:
            if atom in one.named:
                return self.bit(one.named[atom])
            if one.first <= number < one.first + one.count:
                left, right = divmod(number - one.first, one.width)
                return self.bit(one.left.forms[left]) & self.bit(one.right.forms[right])
        raise AssertionError(f"nothing says what atom {number} is")

    def _of_zone(self, zone: Zone, table: int) -> int:
        index = sum(self.bit(form) << at for at, form in enumerate(zone.variables))
        return table >> index & 1
