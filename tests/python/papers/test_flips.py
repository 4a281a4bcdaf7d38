# SPDX-License-Identifier: MIT
"""`aesfit experiment --flips`: what it tries, on claims whose answers are known."""

from collections.abc import Mapping

import pytest

from aesfit.papers.contract import Claim, Pair
from aesfit.papers.flips import Standing, as_share, by_code, by_compiler, by_place, by_reading
from aesfit.papers.rule import Ends, Form, Kind
from aesfit.papers.run import Judged
from aesfit.papers.verdict import judge, pair_of

EXPERIMENT = "images_made_up"


def standing(
    kind: Kind,
    found: Mapping[str, Pair | float],
    published: float | Ends | None = None,
    form: Form = "times",
) -> Standing:
    claim = Claim("Made up.", kind, found, published, form)
    return Standing(EXPERIMENT, Judged(claim, judge(claim, EXPERIMENT)))


def test_a_share_read_as_a_share() -> None:
    """Saved 18 % where 13 % is published: within half of the effect, and not within 25 %."""
    one = standing("effect", {"a": Pair(0.82, 1)}, 0.13, "saved")
    assert one.judged.verdict.word == "holds"
    found = by_reading([one])
    assert (found.tried, found.flipped) == (1, 1)
    assert (found.flips[0].was, found.flips[0].becomes) == ("holds", "holds nowhere")
    assert by_reading([standing("effect", {"a": Pair(0.86, 1)}, 0.13, "saved")]).flipped == 0
    assert by_reading([standing("effect", {"a": Pair(0.82, 1)}, 0.87)]).tried == 0


@pytest.mark.parametrize(
    ("added", "told"), [(0.1, 0.5), (0.2, 1), (0.25, 1), (0.30, 1), (0.45, 1.5)]
)
def test_a_range_of_shares_is_held_at_its_ends(added: float, told: float) -> None:
    one = standing("range", {"a": Pair(1 + added, 1)}, (0.2, 0.3), "added")
    assert pair_of(as_share(one.judged.claim).found["a"]).a == pytest.approx(told)


def test_a_place_left_out() -> None:
    one = standing("order", {"a": Pair(2, 1), "b": Pair(1, 2)})
    found = by_place([one, standing("order", {"a": Pair(2, 1)})])
    assert (found.tried, found.flipped) == (1, 1)
    assert [(flip.becomes, flip.by) for flip in found.flips] == [
        ("holds nowhere", "without a"),
        ("holds", "without b"),
    ]
    firm = standing("order", {"a": Pair(2, 1), "b": Pair(3, 1)})
    assert by_place([firm]).flipped == 0


def test_clang_beside_gcc() -> None:
    one = standing("order", {"a": Pair(2, 1), "a, clang": Pair(1, 2)})
    assert one.judged.verdict.places == {"a": "holds"}
    found = by_compiler([one, standing("order", {"a": Pair(2, 1)})])
    assert (found.tried, found.flipped) == (1, 1)
    assert found.flips[0].becomes == "holds nowhere"


def test_our_code_beside_the_papers() -> None:
    one = standing("order", {"a": Pair(2, 1), "a, our code": Pair(1, 2)})
    assert one.judged.verdict.places == {"a": "holds"}
    assert one.judged.verdict.swept == {"a, our code": "opposite"}
    found = by_code([one, standing("order", {"a": Pair(2, 1)})])
    assert (found.tried, found.flipped) == (1, 1)
    assert (found.flips[0].becomes, found.flips[0].by) == ("holds nowhere", "on our code")
