# SPDX-License-Identifier: MIT
from pathlib import Path

import pytest

from aesfit_papers.judging import results
from aesfit_papers.judging.catalog import experiment_named
from aesfit_papers.judging.contract import PAPERS, Column, Experiment, Measured, Value

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
