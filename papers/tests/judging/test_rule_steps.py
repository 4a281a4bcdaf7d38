# SPDX-License-Identifier: MIT
"""The steps of the rule name the line that decides, and end in the word of the rule."""

import pytest
from claim_places import place

from aesfit_papers.judging.contract import Claim, Pair
from aesfit_papers.judging.rule import Ends, Form, Kind
from aesfit_papers.judging.steps import steps
from aesfit_papers.judging.verdict import found_in

A = place("a")


@pytest.mark.parametrize(
    ("kind", "pair", "published", "form", "told"),
    [
        ("effect", Pair(1.3, 1), 1.33, "times", "held from 1.15 to 1.53"),
        ("effect", Pair(87, 100), 0.13, "saved", "published 0.87 (line 1)"),
        ("effect", Pair(1, 1), 1.01, "times", "so equal within 10 % (line 5)"),
        ("range", Pair(0.6, 1), (0.2, 0.3), "saved", "held from 0.7 to 0.8, -14.3 % outside"),
        ("at least", 2.96, 3, "times", "at least 3 with a band of 2 %, -1.3 % (line 8)"),
        ("at most", 0.0, 0, "times", "at most 0 (line 8)"),
        ("part", Pair(1, 2), 0.5, "times", "within 25 % either way of 0.5 (line 4)"),
        ("about", 20.0, 21, "times", "within 25 % either way of 21 (line 8)"),
        ("equal", Pair(1, 1), None, "times", "equal within 10 % (line 5)"),
        ("exact", 4.0, 4, "times", "equal to 4 (line 8)"),
        ("order", Pair(2, 1), None, "times", "above 1 with a band of 2 % (line 7)"),
        ("order of counts", Pair(1, 2), None, "times", "1 / 2 = 0.5; above 1 (line 7)"),
        ("order of counts", Pair(40, 0), None, "times", "40 against 0; above 1 (line 7)"),
    ],
)
def test_steps(
    kind: Kind, pair: Pair | float, published: float | Ends | None, form: Form, told: str
) -> None:
    claim = Claim("Made up.", kind, {A: pair}, published, form)
    found = steps(claim, A)
    assert told in found
    assert found.endswith(f": {found_in(claim, A)}")
