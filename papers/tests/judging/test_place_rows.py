# SPDX-License-Identifier: MIT
"""The rows that a place of a stored claim is of are those that decide what is found there."""

import pytest

from aesfit_papers.judging.catalog import experiment_named, names
from aesfit_papers.judging.contract import Experiment, Row
from aesfit_papers.judging.place import ClaimPlace
from aesfit_papers.judging.run import judged, stored
from aesfit_papers.judging.verdict import pair_of


def figures_of(experiment: Experiment, places: list[ClaimPlace]) -> set[str]:
    """Columns with a unit that no place names."""
    named = {name for one in places for cells in (one.cells, *one.others) for name, _ in cells}
    units = {column.name for column in experiment.columns if column.unit}
    return {name for name in units - named if not name.startswith("published")}


def doubled(row: Row, columns: set[str]) -> Row:
    return {
        name: 2 * cell if name in columns and isinstance(cell, int | float) else cell
        for name, cell in row.items()
    }


@pytest.mark.parametrize("name", names())
def test_other_rows_do_not_move_what_is_found(name: str) -> None:
    experiment = experiment_named(name)
    measured = stored(experiment)
    made = judged(experiment, measured.rows) if measured else []
    columns = figures_of(experiment, [place for one in made for place in one.claim.found])
    for at, one in enumerate(made):
        place = list(one.verdict.places or one.claim.found)[-1]
        assert measured is not None
        own = set(place.rows_of(measured.rows))
        rows = [row if order in own else doubled(row, columns)
                for order, row in enumerate(measured.rows)]  # fmt: skip
        found = pair_of(experiment.claims(rows)[at].found[place])
        assert found == pair_of(one.claim.found[place]), (one.claim.sentence, str(place))
