# SPDX-License-Identifier: MIT
from collections.abc import Mapping
from pathlib import Path

import pytest

from aesfit.papers import results
from aesfit.papers.catalog import experiment_named
from aesfit.papers.contract import PAPERS, Claim, Column, Experiment, Measured, Value
from aesfit.papers.verdict import judge, met

COLUMNS = (Column("core"), Column("cycles", "cycles"), Column("time", "s", exact=False))
ROWS: list[dict[str, Value]] = [
    {"core": "a", "cycles": 7, "time": 0.25},
    {"core": "b", "cycles": None, "time": 1e-9},
]
EXPERIMENT = Experiment(
    "made_up",
    PAPERS["cache"],
    "Table 9",
    "Nothing",
    "",
    COLUMNS,
    True,
    lambda progress: Measured(ROWS, ()),
    lambda rows: [],
    lambda rows: [],
)


def claim(kind: str, found: Mapping[str, float], published: float | None = None) -> Claim:
    return Claim("Made up.", kind, found, published)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "published", "found", "holds"),
    [
        ("order", None, 0.001, True),
        ("order", None, 0.0, False),
        ("order", None, -1.0, False),
        ("ratio", 4.0, 5.0, True),
        ("ratio", 4.0, 3.0, True),
        ("ratio", 4.0, 5.01, False),
        ("ratio", -4.0, -3.0, True),
        ("ratio", -4.0, 4.0, False),
        ("at least", 3.0, 3.0, True),
        ("at least", 3.0, 2.99, False),
        ("at most", 3.0, 3.0, True),
        ("at most", 3.0, 3.01, False),
    ],
)
def test_what_meets_a_claim(kind: str, published: float | None, found: float, holds: bool) -> None:
    assert met(claim(kind, {}, published), found) is holds


def test_verdicts() -> None:
    assert judge(claim("order", {"a": 1, "b": 2})).word == "holds"
    partly = judge(claim("order", {"a": 1, "b": -2}))
    assert (partly.word, partly.met, partly.missed) == ("holds in part", ("a",), ("b",))
    assert judge(claim("order", {"a": -1})).word == "does not hold"


def test_what_cannot_be_judged() -> None:
    with pytest.raises(ValueError, match="nothing was found"):
        judge(claim("order", {}))
    with pytest.raises(ValueError, match="needs a published value"):
        judge(claim("ratio", {"a": 1}))


def test_results_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "made_up.csv"
    path.write_bytes(results.write(COLUMNS, Measured(ROWS, ("gcc 12", "# odd"))))
    assert results.read(path) == Measured(ROWS, ("gcc 12", "# odd"))
    with pytest.raises(ValueError, match="has the columns"):
        results.write(COLUMNS, Measured([{"core": "a"}], ()))


def test_only_exact_columns_are_compared() -> None:
    later = [{**row, "time": 3.0} for row in ROWS]
    assert results.differences(EXPERIMENT, ROWS, later) == []
    later[1]["cycles"] = 8
    told = results.differences(EXPERIMENT, ROWS, later)
    assert told == ["made_up, row 2: cycles is stored as None and is now 8"]
    assert results.differences(EXPERIMENT, ROWS, later[:1]) == [
        "made_up: 2 rows are stored and 1 were measured"
    ]


def test_unknown_experiments() -> None:
    with pytest.raises(ValueError, match="experiment"):
        experiment_named("no_such_thing")
