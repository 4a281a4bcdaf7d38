# SPDX-License-Identifier: MIT
"""Every operation on numbers that grow against the same operation on numbers."""

from itertools import product
from random import Random

import pytest
from images import needs_prover
from test_domains import OPERATIONS, computed, concrete, second_of, sizes_of

from aesfit.proving.domain import Value
from aesfit.proving.growing import GrowingBits
from aesfit.proving.known_bits import made
from aesfit.proving.sums import CountCondition, Growing, Linear, Public, growing, open_bits

pytestmark = needs_prover
ROUNDS = 60
RANGES = ({"n": (0, 5)}, {"n": (3, 3000)}, {"n": (0, 70_000)}, {"m": (1, 9), "n": (0, 40)})


def word(rng: Random, width: int, names: list[str]) -> Value:
    """A number, or a word of any kind."""
    mask, other = rng.getrandbits(width), rng.getrandbits(width)
    some: list[Value] = [
        rng.getrandbits(width),
        made(other & ~mask, mask),
        open_bits(other, mask & other, mask & ~other),
    ]
    terms = tuple((name, rng.choice((1, 2, 4, 16, -1, -16))) for name in sorted(names))
    some += [growing(Linear(rng.randrange(200), terms), width)] * 3
    return rng.choice(some)


def number(rng: Random, value: Value, counts: dict[str, int], width: int) -> int:
    """One that the word may be."""
    if isinstance(value, int):
        return value
    if isinstance(value, Growing):
        return total(value.sum, counts) & ((1 << width) - 1)
    known, public, secret = GrowingBits().bits(value)
    return known | rng.getrandbits(width) & (public | secret)


def total(one: Linear, counts: dict[str, int]) -> int:
    return one.base + sum(factor * counts[name] for name, factor in one.terms)


def holds(domain: GrowingBits, value: Value, got: int, counts: dict[str, int]) -> bool:
    """The word may be that number, where the counts are these."""
    if isinstance(value, int):
        return value == got
    if isinstance(value, Growing):
        return bool(total(value.sum, counts) & ((1 << value.width) - 1) == got)
    if isinstance(value, Public) and value.test:
        at = total(value.test.sum, counts)
        is_so = at >= 0 if value.test.kind == "positive" else at == 0
        return is_so ^ value.test.negated == got
    known, public, secret = domain.bits(value)
    return got & ~(public | secret) == known


@pytest.mark.parametrize("name", OPERATIONS)
def test_words_hold_what_numbers_give(name: str) -> None:
    """Whatever the counts and the open bits are."""
    rng, (size, output) = Random(f"growing {name}"), sizes_of(name)
    width = 1 if name.startswith("BOOL") else 8 * size
    for at in range(ROUNDS):
        domain = GrowingBits()
        domain.ranges = RANGES[at % len(RANGES)]
        first: Value = word(rng, width, list(domain.ranges)) if width > 1 else rng.randrange(2)
        second = second_of(name, rng)
        other = word(rng, width, list(domain.ranges)) if second is None and width > 1 else second
        values = (first, rng.randrange(2) if other is None else other)
        result = computed(domain, name, values, size, output)
        for _ in range(12):
            counts = {
                one: rng.choice((*ends, rng.randint(*ends))) for one, ends in domain.ranges.items()
            }
            a, b = (number(rng, one, counts, width) for one in values)
            got = concrete(name, a, b, size, output)
            assert holds(domain, result, got, counts), (values, counts, a, b)


def test_ranges_are_narrowed_to_where_a_condition_holds() -> None:
    rng = Random("narrowed")
    for _ in range(400):
        ranges = {"m": (0, rng.randrange(1, 6)), "n": (rng.randrange(4), rng.randrange(4, 12))}
        factors = tuple((name, rng.choice((-16, -2, -1, 1, 2, 16))) for name in ("m", "n"))
        some = Linear(rng.randrange(-40, 40), factors[rng.randrange(2) :])
        positive, negated = rng.random() < 0.5, rng.random() < 0.5
        condition = CountCondition(some, "positive" if positive else "zero", negated)
        narrowed, decided = condition.narrowed(ranges), condition.decided(ranges)
        spans = (range(low, high + 1) for low, high in ranges.values())
        for counts in (dict(zip("mn", one, strict=True)) for one in product(*spans)):
            at = total(some, counts)
            is_so = (at >= 0 if positive else at == 0) ^ negated
            inside = [low <= counts[name] <= high for name, (low, high) in narrowed.items()]
            assert all(inside) or not is_so
            assert decided in (None, is_so)


def test_the_exclusive_or_of_a_sum_with_itself_is_zero() -> None:
    """Compilers compare two lengths so, and select by the result."""
    domain = GrowingBits()
    domain.ranges = {"n": (0, 9)}
    one, other = (growing(Linear(5, (("n", 16),)), 32) for _ in range(2))
    assert domain.xor(one, other, 32) == 0
