# SPDX-License-Identifier: MIT
"""Lines 9 to 11 of the rule: which places are judged, how they are summed up, what cannot tell."""

from collections.abc import Mapping

import pytest
from claim_places import named, place, texts

from aesfit_papers.judging.contract import Claim, Pair
from aesfit_papers.judging.places import is_judged
from aesfit_papers.judging.verdict import (
    GROUPS,
    OUTCOMES,
    Verdict,
    judge,
    only,
    without,
)

EXPERIMENT = "images_made_up"


def order(found: Mapping[str, Pair | float], **more: object) -> Claim:
    return Claim("Made up.", "order", named(found), **more)  # type: ignore[arg-type]


def pairs(**found: float) -> dict[str, Pair]:
    return {place: Pair(a, 1) for place, a in found.items()}


@pytest.mark.parametrize(
    ("experiment", "at", "judged"),
    [
        ("images_gains", "rv32i, -O2", True),
        ("images_gains", "rv32i, -O0", False),
        ("images_gains", "encrypt, rv32i, -O3", True),
        ("images_gains", "rv32i, -Os", True),
        ("mobile_table_1", "arm7tdmi, -O2", True),
        ("mobile_table_1", "cortex-m3, -O2", False),
        ("mobile_look_up_tables", "cortex-m3", True),
        ("transposed_table_2", "rv32i", True),
        ("transposed_table_2", "cortex-m3", False),
        ("transposed_table_2", "encrypt", True),
        ("mobile_table_3", "1M, -O2", True),
    ],
)
def test_line_9_places(experiment: str, at: str, judged: bool) -> None:
    assert is_judged(experiment, place(at)) is judged


def test_line_9_a_sweep_is_shown_and_not_judged() -> None:
    found = judge(order({"a, -O2": Pair(2, 1), "a, -O0": Pair(1, 2)}), EXPERIMENT)
    assert (found.word, texts(found.places), texts(found.swept)) == (
        "holds",
        {"a, -O2": "holds"},
        {"a, -O0": "opposite"},
    )
    with pytest.raises(ValueError, match="has no place that the paper names"):
        judge(order({"a, -O0": Pair(1, 2)}), EXPERIMENT)


def test_line_9_places_beyond_the_sentence_are_shown_and_not_judged() -> None:
    some = order(pairs(a=2, b=0.5), shown=frozenset([place("b")]))
    found = judge(some, EXPERIMENT)
    assert (found.word, texts(found.places), texts(found.swept)) == (
        "holds",
        {"a": "holds"},
        {"b": "opposite"},
    )
    assert without(some, place("b")) == order(pairs(a=2))
    with pytest.raises(ValueError, match="has no place c"):
        judge(order(pairs(a=2), shown=frozenset([place("c")])), EXPERIMENT)
    with pytest.raises(ValueError, match="has no place that the paper names"):
        judge(without(some, place("a")), EXPERIMENT)
    levels = order({"a, -O2": Pair(2, 1), "b, -O2": Pair(1, 2)}, shown=frozenset([place("b, -O2")]))
    assert only(levels, "-O2").shown == {place("b")}


def test_line_10_all_agree_or_in_part_with_a_tally() -> None:
    assert judge(order(pairs(a=2, b=3)), EXPERIMENT).word == "holds"
    assert judge(order(pairs(a=0.5, b=0.3)), EXPERIMENT).word == "opposite"
    partly = judge(order(pairs(a=2, b=3, c=4, d=0.5)), EXPERIMENT)
    assert (partly.word, partly.tally, partly.group) == (
        "in part",
        "holds 3, opposite 1",
        "in part",
    )


def test_a_claim_that_holds_nowhere_is_not_counted_as_in_part() -> None:
    nowhere = judge(order(pairs(a=0.5, b=1)), EXPERIMENT)
    assert (nowhere.word, nowhere.group) == ("in part", "does not hold")
    size = judge(Claim("Made up.", "effect", named(pairs(a=9)), 2.0), EXPERIMENT)
    assert (size.word, size.group) == ("same direction, other size", "other size")


def test_line_11_places_that_cannot_tell() -> None:
    some = order(pairs(a=2, b=0.5), untestable=named({"b": "another program"}))
    assert judge(some, EXPERIMENT).word == "holds"
    none = order(pairs(b=0.5), untestable=named({"b": "another program"}))
    assert (judge(none, EXPERIMENT).word, judge(none, EXPERIMENT).group) == (
        "not testable here",
        "not testable here",
    )
    with pytest.raises(ValueError, match="has no place c"):
        judge(order(pairs(a=2), untestable=named({"c": "typed wrong"})), EXPERIMENT)


def test_line_11_by_construction_is_counted_apart() -> None:
    built = judge(
        Claim("256 bytes.", "exact", named({"a": 256.0}), 256, by_construction="so"), EXPERIMENT
    )
    assert (built.word, built.group) == ("holds", "by construction")
    assert set(GROUPS) > {built.group}


def test_line_12_a_failure_of_other_code_is_none_of_the_paper() -> None:
    def judged(**found: float) -> Verdict:
        return judge(order(pairs(**found), cause="our code differs"), EXPERIMENT)

    assert (judged(a=2).group, judged(a=0.5).group) == ("holds", "not judged on their code")
    assert (judged(a=2, b=0.5).word, judged(a=2, b=0.5).group) == (
        "in part",
        "not judged on their code",
    )
    other = judge(order(pairs(a=0.5), cause="the claim itself"), EXPERIMENT)
    assert other.group == "does not hold"


def test_line_13_what_has_an_outcome() -> None:
    assert OUTCOMES == ("holds", "in part", "other size", "does not hold")
    assert set(GROUPS) - set(OUTCOMES) == {
        "not judged on their code",
        "not testable here",
        "by construction",
    }


def test_a_level_alone() -> None:
    some = order({"a, -O0": Pair(2, 1), "a, -O2": Pair(1, 2), "-O0": Pair(3, 1), "b": Pair(4, 1)})
    assert texts(only(some, "-O0").found) == {"a": Pair(2, 1), "": Pair(3, 1)}
    assert not only(some, "-O3").found


def test_a_comparison_needs_two_figures() -> None:
    with pytest.raises(ValueError, match="compares two figures, and a has one"):
        judge(order({"a": 2.0}), EXPERIMENT)
    with pytest.raises(ValueError, match="nothing was found"):
        judge(order({}), EXPERIMENT)


def test_a_place_can_be_left_out() -> None:
    some = order(pairs(a=2, b=0.5), untestable=named({"b": "another program"}))
    assert without(some, place("b")) == order(pairs(a=2))
