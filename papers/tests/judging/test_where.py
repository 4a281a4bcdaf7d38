# SPDX-License-Identifier: MIT
"""The map of a claim: which parts tell its places apart, and the smallest change that turns it."""

import pytest
from claim_places import named, place

from aesfit_papers.judging.place import Axis, ClaimPlace, at, told
from aesfit_papers.judging.told_where import told_where
from aesfit_papers.judging.where import by_compilers, tried, turns

GRID = [place(f"{name}, {level}") for name in ("arm7", "arm9") for level in ("-Os", "-O2", "-O3")]


def held(*failing: str) -> dict[ClaimPlace, bool]:
    return {one: not any({*place(at).parts} <= {*one.parts} for at in failing) for one in GRID}


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
        (named({"arm7": True}), "holds in the only place"),
        (named({"arm7": False}), "fails in the only place"),
        ({}, "no place can test it"),
    ],
)
def test_where_it_holds(places: dict[ClaimPlace, bool], told: str) -> None:
    assert told_where(places) == told


def test_amounts_are_told_as_ranges() -> None:
    waits = (0, 1, *range(2, 21, 2))
    swept = {f"{many} wait state{'s' * (many != 1)}, {level}": low <= many <= high
             for level, low, high in (("-Os", 10, 20), ("-O2", 8, 14), ("-O3", 8, 12))
             for many in waits}  # fmt: skip
    assert told_where(named(swept), "would hold") == (
        "would hold only on 10 to 20 wait states at -Os, 8 to 14 wait states at -O2 or "
        "8 to 12 wait states at -O3"
    )
    calls = named(
        {f"{many} call{'s' * (many != 1)}": many < 32 for many in (1, 2, 4, 8, 16, 32, 64)}
    )
    assert told_where(calls) == "holds only on 1 to 16 calls"
    few = {at: not held for at, held in calls.items()}
    assert told_where(few) == "holds on all but 1 to 16 calls"
    assert told_where(few, "would hold") == "would hold only on 32 to 64 calls"


def test_levels_of_one_condition_are_told_together() -> None:
    assert told_where(held("arm9, -O2", "arm9, -O3")) == "holds on all but arm9 at -O2 and -O3"


def test_places_that_nothing_tells_apart_are_counted() -> None:
    scattered = {f"p{at}": at % 2 == 0 for at in range(12)}
    assert told_where(named(scattered)) == "holds in 6 of 12 places"


def test_where_no_terms_do_counts_are_told_by_the_kind_that_tells_places_apart_best() -> None:
    failing = {"-Os": 7, "-O2": 3, "-O3": 18}  # of 18 places, spread over processors and codes
    names = [
        f"{code}, {name}"
        for code in ("Opt1", "Opt2", "OptF")
        for name in ("arm7tdmi", "rv32i", "cortex-m3", "cortex-m0plus", "arm9tdmi", "hexagon")
    ]
    places = {f"{name}, {level}": (5 * at) % 18 >= many
              for level, many in failing.items() for at, name in enumerate(names)}  # fmt: skip
    assert told_where(named(places)) == (
        "holds in 26 of 54 places: at -Os 11 of 18, at -O2 15 of 18, at -O3 none of 18"
    )
    by_code = {f"{code}, {name}, {level}": code == "decrypt" or (at + shift) % 3 == 0
               for code in ("encrypt", "decrypt") for at, name in enumerate(("arm7tdmi", "rv32i",
               "cortex-m3")) for shift, level in enumerate(("-Os", "-O2", "-O3"))}  # fmt: skip
    by_code |= {"encrypt, hexagon, -O2": False, "encrypt, hexagon, -Os": True,
                "encrypt, arm920t, -O3": True, "encrypt, arm920t, -Os": False}  # fmt: skip
    assert (
        told_where(named(by_code))
        == "holds in 14 of 22 places: on encrypt 5 of 13, on decrypt all of 9"
    )


def turned(judged: dict[str, bool], every: dict[str, bool]) -> list[str]:
    """The changes in words."""
    return [one.told for one in turns(named(judged), named(every))]


