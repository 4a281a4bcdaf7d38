# SPDX-License-Identifier: MIT
"""Every line of the rule that judges a place, on both sides of each of its limits."""

from math import exp, log

import pytest

from aesfit_papers.judging.rule import (
    BAND,
    CAP,
    Ends,
    Form,
    Kind,
    Word,
    distance,
    outside,
    times,
    tolerance,
    word,
)


def effect(found: float, published: float, form: Form = "times") -> Word:
    return word("effect", found, 1, published, form)


def judged(kind: Kind, a: float, b: float, published: float | Ends | None = None) -> Word:
    return word(kind, a, b, published, "times")


def test_line_1_shares_become_ratios() -> None:
    assert times(0.13, "saved") == pytest.approx(0.87)
    assert times(0.16, "added") == pytest.approx(1.16)
    assert times(1.33, "times") == 1.33
    assert effect(0.87, 0.13, "saved") == effect(0.87, 0.87) == "holds"
    assert word("effect", 870, 1000, 0.13, "saved") == "holds"


@pytest.mark.parametrize("found", [1.019, 1.0, 1 / 1.019])
def test_line_2_no_difference(found: float) -> None:
    assert effect(found, 1.5) == effect(found, 0.5) == "no difference"


def test_line_2_no_difference_comes_before_the_size() -> None:
    """1.019 is within the tolerance of 1.03, and still no difference."""
    assert abs(log(1.019 / 1.03)) < tolerance(1.03)
    assert effect(1.019, 1.03) == "no difference"
    assert effect(1.021, 1.03) == "holds"


def test_line_2_opposite() -> None:
    assert effect(0.945, 1675 / 1641) == "opposite"
    assert effect(1.021, 0.9) == effect(0.979, 1.1) == "opposite"


@pytest.mark.parametrize(
    ("published", "allowed"),
    [
        (1.03, BAND),
        (1.3, log(1.3) / 2),
        (0.7, -log(0.7) / 2),
        (20.0, CAP),
        (0.05, CAP),
    ],
)
def test_line_3_the_size(published: float, allowed: float) -> None:
    assert tolerance(published) == pytest.approx(allowed)
    for sign in (1, -1):
        inside, outside = (published * exp(sign * allowed * part) for part in (0.999, 1.001))
        assert effect(inside, published) in ("holds", "no difference")
        assert effect(outside, published) in ("same direction, other size", "no difference")
    assert effect(published * exp(allowed * 0.999), published) in ("holds", "no difference")
    assert effect(published**3, published) == "same direction, other size"


def test_line_3_does_not_depend_on_what_is_divided_by_what() -> None:
    for published in (1.05, 1.3, 3.7, 20.0):
        for found in (0.5, 0.97, 1.01, 1.04, 1.2, 2.5, 4.0, 18.0):
            assert effect(found, published) == effect(1 / found, 1 / published)


@pytest.mark.parametrize("kind", ["part", "about"])
def test_lines_4_and_8_parts_and_what_is_about(kind: Kind) -> None:
    assert judged(kind, 20, 1, 16.01) == judged(kind, 16.01, 1, 20) == "holds"
    assert judged(kind, 20, 1, 15.99) == judged(kind, 15.99, 1, 20) == "other size"
    assert judged(kind, 20, 100, 0.2) == "holds"
    assert judged(kind, 0, 1, 20) == judged(kind, -20, 1, 20) == "other size"


def test_line_5_equality() -> None:
    assert judged("equal", 1.099, 1) == judged("equal", 1, 1.099) == "holds"
    assert judged("equal", 1.101, 1) == judged("equal", 1, 1.101) == "differs"


def test_line_5_gains_of_other_signs_differ() -> None:
    assert judged("equal", -1.05, -1) == judged("equal", 0, 0) == "holds"
    assert judged("equal", -1, 1) == judged("equal", 0, 1) == judged("equal", 1, 0) == "differs"


