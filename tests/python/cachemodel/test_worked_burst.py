# SPDX-License-Identifier: MIT
"""The worked burst of docs/cache-model.md says what the equations give."""

import re

from places import ROOT

from aesfit.cachemodel.equations import expected_misses

PENALTY, TABLE_LINES, SBOX_LINES = 17, 64, 16
TABLE_READS, SBOX_READS = 36, 16


def stalls(first: int, last: int) -> float:
    """Cycles that misses cost from one call to another, both counted."""
    lines = ((4, TABLE_LINES, TABLE_READS), (1, SBOX_LINES, SBOX_READS))
    return PENALTY * sum(
        tables * float(expected_misses(k, reads * last) - expected_misses(k, reads * (first - 1)))
        for tables, k, reads in lines
    )


def test_the_page_has_these_figures() -> None:
    page = (ROOT / "docs" / "cache-model.md").read_text(encoding="utf-8")
    worked = page.partition("## One burst, worked")[2].partition("## Symbols")[0]
    told = [int(one.replace(",", "")) for one in re.findall(r"([\d,]+) cycles", worked)]
    one_table = PENALTY * float(expected_misses(SBOX_LINES, 160 * 8))
    computed = [stalls(1, 1), stalls(2, 2), stalls(8, 8), stalls(1, 8)]
    assert told == [PENALTY, *map(round, computed)]
    assert f"a block, spends {round(one_table)}: it misses all 16 lines" in worked
