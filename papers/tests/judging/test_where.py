# SPDX-License-Identifier: MIT
"""The map of a claim: which parts tell its places apart, and the smallest change that turns it."""

import pytest

from aesfit_papers.judging.told_where import told_where
from aesfit_papers.judging.where import Turn, by_compilers, tried, turns

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


def test_amounts_are_told_as_ranges() -> None:
    waits = (0, 1, *range(2, 21, 2))
    swept = {f"{many} wait state{'s' * (many != 1)}, {level}": low <= many <= high
             for level, low, high in (("-Os", 10, 20), ("-O2", 8, 14), ("-O3", 8, 12))
             for many in waits}  # fmt: skip
    assert told_where(swept, "would hold") == (
        "would hold only on 10 to 20 wait states at -Os, 8 to 14 wait states at -O2 or "
        "8 to 12 wait states at -O3"
    )
    calls = {f"{many} call{'s' * (many != 1)}": many < 32 for many in (1, 2, 4, 8, 16, 32, 64)}
    assert told_where(calls) == "holds only on 1 to 16 calls"
    few = {place: not held for place, held in calls.items()}
    assert told_where(few) == "holds on all but 1 to 16 calls"
    assert told_where(few, "would hold") == "would hold only on 32 to 64 calls"


def test_levels_of_one_condition_are_told_together() -> None:
    assert told_where(held("arm9, -O2", "arm9, -O3")) == "holds on all but arm9 at -O2 and -O3"


def test_places_that_nothing_tells_apart_are_counted() -> None:
    scattered = {f"p{at}": at % 2 == 0 for at in range(12)}
    assert told_where(scattered) == "holds in 6 of 12 places"


def test_where_no_terms_do_counts_are_told_by_the_kind_that_tells_places_apart_best() -> None:
    failing = {"-Os": 7, "-O2": 3, "-O3": 18}  # of 18 places, spread over processors and codes
    names = [
        f"{code}, {name}"
        for code in ("Opt1", "Opt2", "OptF")
        for name in ("arm7tdmi", "rv32i", "cortex-m3", "cortex-m0plus", "arm9tdmi", "hexagon")
    ]
    places = {f"{name}, {level}": (5 * at) % 18 >= many
              for level, many in failing.items() for at, name in enumerate(names)}  # fmt: skip
    assert told_where(places) == (
        "holds in 26 of 54 places: at -Os 11 of 18, at -O2 15 of 18, at -O3 none of 18"
    )
    by_code = {f"{code}, {name}, {level}": code == "decrypt" or (at + shift) % 3 == 0
               for code in ("encrypt", "decrypt") for at, name in enumerate(("arm7tdmi", "rv32i",
               "cortex-m3")) for shift, level in enumerate(("-Os", "-O2", "-O3"))}  # fmt: skip
    told = told_where({**by_code, "encrypt, hexagon, -O2": False, "encrypt, hexagon, -Os": True,
                       "encrypt, arm920t, -O3": True, "encrypt, arm920t, -Os": False})  # fmt: skip
    assert told == "holds in 14 of 22 places: on encrypt 5 of 13, on decrypt all of 9"


def test_the_smallest_change_is_of_the_level() -> None:
    places = held("-O3", "arm9")
    found, other = turns({"arm7, -O2": True}, places)
    assert (found, other.after) == (Turn("arm7", True, "-O2", "-O3", "level"), "arm9")
    assert found.told == "stops holding with -O3 instead of -O2 (arm7)"


def test_then_of_the_compiler_and_of_the_nearest_size() -> None:
    both = by_compilers({"arm7": True, "arm9": False}, {"arm7": False})
    assert turns({"arm7, gcc": True}, both)[0] == Turn("arm7", True, "gcc", "clang", "compiler")
    waits = {f"{many} wait states": many < 4 for many in (0, 2, 4, 20)}
    assert turns(waits, waits) == (Turn("", True, "2 wait states", "4 wait states", "memory"),)
    (found,) = turns({"0 wait states": True}, waits)
    assert (found.before, found.after) == ("0 wait states", "4 wait states")


def test_nothing_turns_it_if_no_place_differs_in_one_part() -> None:
    assert turns({"a, -O2": True}, {"a, -O2": True, "b, -O3": False}) == ()
    assert turns({"a": True}, {"a": True, "a, our code": False}) == ()
    assert turns({"a, x": True}, {"a, x": True, "our code, x": False, "a, left out": False}) == ()


def test_changes_that_were_tried_are_counted_once_by_kind() -> None:
    assert tried({"a, -O2": True}, {"a, -O2": True, "b, -O3": False}) == {}
    places = held()
    assert tried(places, places) == {"level": 2 * 3, "other": 3}
    assert tried({"arm7, -O2": True}, places) == {"level": 2, "other": 1}
    waits = {"0 wait states, cold": True, "1 wait state, cold": True, "1 wait state, warm": True}
    assert tried(waits, waits) == {"memory": 2}


def test_a_change_of_the_memory_is_smaller_than_one_of_the_processor() -> None:
    places = {"arm7tdmi, cold": True, "arm7tdmi, warm": False, "rv32i, cold": False}
    assert [one.axis for one in turns({"arm7tdmi, cold": True}, places)] == ["memory", "processor"]
    assert [one.sized for one in turns({"arm7tdmi, cold": True}, places)] == [True, False]


def test_a_change_of_an_amount_is_smaller_than_another_of_its_kind() -> None:
    places = {"4 issues, x": True, "3 issues, x": False, "4 issues, y": False}
    assert turns({"4 issues, x": True}, places)[0].after == "3 issues"


def test_what_begins_to_hold() -> None:
    (found,) = turns({"a, -O2": False}, {"a, -O2": False, "a, -O0": True})
    assert found.told == "begins to hold with -O0 instead of -O2 (a)"