def test_line_5_is_for_effects_within_two_percent_of_none() -> None:
    assert effect(0.93, 1.0199) == effect(0.93, 1 / 1.0199) == "holds"
    assert effect(0.879, 1384 / 1374) == "differs"
    assert effect(0.93, 1.0201) == "opposite"


def test_line_6_a_range_is_not_widened_and_has_no_middle() -> None:
    ends = (0.20, 0.30)

    def saved(found: float) -> Word:
        return word("range", 1 - found, 1, ends, "saved")

    assert saved(0.20) == saved(0.25) == saved(0.30) == "holds"
    assert (saved(0.199), saved(0.301)) == ("same direction, other size",) * 2
    assert (saved(0.01), saved(-0.01)) == ("no difference", "no difference")
    assert saved(-0.1) == "opposite"
    assert judged("range", 0.5, 1, (0.9, 1.2)) == "same direction, other size"
    assert judged("range", 2, 1, (0.9, 1.2)) == "same direction, other size"


def test_line_6_says_how_far_outside() -> None:
    ends = (0.20, 0.30)
    assert outside(0.75, 1, ends, "saved") == 0
    assert outside(0.63, 1, ends, "saved") == pytest.approx(0.63 / 0.70 - 1)
    assert outside(0.84, 1, ends, "saved") == pytest.approx(0.84 / 0.80 - 1)


def test_line_7_orders() -> None:
    assert (judged("order", 103, 100), judged("order", 100, 103)) == ("holds", "opposite")
    assert judged("order", 101, 100) == judged("order", 100, 101) == "no difference"
    assert (judged("order", 5, 0), judged("order", 0, 5)) == ("holds", "opposite")
    assert judged("order", 0, 0) == "no difference"
    assert judged("order of counts", 101, 100) == "holds"
    assert judged("order of counts", 100, 101) == "opposite"
    assert judged("order of counts", 100, 100) == "no difference"


def test_line_8_exact_counts() -> None:
    assert judged("exact", 256, 1, 256) == "holds"
    assert judged("exact", 257, 1, 256) == judged("exact", 255, 1, 256) == "differs"
    assert judged("exact", 0, 1, 0) == "holds"


def test_line_8_bounds_and_their_distance() -> None:
    assert judged("at least", 3, 1, 3) == judged("at most", 3, 1, 3) == "holds"
    assert judged("at least", 2.96, 1, 3) == judged("at most", 3.04, 1, 3) == "holds"
    assert judged("at least", 2.83, 1, 3) == judged("at most", 3.17, 1, 3) == "missed"
    for sign in (1, -1):
        inside, beyond = (exp(sign * part * BAND) for part in (0.999, 1.001))
        kind: Kind = "at most" if sign > 0 else "at least"
        assert (judged(kind, inside, 1, 1), judged(kind, beyond, 1, 1)) == ("holds", "missed")
    assert judged("at most", 0, 1, 0) == judged("at least", 0, 1, 0) == "holds"
    assert judged("at most", 1e-9, 1, 0) == judged("at least", -1, 1, 1) == "missed"
    assert judged("at least", 600, 200, 3) == "holds"
    assert distance(1.5, 1, 3) == -0.5
    assert distance(6, 1, 3) == 1
    assert distance(0.25, 1, 0) == 0.25


@pytest.mark.parametrize(
    ("kind", "a", "published", "told"),
    [
        ("effect", 1, None, "needs a published value"),
        ("range", 1, 0.5, "needs both of its ends"),
        ("range", 1, (-1.0, 2.0), "needs ends above 0"),
        ("effect", -1, 2.0, "needs two figures above 0"),
        ("range", 0, (1.0, 2.0), "needs two figures above 0"),
        ("effect", 1, -2.0, "needs a published ratio above 0"),
        ("part", 1, 0.0, "is above 0"),
    ],
)
def test_what_cannot_be_judged(
    kind: Kind, a: float, published: float | Ends | None, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        judged(kind, a, 1, published)
