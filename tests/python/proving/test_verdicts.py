# SPDX-License-Identifier: MIT
"""What tells of given bytes only whether they agree, and what tells more."""

from itertools import product

import pytest
from images import needs_prover

pytestmark = needs_prover


def test_whether_all_bits_agree_is_told_and_nothing_else() -> None:
    from aesfit.proving.verdicts import agreement
    from aesfit.proving.zones import Atoms

    atoms = Atoms()
    bits, other = atoms.fresh(20), atoms.fresh(1)[0]
    verdict = agreement(atoms, [(bit.bit_length() - 1, 0) for bit in bits])
    every, some = 1, 1
    for bit in bits:
        some, every = every, atoms.product(every, bit ^ 1)
    assert verdict.sides(every) == (1, 0)
    assert verdict.sides(every ^ 1) == (0, 1)
    assert (~verdict).sides(every) == (0, 1)
    assert verdict.sides(some) is None  # the last bit has no say
    assert verdict.sides(bits[0]) is None
    assert verdict.sides(atoms.product(every, other)) is None
    assert verdict.refused(atoms.product(every, other)) == 0
    assert verdict.accepted(every ^ other) is None


def test_equal_halves_agree() -> None:
    from aesfit.proving.verdicts import agreement
    from aesfit.proving.zones import Atoms

    atoms = Atoms()
    one, two = atoms.fresh(4), atoms.fresh(4)
    pairs = [(b.bit_length() - 1, a) for a, b in zip(one, two, strict=True)]
    differ = 0
    for a, b in zip(one, two, strict=True):
        differ ^= a ^ b ^ atoms.product(differ, a ^ b)
    assert agreement(atoms, pairs).sides(differ) == (0, 1)
    assert agreement(atoms, pairs).sides(one[0]) is None


@pytest.mark.parametrize("held", [True, False])
def test_a_form_with_given_bits_is_what_is_left_of_it(held: bool) -> None:
    """`held`: as a truth table of a zone; else of products that no zone holds."""
    from aesfit.proving.substitution import Substitution
    from aesfit.proving.zones import Atoms

    atoms = Atoms()
    bits = atoms.fresh(5)
    if held:
        atoms.zone(bits)

    def made(values: tuple[int, ...]) -> int:
        a, b, c, d, e = values
        left = atoms.product(a ^ b, atoms.product(c ^ 1, d))
        return left ^ atoms.product(left ^ e, b) ^ a

    form = made(bits)
    for given in product((0, 1), repeat=5):
        numbers = {bit.bit_length() - 1: one for bit, one in zip(bits, given, strict=True)}
        assert Substitution(atoms, numbers).of(form) == made(given)
        first = dict(list(numbers.items())[:2])
        assert Substitution(atoms, first).of(form) == made((*given[:2], *bits[2:]))
