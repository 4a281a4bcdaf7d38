# SPDX-License-Identifier: MIT
"""The map of a claim: which parts tell its places apart, and the smallest change that turns it."""

import pytest

from aesfit_papers.judging.where import Turn, by_compilers, told_where, tried, turns

GRID = [f"{name}, {level}" for name in ("arm7", "arm9") for level in ("-Os", "-O2", "-O3")]


def held(*failing: str) -> dict[str, bool]:
    return {place: not any(set(one.split(", ")) <= set(place.split(", ")) for one in failing)
            for place in GRID}  # fmt: skip


@pytest.mark.parametrize(
    ("places", "told"),
    [
        (held(), "holds in all 6 places"),
        (held("arm7", "arm9"), "holds in none of 6 places"),
        (held("-O3"), "holds on all but -O3"),
        (held("arm9, -O2"), "holds on all but arm9 at -O2"),
        (held("-Os", "-O3"), "holds only on -O2"),
        (held("-O3", "arm9, -O2"), "holds on all but -O3 and arm9 at -O2"),
        (held("arm7", "arm9, -O2", "arm9, -O3"), "holds only on arm9 at -Os"),
        ({"arm7": True}, "holds in the only place"),
        ({"arm7": False}, "fails in the only place"),
        ({}, "no place can test it"),
    ],
)
def test_where_it_holds(places: dict[str, bool], told: str) -> None:
    assert told_where(places) == told


def test_places_that_nothing_tells_apart_are_counted() -> None:
    scattered = {f"p{at}": at % 2 == 0 for at in range(12)}
    assert told_where(scattered) == "holds in 6 of 12 places"


def test_the_smallest_change_is_of_the_level() -> None:
    places = held("-O3", "arm9")
    found, other = turns({"arm7, -O2": True}, places)
    assert (found, other.after) == (Turn("arm7", True, "-O2", "-O3"), "arm9")
    assert found.told == "stops holding with -O3 instead of -O2 (arm7)"


def test_then_of_the_compiler_and_of_the_nearest_size() -> None:
    both = by_compilers({"arm7": True, "arm9": False}, {"arm7": False})
    assert turns({"arm7, gcc": True}, both)[0] == Turn("arm7", True, "gcc", "clang")
    waits = {f"{many} wait states": many < 4 for many in (0, 2, 4, 20)}
    assert turns(waits, waits) == (Turn("", True, "2 wait states", "4 wait states", sized=True),)
    (found,) = turns({"0 wait states": True}, waits)
    assert (found.before, found.after) == ("0 wait states", "4 wait states")


def test_nothing_turns_it_if_no_place_differs_in_one_part() -> None:
    assert turns({"a, -O2": True}, {"a, -O2": True, "b, -O3": False}) == ()
    assert turns({"a": True}, {"a": True, "a, our code": False}) == ()
    assert turns({"a, x": True}, {"a, x": True, "our code, x": False, "a, left out": False}) == ()


def test_changes_that_were_tried_are_counted_once() -> None:
    assert tried({"a, -O2": True}, {"a, -O2": True, "b, -O3": False}) == 0
    places = held()
    assert tried(places, places) == 2 * 3 + 3  # levels of either processor, and the processors
    assert tried({"arm7, -O2": True}, places) == 3


def test_what_begins_to_hold() -> None:
    (found,) = turns({"a, -O2": False}, {"a, -O2": False, "a, -O0": True})
    assert found.told == "begins to hold with -O0 instead of -O2 (a)"
