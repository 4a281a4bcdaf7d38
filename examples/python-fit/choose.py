# SPDX-License-Identifier: MIT
"""Which of two cores for CCM packets on a Cortex-M3; all figures go to a CSV file."""

import csv
import sys
from pathlib import Path

import aesfit


def main() -> None:
    """Ask, print the ranking, write the table."""
    answer = aesfit.fit(
        platform="cortex-m3",
        mode="ccm",
        payload_bytes=64,
        max_flash_bytes=8192,
        cores=("ttable1", "fixslice"),
    )
    for one in answer.choice.ranking:
        print(f"{one.rank}. {one.name}: {one.row.timing} ({one.row.evidence or 'no evidence'})")
    for left in answer.choice.dropped:
        print(f"   {left.core}: {left.reason}")
    if answer.choice.winner is None:
        sys.exit(answer.sentence)
    with Path("rows.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(answer.rows[0]))
        table.writeheader()
        table.writerows(answer.rows)


if __name__ == "__main__":
    try:
        main()
    except aesfit.RigUnavailableError as error:
        sys.exit(f"something is missing: {error}")