def test_the_smallest_change_is_of_the_level() -> None:
    found, other = turns(named({"arm7, -O2": True}), held("-O3", "arm9"))
    assert (str(found.place), found.holds, found.axis) == ("arm7", True, "level")
    assert (found.before.text, found.after.text, other.after.text) == ("-O2", "-O3", "arm9")
    assert found.told == "stops holding with -O3 instead of -O2 (arm7)"


def test_then_of_the_compiler_and_of_the_nearest_size() -> None:
    both = by_compilers(named({"arm7": True, "arm9": False}), named({"arm7": False}))
    (gcc, *_) = both
    first = turns({gcc: True}, both)[0]
    assert (first.told, first.axis) == (
        "stops holding with clang instead of gcc (arm7)",
        "compiler",
    )
    waits = {f"{many} wait states": many < 4 for many in (0, 2, 4, 20)}
    assert turned(waits, waits) == ["stops holding with 4 wait states instead of 2 wait states"]
    assert turned({"0 wait states": True}, waits) == [
        "stops holding with 4 wait states instead of 0 wait states"
    ]


def test_nothing_turns_it_if_no_place_differs_in_one_part() -> None:
    assert turned({"a, -O2": True}, {"a, -O2": True, "b, -O3": False}) == []
    assert turned({"a": True}, {"a": True, "a, our code": False}) == []
    ours = {"a, x": True, "our code, x": False, "a, left out": False}
    assert turned({"a, x": True}, ours) == []


def test_changes_that_were_tried_are_counted_once_by_kind() -> None:
    assert tried(named({"a, -O2": True}), named({"a, -O2": True, "b, -O3": False})) == {}
    places = held()
    assert tried(places, places) == {"level": 2 * 3, "other": 3}
    assert tried(named({"arm7, -O2": True}), places) == {"level": 2, "other": 1}
    waits = named(
        {
            f"{wait}, {first}": True
            for wait, first in (
                ("0 wait states", "4 ways"),
                ("1 wait state", "4 ways"),
                ("1 wait state", "1 way"),
            )
        }
    )
    assert tried(waits, waits) == {"memory": 2}


def test_a_change_of_the_memory_is_smaller_than_one_of_the_processor() -> None:
    places = named({"arm7tdmi, 4 ways": True, "arm7tdmi, 1 way": False, "rv32i, 4 ways": False})
    first, second = turns(named({"arm7tdmi, 4 ways": True}), places)
    assert ((first.axis, first.sized), (second.axis, second.sized)) == (
        ("memory", True),
        ("processor", False),
    )


def test_a_change_of_an_amount_is_smaller_than_another_of_its_kind() -> None:
    some = [at(width=width) + word for width, word in ((4, "x"), (3, "x"), (4, "y"))]
    found = turns({some[0]: True}, {some[0]: True, some[1]: False, some[2]: False})
    assert found[0].after.text == "3 issues"


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (at(flags="-Os"), at(flags="-O3"), "level"),
        (at(wait_states=1), at(wait_states=2), "memory"),
        (told("cold", "memory"), told("half evicted", "memory"), "memory"),
        (at(wait_states=1), at(ways=4), None),
        (told("cold", "memory"), at(ways=4), None),
        (told("logo #", "size", 200), told("logo #", "size", 300), "size"),
        (told("logo #", "size", 200), told("gradient #", "size", 200), "other"),
        (told("logo #", "size", 200), told("gradient #", "size", 300), None),
        (at(bytes=16), at(bytes=1 << 20), "size"),
        (at(platform="rv32i"), at(width=3), None),
        (at(flags="-O2"), at(flags="-O2"), None),
    ],
)
def test_a_change_is_of_one_kind(before: ClaimPlace, after: ClaimPlace, kind: Axis | None) -> None:
    assert tried({before: True}, {after: False}) == ({kind: 1} if kind else {})


def test_what_begins_to_hold() -> None:
    assert turned({"a, -O2": False}, {"a, -O2": False, "a, -O0": True}) == [
        "begins to hold with -O0 instead of -O2 (a)"
    ]
