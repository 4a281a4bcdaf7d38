# SPDX-License-Identifier: MIT
"""Words as truth tables: the same functions as bit by bit, and no atoms on the way."""

from random import Random

import pytest
from evaluation import Evaluation
from images import needs_prover

from aesfit.proving.domain import Value
from aesfit.proving.forms import Equality
from aesfit.proving.words import Sliced, made
from aesfit.proving.zones import Atoms

pytestmark = needs_prover

WIDTH = 32
EVERY = (1 << WIDTH) - 1
STEPS = 60


def entrance(domain: Equality, rng: Random) -> list[Value]:
    """Eight words, bit i of which are the variables of zone i; a few bits are constants."""
    zones = [domain.atoms.fresh(8) for _ in range(WIDTH)]
    for one in zones:
        domain.atoms.zone(one)
    return [
        made([rng.choice((one[at], one[at], one[at], 0, 1)) if rng.random() < 0.2 else one[at]
              for one in zones])
        for at in range(8)
    ]  # fmt: skip


def step(domain: Equality, rng: Random, words: list[Value]) -> Value:
    """Some operation on some of the words and numbers."""
    a, b = rng.choice(words), rng.choice([*words, rng.getrandbits(WIDTH), EVERY])
    return domain.xor(a, b, WIDTH) if rng.random() < 0.5 else domain.both(a, b, WIDTH)


@pytest.mark.parametrize("seed", range(4))
def test_a_circuit_has_the_forms_that_it_has_bit_by_bit(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, atoms = Random(seed), Atoms()
    sliced, plain = Equality(atoms), Equality(atoms)
    monkeypatch.setattr(plain, "_in_zones", lambda a, b, width: None)
    words = entrance(sliced, rng)
    others, kinds = list(words), set[type]()
    for _ in range(STEPS):
        state = rng.getstate()
        words.append(step(sliced, rng, words))
        rng.setstate(state)
        others.append(step(plain, rng, others))
        kinds.add(type(words[-1]))
        if rng.random() < 0.2:  # some are used on the way, others not
            assert sliced.bits(words[-1], WIDTH) == plain.bits(others[-1], WIDTH)
    assert Sliced in kinds
    for one, other in zip(words, others, strict=True):
        assert isinstance(one, int) == isinstance(other, int)
        assert sliced.bits(one, WIDTH) == plain.bits(other, WIDTH)


def test_words_are_the_functions_of_their_inputs() -> None:
    rng, atoms = Random(7), Atoms()
    domain = Equality(atoms)
    words = entrance(domain, rng)
    inputs = [1 << at for at in range(1, 8 * WIDTH + 1)]
    choices = [Evaluation(atoms, {one: rng.getrandbits(1) for one in inputs}) for _ in range(3)]

    def number(word: Value, choice: Evaluation) -> int:
        return sum(choice.bit(bit) << at for at, bit in enumerate(domain.bits(word, WIDTH)))

    for _ in range(STEPS):
        a, b = rng.choice(words), rng.choice(words)
        both, sum_of = domain.both(a, b, WIDTH), domain.xor(a, b, WIDTH)
        for choice in choices:
            x, y = number(a, choice), number(b, choice)
            assert number(both, choice) == x & y
            assert number(sum_of, choice) == x ^ y
        words += [both, sum_of]


def test_what_a_circuit_computes_on_its_way_takes_no_atoms() -> None:
    rng, atoms = Random(1), Atoms()
    domain = Equality(atoms)
    words = entrance(domain, rng)
    before = atoms.count
    for _ in range(STEPS):
        words.append(step(domain, rng, words))
    assert atoms.count == before
    last = next(one for one in reversed(words) if isinstance(one, Sliced))
    domain.bits(last, WIDTH)
    assert atoms.count > before


def test_a_word_over_other_zones_is_taken_bit_by_bit() -> None:
    atoms = Atoms()
    domain = Equality(atoms)
    first, second = (entrance(domain, Random(seed)) for seed in (2, 3))
    a, b = domain.both(first[0], first[1], WIDTH), domain.both(second[0], second[1], WIDTH)
    assert isinstance(a, Sliced)
    assert isinstance(b, Sliced)
    mixed = domain.xor(a, b, WIDTH)
    pairs = zip(domain.bits(a, WIDTH), domain.bits(b, WIDTH), strict=True)
    assert domain.bits(mixed, WIDTH) == tuple(x ^ y for x, y in pairs)
