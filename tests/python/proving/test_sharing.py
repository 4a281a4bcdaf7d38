# SPDX-License-Identifier: MIT
"""The domain of shares against brute force, and arguments in shares."""

import random
from collections import defaultdict
from itertools import product

import pytest

pytest.importorskip("pypcode")

from aesfit.proving.masked import sharing
from aesfit.proving.masked.shared import shared_arguments
from aesfit.proving.masked.sharing import Sharing

Gate = tuple[str, int, int]
GROUPS = ("a", "a", "b", "b", "c", "c", "c", None, None, None, None, "d", "d", "e", "e", None)
"""Secrets that variables are shares of; None: random bits."""


def circuit(draw: random.Random, inputs: int, gates: int) -> list[Gate]:
    def earlier(at: int) -> int:
        return draw.randrange(inputs + at)

    names = ("xor", "xor", "and")
    return [(draw.choice(names), earlier(at), earlier(at)) for at in range(gates)]


def forms(domain: Sharing, groups: list[str | None], gates: list[Gate]) -> list[int]:
    values = [domain.variable(1, [one]) for one in groups]
    for name, x, y in gates:
        work = domain.xor if name == "xor" else domain.both
        values.append(work(values[x], values[y], 1))
    return [domain.bits(one, 1)[0] for one in values]


def depends(groups: list[str | None], gates: list[Gate], at: int) -> bool:
    """By trying every value of every variable."""
    ones, total = defaultdict[tuple[int, ...], int](int), set[tuple[int, ...]]()
    names = sorted({one for one in groups if one})
    for given in product((0, 1), repeat=len(groups)):
        values = list(given)
        for name, x, y in gates[: max(0, at - len(groups) + 1)]:
            values.append(values[x] ^ values[y] if name == "xor" else values[x] & values[y])
        secret = tuple(
            sum(v for v, g in zip(given, groups, strict=True) if g == name) & 1 for name in names
        )
        total.add(secret)
        ones[secret] += values[at]
    return len({ones[one] for one in total}) > 1


@pytest.mark.parametrize("seed", range(24))
def test_verdicts_are_those_of_brute_force(seed: int) -> None:
    draw = random.Random(seed)
    groups = list(GROUPS[: draw.choice((7, 9, 9, 11))])
    gates = circuit(draw, len(groups), 14)
    domain = Sharing()
    found = forms(domain, groups, gates)
    for at in range(len(found) - 5, len(found)):
        wanted = "refuted" if depends(groups, gates, at) else "proved"
        assert domain.verdict(found[at]) == wanted if found[at] > 1 else wanted == "proved"


def test_rules_without_enumeration_prove_nothing_that_depends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is enumerated, so what is proved was proved by rules; masks meet in products."""
    monkeypatch.setattr(sharing, "MOST", 0)
    halved = []
    asked = Sharing._halved

    def listening(self: Sharing, form: int, held: set[int]) -> bool:
        halved.append(asked(self, form, held))
        return halved[-1]

    monkeypatch.setattr(Sharing, "_halved", listening)
    proved = 0
    for seed in range(60):
        draw = random.Random(seed)
        groups = ["a", "a", "b", "b", None, None, None, None]
        gates = circuit(draw, len(groups), 16)
        domain = Sharing()
        for at, form in list(enumerate(forms(domain, groups, gates)))[-8:]:
            found = domain.verdict(form) if form > 1 else "proved"
            assert found != "refuted"
            assert found == "open" or not depends(groups, gates, at)
            proved += found == "proved"
    assert proved > 200
    assert sum(halved) > 5


def test_a_product_by_a_masked_factor_is_proved_however_large_it_is() -> None:
    domain = Sharing()
    many = forms(domain, ["x", "x"] + [None] * 26, [])
    sum_ = many[0]
    for one in many[2:14]:
        sum_ ^= domain.atoms.product(one, many[1] ^ one ^ many[14])
    factor = sum_ ^ many[15]
    assert domain.verdict(domain.atoms.product(factor, sum_ ^ many[16])) == "proved"
    assert domain.verdict(domain.atoms.product(sum_ ^ many[16], many[0] ^ many[1])) == "refuted"


def test_a_circuit_of_sixteen_variables() -> None:
    """Two masked products with fresh random bits, and what they are without one."""
    draw = random.Random(1)
    gates = circuit(draw, 16, 10)
    domain = Sharing()
    found = forms(domain, list(GROUPS), gates)
    wanted = "refuted" if depends(list(GROUPS), gates, 25) else "proved"
    assert domain.verdict(found[25]) == wanted


def test_verdicts_are_both_met_and_large_circuits_stay_open() -> None:
    domain = Sharing()
    (a0, a1, b0, b1, r), other = forms(domain, ["a", "a", "b", "b", None], []), domain.atoms
    bad = other.product(a0, b0) ^ other.product(a0, b1)
    assert domain.verdict(bad) == "refuted"
    assert domain.verdict(bad ^ r) == "proved"
    assert domain.verdict(bad ^ r ^ 1) == "proved"
    assert domain.verdict(other.product(bad, r)) == "refuted"
    assert domain.verdict(r ^ other.product(r, a0 ^ a1)) == "refuted"  # r is in the product too
    assert domain.verdict(a0) == domain.verdict(a0 ^ b1) == "proved"
    assert domain.verdict(a0 ^ a1) == "refuted"
    many = forms(domain, ["x", "x"] + [None] * 20, [])
    wide = 0
    for one in many[2:]:
        wide ^= other.product(one, many[0] ^ many[1] ^ wide)
    assert domain.verdict(wide) == "open"


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["share:4:a"], "the secret 'a' has one share"),
        (["share:4:a", "share:8:a"], "different sizes"),
        (["share:a:4", "share:a"], "is not an argument; give share:SIZE:NAME"),
        (["mask"], "is not an argument"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(texts: list[str], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        shared_arguments(texts)
