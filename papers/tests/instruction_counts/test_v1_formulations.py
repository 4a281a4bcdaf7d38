# SPDX-License-Identifier: MIT
"""V1 of Javed in the standard formulation: alone as in table 1, in CBC as in table 3."""

from collections.abc import Sequence

import pytest

from aesfit.platforms.find import platform_named
from aesfit_papers.file_bench.question import source
from aesfit_papers.instruction_counts.v1_formulations import (
    FORMULATIONS,
    block_cycles,
    chained_cycles,
)
from aesfit_papers.judging.catalog import experiment_named
from aesfit_papers.judging.contract import Row
from aesfit_papers.judging.run import stored

LEVEL = ("-O2",)


def rows(name: str) -> Sequence[Row]:
    measured = stored(experiment_named(name))
    assert measured is not None
    return measured.rows


@pytest.mark.parametrize("name", FORMULATIONS)
def test_stored_rows_follow_from_the_code(name: str) -> None:
    """Every output is compared with the library's, or it is refused."""
    platform = platform_named("arm7tdmi")
    (alone,) = (row for row in rows("mobile_table_1")
                if (row["platform"], row["flags"]) == (platform.name, *LEVEL))  # fmt: skip
    assert block_cycles(platform, LEVEL, name) == alone[name]
    with source(None, 32) as data:
        found = chained_cycles(platform, LEVEL, name, [data.data[:16], data.data])
    kept = {row["bytes"]: row[name] for row in rows("mobile_table_3") if row["flags"] == "-O2"}
    assert found == {16: kept[16], 32: kept[32]}
