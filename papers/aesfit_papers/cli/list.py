# SPDX-License-Identifier: MIT
"""`aesfit papers list`: all experiments, and whether they have results."""

from aesfit.cli.common import Align, console, print_json, print_table
from aesfit.cli.options import Json

from ..judging.catalog import experiments, results_path
from ..judging.run import listing
from .again import need_extras


def command(json: Json = False) -> None:
    """List all experiments: one for each table, figure or claim."""
    need_extras()
    if json:
        print_json([listing(one) for one in experiments()])
        return
    columns: list[tuple[str, Align]] = [("experiment", "<"), ("results", "<"), ("of", "<")]
    columns += [("what", "<")]  # the last column is folded at the console's width
    rows = [
        (one.name, "yes" if results_path(one.name).is_file() else "no", one.number, one.title)
        for one in experiments()
    ]
    print_table(console(), columns, rows, expendable=("of",))
