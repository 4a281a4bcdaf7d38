# SPDX-License-Identifier: MIT
"""Pareto fronts: against the definition, over tables, as the command prints them."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from aesfit.choosing.pareto import front

pytest.importorskip("pyarrow")

from aesfit.cli import app
from aesfit.sweep.front import fronts, where
from aesfit.sweep.table import Arrow, table_of, write

Costs = list[tuple[float, ...]]
ROWS: list[dict[str, Any]] = [
    {"core": "ttable1", "calls": 1, "cycles": 700.0, "flash": 2600, "ram": 300},
    {"core": "ttable4", "calls": 1, "cycles": 650.0, "flash": 5700, "ram": 300},
    {"core": "mobile", "calls": 1, "cycles": 4000.0, "flash": 900, "ram": 200},
    {"core": "compact", "calls": 1, "cycles": 4100.0, "flash": 900, "ram": 150},
    {"core": "ttable1", "calls": 64, "cycles": 500.0, "flash": 2600, "ram": 300},
    {"core": "mobile", "calls": 64, "cycles": 3900.0, "flash": 900, "ram": 200},
    {"core": "ttable8", "calls": 64, "error": "does not fit"},
]


def brute(costs: Costs) -> list[int]:
    def beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
        return one != other and all(a <= b for a, b in zip(one, other, strict=True))

    return [at for at, mine in enumerate(costs) if not any(beats(one, mine) for one in costs)]


@given(
    st.integers(1, 4).flatmap(
        lambda places: st.lists(st.tuples(*[st.integers(0, 6)] * places), max_size=40)
    )
)
def test_fronts_are_what_the_definition_says(costs: Costs) -> None:
    assert front(costs) == brute(costs)


@pytest.fixture
def table() -> Arrow:
    return table_of([{"key": str(at), "method": "model", **row} for at, row in enumerate(ROWS)])


@pytest.fixture
def path(tmp_path: Path, table: Arrow) -> Path:
    write(table, tmp_path / "r.parquet")
    return tmp_path / "r.parquet"


def keys(table: Arrow) -> list[int]:
    return [int(key) for key in table.column("key").to_pylist()]


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ("core=ttable1", [0, 4]),
        ("core = ttable1, mobile", [0, 2, 4, 5]),
        ("core!=ttable1", [1, 2, 3, 5, 6]),
        ("calls<=1", [0, 1, 2, 3]),
        ("calls>1", [4, 5, 6]),
        ("cycles<4000", [0, 1, 4, 5]),
        ("cycles=null", [6]),
        ("mode=null", list(range(7))),
        ("error!=null", [6]),
    ],
)
def test_conditions_choose_rows(table: Arrow, condition: str, wanted: list[int]) -> None:
    assert keys(where(table, condition)) == wanted


def test_groups_have_fronts_of_their_own(table: Arrow) -> None:
    found = fronts(where(table, "error=null"), ("cycles", "flash"), ("calls",))
    assert [(one.by, one.points) for one in found] == [({"calls": 1}, 4), ({"calls": 64}, 2)]
    assert [[row["core"] for row in one.rows] for one in found] == [
        ["ttable4", "ttable1", "mobile"],
        ["ttable1", "mobile"],
    ]


def run(*arguments: str) -> Any:  # noqa: ANN401 - a Result of Click
    return CliRunner().invoke(app, ["sweep", "front", *arguments])


def test_the_command_prints_json(path: Path) -> None:
    done = run(str(path), "--x", "cycles", "--y", "flash", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["x"], found["y"], found["points"], found["without_figures"]) == (
        *("cycles", "flash"),
        *(6, 1),
    )
    (only,) = found["fronts"]
    assert only["by"] == {}
    assert [(row["cycles"], row["flash"]) for row in only["rows"]] == [(500, 2600), (3900, 900)]


def test_the_command_prints_the_rows_of_its_fronts_as_csv(path: Path) -> None:
    asked = (str(path), "--x", "cycles", "--y", "flash")
    told = json.loads(run(*asked, "--json").stdout)
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--csv").stdout)))
    wanted = [row for front in told["fronts"] for row in front["rows"]]
    assert list(rows[0])[:2] == ["cycles", "flash"]
    assert [float(row["cycles"]) for row in rows] == [row["cycles"] for row in wanted]


def test_the_command_prints_a_table(path: Path) -> None:
    done = run(
        *(str(path), "--x", "cycles", "--y", "flash", "--z", "ram", "--where", "calls=1"),
    )
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["cycles", "flash", "ram", "core"]
    assert [line.split()[-1] for line in lines[1:5]] == ["ttable4", "ttable1", "mobile", "compact"]
    assert lines[5] == "4 of 4 designs are on the front of cycles, flash, ram."


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_plots_are_the_same_for_the_same_figures(path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    pictures = [path.with_name(f"{name}{suffix}") for name in ("a", "b")]
    for picture in pictures:
        done = run(
            *(str(path), "--x", "cycles", "--y", "flash", "--z", "ram", "--by", "calls"),
            *("--plot", str(picture)),
        )
        assert done.exit_code == 0, done.output
    first, second = (picture.read_bytes() for picture in pictures)
    assert first == second
    if suffix == ".svg":
        for word in (b"ttable4", b"calls 64", b"cycles", b"flash (bytes)"):
            assert word in first


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--x", "cycle", "--y", "flash"], 2, "the nearest is 'cycles'"),
        (["--x", "core", "--y", "flash"], 2, "holds no numbers"),
        (["--x", "flash", "--y", "flash"], 2, "name different columns"),
        (["--x", "cycles", "--y", "flash", "--where", "core"], 2, "is not a condition"),
        (["--x", "cycles", "--y", "flash", "--where", "calls=a"], 2, "'a' is not one"),
        (["--x", "cycles", "--y", "flash", "--where", "calls<1" + 20 * "0"], 2, "as large as"),
        (["--x", "cycles", "--y", "flash", "--where", "calls=1" + 20 * "0"], 2, "as large as"),
        (["--x", "cycles", "--y", "flash", "--by", "calling"], 2, "the nearest is 'calls'"),
        (["--x", "cycles", "--y", "flash", "--plot", "a.pdf"], 2, ".svg"),
        (["--x", "cycles", "--y", "luts"], 1, "no selected design has figures"),
    ],
)
def test_mistakes_are_told(path: Path, arguments: list[str], code: int, words: str) -> None:
    done = run(str(path), *arguments)
    assert done.exit_code == code
    told = done.stderr if code == 2 else str(done.exception)
    assert words in " ".join(told.replace("│", " ").split())


def test_files_that_are_no_tables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "no.parquet"
    assert run(str(path), "--x", "cycles", "--y", "flash").exit_code == 2
    for content in (b"", b"PAR1 and so on"):
        path.write_bytes(content)
        done = run(str(path), "--x", "cycles", "--y", "flash")
        assert done.exit_code == 1
        assert isinstance(done.exception, ValueError)
