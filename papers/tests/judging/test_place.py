# SPDX-License-Identifier: MIT
"""A place: how it is told, which rows it is of, and that every stored claim has such places."""

import pytest

from aesfit_papers.judging.catalog import experiments
from aesfit_papers.judging.cells import figures, pairs
from aesfit_papers.judging.contract import Pair, Row
from aesfit_papers.judging.place import Axis, ClaimPlace, at, between, in_row, told
from aesfit_papers.judging.run import judged, stored

ROWS: list[Row] = [
    {"platform": name, "flags": level, "core": core, "wait_states": wait, "cycles": 100 + order}
    for order, (name, level, core, wait) in enumerate(
        (name, level, core, wait) for name in ("arm7tdmi", "rv32i") for level in (None, "-O2")
        for core in ("one", "two", "three") for wait in (0, 1))
]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "text", "axes"),
    [
        (at(platform="rv32i", flags="-O2"), "rv32i, -O2", ["processor", "level"]),
        (at(place="rv32i, -O2"), "rv32i, -O2", ["processor", "level"]),
        (at(platform="rv32i", flags=None), "rv32i", ["processor"]),
        (at(wait_states=1, ways=4), "1 wait state, 4 ways", ["memory", "memory"]),
        (at(size=8192, calls=1000), "8 KiB, 1,000 calls", ["memory", "size"]),
        (at(bytes=16) + at(bytes=3 << 10) + at(bytes=8 << 20), "16, 3K, 8M", ["size"] * 3),
        (between(at(calls=1), at(calls=1024)), "1 to 1,024 calls", ["size"]),
        ("x" + at(core="a, b") + "y" + "", "x, a, b, y", ["other"] * 3),
        (told("lines of # bytes", "memory", 16), "lines of 16 bytes", ["memory"]),
    ],
)
def test_how_a_place_is_told(place: ClaimPlace, text: str, axes: list[Axis]) -> None:
    assert str(place) == text
    assert [part.axis for part in place.parts] == axes


def test_its_rows_have_its_cells() -> None:
    place = at(platform="rv32i", flags="-O2", wait_states=1).of(core=("one", "two"))
    rows = [ROWS[number] for number in place.rows_of(ROWS)]
    assert [(row["core"], row["wait_states"]) for row in rows] == [("one", 1), ("two", 1)]
    assert {row["platform"] for row in rows} == {"rv32i"}
    beside = place.of(core="one").beside(ROWS[0], "platform", "flags", "core")
    assert beside.rows_of(ROWS)[:2] == [0, 1]
    assert len(beside.rows_of(ROWS)) == 1 + 2
    assert place.of(core="one") == place


def test_a_column_that_rows_do_not_have_is_an_error() -> None:
    with pytest.raises(KeyError, match="calls"):
        at(calls=1).rows_of(ROWS)


def test_figures_and_pairs_are_of_the_rows_that_their_places_name() -> None:
    found = pairs(ROWS, "cycles", core=("two", "one"), wait_states=1)
    place = at(platform="rv32i", flags="-O2")
    (kept,) = (one for one in found if one == place)
    named = [ROWS[number] for number in kept.rows_of(ROWS)]
    assert [row["core"] for row in named] == ["one", "two"]
    one, two = (float(str(row["cycles"])) for row in named)
    assert found[place] == Pair(two, one)
    assert figures(named, "cycles", core="one") == {place: one}


def test_two_rows_of_one_place_are_an_error() -> None:
    with pytest.raises(ValueError, match=r"several rows .* have the same platform and flags"):
        figures(ROWS, "cycles", core="one")


def test_every_place_of_stored_claims_has_rows_and_processors_are_known() -> None:
    """A row's platform names a processor: none may be taken for something other."""
    seen = 0
    for one in experiments():
        measured = stored(one)
        rows = [] if measured is None else measured.rows
        names = {str(row["platform"]) for row in rows if row.get("platform")}
        for place in {found for each in judged(one, rows) for found in each.claim.found}:
            assert place.rows_of(rows), (one.name, str(place))
            parts = [part for part in place.parts if part.text in names]
            assert all(part.axis == "processor" for part in parts), (one.name, str(place))
            seen += len(parts)
    assert seen > 100


def test_a_row_gives_a_place() -> None:
    assert in_row(ROWS[0], "platform", "flags", "wait_states") == at(
        platform="arm7tdmi", wait_states=0
    )
