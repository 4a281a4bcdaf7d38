# SPDX-License-Identifier: MIT
"""The rows that a claim is judged on: named by its places, and moving its figures."""

from collections.abc import Sequence

import pytest

from aesfit_papers.judging.contract import Claim, Pair, Row
from aesfit_papers.judging.rows_of import rows_of

ROWS: list[Row] = [
    {"platform": name, "flags": level, "core": core, "wait_states": wait, "cycles": 100 + at,
     "published_ms": 7}
    for at, (name, level, core, wait) in enumerate(
        (name, level, core, wait) for name in ("arm7tdmi", "rv32i") for level in (None, "-O2")
        for core in ("one", "two", "three") for wait in (0, 1))
]  # fmt: skip


def _cycles(rows: Sequence[Row], core: str, **wanted: object) -> list[float]:
    return [float(str(row["cycles"])) for row in rows if row["core"] == core
            and all(row[name] == value for name, value in wanted.items())]  # fmt: skip


def claims(rows: Sequence[Row]) -> list[Claim]:
    ratios = {
        f"{name}, -O2, 1 wait state": Pair(
            _cycles(rows, "one", platform=name, flags="-O2", wait_states=1)[0],
            _cycles(rows, "two", platform=name, flags="-O2", wait_states=1)[0],
        )
        for name in ("arm7tdmi", "rv32i")
    }
    most = {"rv32i": max(_cycles(rows, "three", platform="rv32i", flags="-O2"))}
    many = {"arm7tdmi": float(len(_cycles(rows, "one", platform="arm7tdmi")))}
    return [
        Claim("As fast.", "equal", ratios),
        Claim("At most.", "at most", most, 300),
        Claim("So many.", "exact", many, 4),
    ]


def named(at: int, place: str) -> list[Row]:
    found = rows_of(ROWS, claims, {at: [place]})[at][place]
    return [ROWS[one] for one in found]


@pytest.mark.parametrize("platform", ["arm7tdmi", "rv32i"])
def test_rows_are_of_the_place_and_of_what_the_claim_compares(platform: str) -> None:
    found = named(0, f"{platform}, -O2, 1 wait state")
    assert [(row["platform"], row["flags"], row["core"], row["wait_states"]) for row in found] == [
        (platform, "-O2", core, 1) for core in ("one", "two")
    ]


def test_rows_behind_a_maximum_remain() -> None:
    found = named(1, "rv32i")
    assert [(row["core"], row["flags"], row["wait_states"]) for row in found] == [
        ("three", "-O2", 0),
        ("three", "-O2", 1),
    ]


def test_where_rows_are_only_counted_all_that_the_place_names_remain() -> None:
    assert named(2, "arm7tdmi") == [row for row in ROWS if row["platform"] == "arm7tdmi"]


def test_a_cell_may_hold_several_parts_and_no_row_need_have_all() -> None:
    rows: list[Row] = [{"place": place, "cycles": 1.0} for place in ("a, -O2", "a, -O3", "b")]

    def made(rows: Sequence[Row]) -> list[Claim]:
        found = {str(row["place"]): float(str(row["cycles"])) for row in rows}
        return [Claim("One.", "at least", {**found, "b, -O2": found["b"]}, 1.0)]

    assert rows_of(rows, made, {0: ["a, -O2", "b, -O2"]}) == {0: {"a, -O2": [0], "b, -O2": [2]}}


def test_several_claims_at_once_have_the_rows_of_each_alone() -> None:
    wanted = {0: ["rv32i, -O2, 1 wait state"], 1: ["rv32i"]}
    assert rows_of(ROWS, claims, wanted) == {
        at: rows_of(ROWS, claims, {at: places})[at] for at, places in wanted.items()
    }
