# SPDX-License-Identifier: MIT
"""A folder of made-up experiments, in place of the project's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aesfit_papers.judging import catalog

SOURCE = '''# SPDX-License-Identifier: MIT
"""Table 9 shows <nothing> of `this`.

Ours: made up.

What differs: all.
"""

from aesfit_papers.judging import charts, tables
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Words
from aesfit_papers.judging.place import at

NUMBER, TITLE, FAST = "Table 9", "Nothing & more", True
COLUMNS = (Column("core"), Column("cycles", "cycles"), Column("published", "cycles"){timed})


def rows(progress):
    progress(1, 1)
    {failure}
    made = [{{"core": core, "cycles": {cycles} + at, "published": 10}}
            for at, core in enumerate(("a", "b"))]
    return Measured([{{**row{time}}} for row in made], ("gcc <12>", "aesfit 0"))


def claims(rows):
    found = {{at(core=row["core"]): row["cycles"] / row["published"] for row in rows}}
    return [Claim("As fast.", "at most", found, 1.0, cause="compiler or processor",
                  why="b is > a."),
            Claim("Faster.", "order", {{at(core="a"): Pair(2.0, 1.0)}})]


def render(rows):
    bars = charts.Bars("ours", [row["cycles"] for row in rows], [10, None])
    return [
        Words("It is a < b."),
        tables.beside("Cycles", rows, [("core", "core")], [("block", "cycles", "published")],
                      note="A note."),
        Figure("Bars", charts.bars(["a", "b"], [bars], charts.Scale("cycles")), ".svg", "a & b"),
    ]
'''


def write(
    folder: Path,
    name: str,
    *,
    cycles: int = 10,
    timed: bool = False,
    failure: str = "",
) -> None:
    """An experiment, named by its paper and file; `failure`: the error that its rows() raises."""
    column, time = ("", "")
    if timed:
        column, time = ', Column("time", "s", exact=False)', ', "time": 0.5'
    text = SOURCE.format(
        cycles=cycles,
        timed=column,
        time=time,
        failure=f"raise RuntimeError({failure!r})" if failure else "",
    )
    paper, _, file = name.partition("_")
    (folder / paper).mkdir(exist_ok=True)
    (folder / paper / f"{file}.py").write_text(text, encoding="utf-8")
    forget()


def forget() -> None:
    """Forget loaded modules, so that changed files are loaded again."""
    catalog.experiments.cache_clear()
    catalog._load.cache_clear()


@contextmanager
def used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in place of papers/aesfit_papers/."""
    monkeypatch.setattr(catalog, "folder", lambda: folder)
    forget()
    yield folder
    forget()
