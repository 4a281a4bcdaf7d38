# SPDX-License-Identifier: MIT
"""`aesfit papers list`: all experiments, and whether they have results by gcc and by clang."""

from collections.abc import Sequence

from aesfit.cli.common import Align, console, print_json, print_table
from aesfit.cli.options import Json

from ..judging.catalog import experiments, results_path
from ..judging.flips import not_rebuilt, of_other_sources
from ..judging.rebuilt import CLANG
from ..judging.run import listing
from .again import need_extras

EPILOG = (
    "by clang: results of the same experiment built by clang (run NAME --clang); other sources: "
    "rows by gcc and by clang were made from different sources, so make the older ones again."
)


def command(json: Json = False) -> None:
    """List all experiments: one for each table, figure or claim."""
    need_extras()
    every = experiments()
    if json:
        print_json([listing(one) for one in every])
        return
    columns: list[tuple[str, Align]] = [("experiment", "<"), ("results", "<"), ("by clang", "<")]
    columns += [("of", "<"), ("what", "<")]  # the last column is folded at the console's width
    lacking, apart = not_rebuilt(every), of_other_sources(every)
    rows = [
        (
            one.name,
            "yes" if results_path(one.name).is_file() else "no",
            _by_clang(one.name, lacking, apart),
            one.number,
            one.title,
        )
        for one in every
    ]
    print_table(console(), columns, rows, expendable=("of",))


def _by_clang(name: str, lacking: Sequence[str], apart: Sequence[str]) -> str:
    if name in apart:
        return "other sources"
    if results_path(name, CLANG).is_file():
        return "yes"
    return "no" if name in lacking else ""
