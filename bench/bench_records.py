# SPDX-License-Identifier: MIT
"""Print cores in assembly with their goals, and every best published figure with ours beside it.

Questions and published figures are data in records.toml; figures on silicon are those of
tests/evidence/published.toml.  Ours are those of `aesfit measure` at zero wait states.  A row is
left out while its core or its GHASH multiplier is not in the library; one that misses its goal says
so, with the limit by counting, and is no error.  Rows without a goal are the fastest core of the
library beside the best figure that anybody published for that work (best_published.py).
"""

import argparse
import json
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from best_published import BLOCK, Published, best, fastest, sets

import aesfit
from aesfit.building.sources import registered
from aesfit.jobs.job import Row

RECORDS = Path(__file__).with_name("records.toml")


@dataclass(frozen=True)
class RecordRow:
    """A row of the table."""

    name: str
    """Name of the core or the GHASH multiplier."""
    platform: str
    key_bits: int
    what: str
    unit: str
    ours: float
    goal: float | None
    published: float | None
    by: str
    rule: str
    limit: float | None
    counted: str

    @property
    def met(self) -> bool:
        """Whether the goal is met."""
        return self.goal is None or self.ours <= self.goal

    @property
    def best(self) -> bool:
        """Whether nobody published a better figure."""
        return self.published is None or self.ours <= self.published


def records() -> list[dict[str, Any]]:
    """All records."""
    found: list[dict[str, Any]] = tomllib.loads(RECORDS.read_text(encoding="utf-8"))["record"]
    return found


def is_here(record: Mapping[str, Any]) -> bool:
    """Whether the library has the core or multiplier of the record."""
    ghash = record.get("ghash")
    return record["core"] in registered("cores") and (ghash is None or ghash in registered("ghash"))


def published(record: Mapping[str, Any]) -> Published | None:
    """The best figure of others; None if there is none."""
    if "silicon" in record:
        return on_silicon(record["silicon"])
    if "published" not in record:
        return None
    return Published(record["published"], record["by"], record["rule"])


def on_silicon(wanted: Mapping[str, str]) -> Published:
    """The figure from published.toml, per byte or per block as in its source."""
    ((one, routine),) = [
        (one, routine)
        for one in sets()
        if one["source"].startswith(wanted["source"])
        and one["platform"] == wanted["platform"]
        and one["tables"] == wanted.get("tables", one["tables"])
        for routine in one["routines"]
        if routine["call"].split()[0] == wanted["call"] and routine["key_bits"] == 128
    ]
    blocks = routine["does"] == "ctr"  # its units are blocks, the row's are bytes
    value = routine["cycles"] / BLOCK if blocks else routine["cycles"]
    return Published(round(value, 1), one["source"], f"on silicon: {one['chip']}, no wait states")


def measured(record: Mapping[str, Any], core: str, **message: Any) -> Row:  # noqa: ANN401
    """A row of `aesfit measure`; exits with the reason and code 1 if it cannot be measured."""
    answer = aesfit.measure(record["platform"], cores=core, **message)
    if answer.refused:
        sys.exit(f"bench_records: {answer.refused[0]}")
    return answer.measured[0]


def figure(record: Mapping[str, Any], core: str) -> float:
    """Our figure, in the record's unit."""
    what = record["what"]
    if what in ("encrypt", "decrypt"):
        row = measured(record, core, ops=f"{what}-block")
        if record["unit"] == "c/B":
            return round(row.cycles_per_byte or 0, 1)
        return row.cycles * BLOCK / row.bytes
    message = {"ops": "encrypt", "payload_bytes": record["bytes"]}
    ctr = measured(record, core, mode="ctr", **message)
    if what == "ctr":
        return per_byte(ctr.cycles, record)
    gcm = measured(record, core, mode="gcm", ghash=record["ghash"], **message)
    return per_byte(gcm.cycles - ctr.cycles, record)


def per_byte(cycles: float, record: Mapping[str, Any]) -> float:
    """Payload bytes of a record's message."""
    return round(cycles / int(record["bytes"]), 1)


def answered(record: Mapping[str, Any]) -> RecordRow:
    """The row of a record."""
    goal, other = record["goal"], published(record)
    if isinstance(goal, dict):
        goal = round(goal["times"] * figure(record, goal["of"]), 1)
    return RecordRow(
        name=record.get("ghash", record["core"]),
        platform=record["platform"],
        key_bits=128,
        what=record["what"],
        unit=record["unit"],
        ours=figure(record, record["core"]),
        goal=goal,
        published=other.value if other else None,
        by=other.by if other else "",
        rule=other.rule if other else "",
        limit=record.get("limit"),
        counted=record.get("counted", ""),
    )


def beside_others() -> list[RecordRow]:
    """The fastest core of the library beside each best published figure."""
    found = []
    for one in best():
        core, ours = fastest(one)
        work = (core, one.platform, one.key_bits, one.what, one.unit)
        other = one.published
        found.append(
            RecordRow(*work, ours, None, other.value, other.by, other.rule, limit=None, counted="")
        )
    return found


def beaten(rows: list[RecordRow]) -> str:
    """How many of the best published figures the library beats, as a sentence."""
    known = [row for row in rows if row.goal is None]
    many = sum(row.best for row in known)
    return (
        "Our modelled cycles are no more than the best that others measured on silicon in "
        f"{many} of {len(known)} works."
    )


def table(rows: list[RecordRow]) -> str:
    """The rows as lines of text, with notes on how others measured."""
    sources = list(dict.fromkeys(f"{row.by}: {row.rule}" for row in rows if row.by))
    wide = max(len(row.name) for row in rows)
    head = f"{'':{wide}} {'':14}{'key':>5} {'':12}{'ours':>8}{'goal':>8}{'others':>8}"
    lines = [head]
    for row in rows:
        goal, other = (
            "none" if one is None else number(row, one) for one in (row.goal, row.published)
        )
        note = f"({sources.index(f'{row.by}: {row.rule}') + 1})" if row.by else ""
        figures = f"{number(row, row.ours):>8}{goal:>8}{other:>8} {note:4}"
        line = f"{row.name:{wide}} {row.platform:14}{row.key_bits:>5} {row.what:12}{figures} "
        line += f"{row.unit:7}"
        lines.append(f"{line}{verdict(row)}".rstrip())
    lines += [f"({at}) {source}" for at, source in enumerate(sources, start=1)]
    return "\n".join(lines)


def number(row: RecordRow, value: float) -> str:
    """Format a figure with the precision of its unit."""
    return f"{value:.1f}" if row.unit == "c/B" else f"{value:,.0f}"


def verdict(row: RecordRow) -> str:
    """A note for a row that misses its goal, or is not the best."""
    words = []
    if not row.met:
        words.append("misses its goal")
        if row.limit is not None:
            words.append(f"limit {row.limit:g} ({row.counted})")
    if not row.best:
        words.append("others are faster")
    return "; ".join(words)


def main() -> None:
    """Answer every record that the library can."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    rows = [*(answered(one) for one in records() if is_here(one)), *beside_others()]
    if options.json:
        told = [{**asdict(row), "met": row.met, "best": row.best} for row in rows]
        print(json.dumps(told, indent=2))
    else:
        print(table(rows))
        print(beaten(rows))


if __name__ == "__main__":
    main()
