# SPDX-License-Identifier: MIT
"""Write the tables of docs/cache-inverse.md: python tools/make_inverse_table.py [PLATFORM ...].

Caches are hidden from the inverse of the cache model and inferred from simulated times; then from
published times.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from aesfit.cachemodel.inverse import BurstTimes, Inferred, infer
from aesfit.cachemodel.validation.blind import FIELDS, UNSEEN, BlindTrial, blind
from aesfit.cachemodel.validation.compare import GEOMETRIES, geometry
from aesfit.cachemodel.versions import versions
from aesfit.cli.predict_infer import accepted, sentences
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import counted
from aesfit_papers.file_bench.javed import CBC, FINAL, V1

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cache-inverse.md"
PLATFORMS = ("arm920t", "arm9-cached", "hexagon", "vexriscv-cached", "vexriscv-small")
_MANY = ("arm920t", "hexagon")
"""Platforms that also have the caches of UNSEEN in place of their own."""


def _cells(found: Inferred) -> list[str]:
    if found.poor:
        return ["nothing"] * 4
    low, high = found.penalty
    return [*(accepted(found, name) for name in FIELDS[:3]), f"{low:.1f} to {high:.1f}"]


def _row(one: BlindTrial) -> str:
    missed = [name for name in FIELDS if not one.inside(name)]
    cells = [one.platform, geometry(one.cache), f"{one.penalty:g}", *_cells(one.found)]
    return f"| {' | '.join([*cells, f'{one.found.misfit:.2g}', ', '.join(missed)])} |"


def _counts(trials: Sequence[BlindTrial]) -> str:
    told = [one for one in trials if not one.found.poor]
    inside = {name: sum(one.inside(name) for one in told) for name in FIELDS}
    single = {
        name: sum(one.found.values(name) == (getattr(one.cache, name),) for one in told)
        for name in FIELDS[:3]
    }
    counted_ = ", ".join(f"{name} {inside[name]}" for name in FIELDS)
    exactly = ", ".join(f"{name} {many}" for name, many in single.items())
    known = sum(geometry(one.cache) in GEOMETRIES for one in trials)
    return (
        f"Of {len(trials)} caches ({known} of a shape that the tolerances were chosen on) "
        f"{len(told)} are answered; the answer contains the truth for: "
        f"{counted_}; it is the true value alone for: {exactly}."
    )


def tables(trials: dict[bool, list[BlindTrial]]) -> Iterator[str]:
    """Both tables, E known and not, and their counts."""
    columns = ("platform", "hidden cache", "penalty", "lines", "size", "ways", "a miss costs")
    for known, some in trials.items():
        yield f"With E {'known (`--known-cycles`)' if known else 'unknown'}:\n"
        yield f"| {' | '.join(columns)} | misfit | not contained |"
        yield "|---|---|--:|---|---|---|---|--:|---|"
        yield from map(_row, some)
        yield f"\n{_counts(some)}\n"


def _javed() -> str:
    """CBC over 16 bytes to 8 MiB, the minima in ms."""
    target, calls = platform_named("arm7tdmi"), tuple(size // 16 for size in CBC)
    times = {
        FINAL: [one.final_min for one in CBC.values()],
        V1: [one.v1_min for one in CBC.values()],
    }
    bursts = [
        BurstTimes(core, calls, tuple(some), (0.0,) * len(some)) for core, some in times.items()
    ]
    found = infer(bursts, versions(target, list(times)))
    return f"Javed, table 3 (minima in ms): {'; '.join(sentences(found))}."


def main() -> None:
    """Write the page anew."""
    trials: dict[bool, list[BlindTrial]] = {}
    for known in (True, False):
        trials[known] = []
        for name in sys.argv[1:] or PLATFORMS:
            target = counted(platform_named(name))
            print(f"{name}, E {'known' if known else 'unknown'}", file=sys.stderr)
            many = UNSEEN if name in _MANY else ()
            trials[known] += blind(target, many, known_cycles=known)
    made = "\n".join([*tables(trials), _javed()])
    page = PAGE.read_text(encoding="utf-8")
    begin, end = "<!-- trials: begin -->", "<!-- trials: end -->"
    inside = f"{re.escape(begin)}.*?{re.escape(end)}"
    new = re.sub(inside, lambda _: f"{begin}\n\n{made}\n\n{end}", page, flags=re.DOTALL)
    PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
