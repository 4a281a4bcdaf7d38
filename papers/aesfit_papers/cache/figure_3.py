# SPDX-License-Identifier: MIT
"""Figure 3 draws the time of a call over the length of a burst, T(i) / i, of the four versions.

Ours: the same by the model, on the Lx with the published coefficients and on two processors that
run with their own: a VLIW behind the Lx's data cache (`hexagon`) and an ARM9 behind its own caches
(`arm920t`), each at three levels of the compiler with lines of 16 and of 32 bytes.

What differs: the figure's values are not printed, but its coefficients are, so that the curves of
the Lx are the paper's but for the penalty of a miss, which is recovered.  On the other two the
model adds misses of input, output, keys and stack, and on the ARM9 those of code, which the paper
leaves out or holds in its coefficients.
"""

from collections.abc import Callable, Mapping, Sequence

from aesfit.jobs.job import Progress
from aesfit_papers.judging.cache import (
    EVERY,
    LINES,
    LX,
    VERSIONS,
    judged,
    predicted,
    rests_on,
    shown,
)
from aesfit_papers.judging.cells import figure, placed
from aesfit_papers.judging.charts import ChartLine, ChartPanel, Scale, lines, panels
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    Row,
    Words,
)
from aesfit_papers.judging.place import ClaimPlace, at, between, in_row
from aesfit_papers.judging.tables import table

NUMBER = "Figure 3"
TITLE = "Time of a call over the length of a burst"
_NAMES = tuple(VERSIONS.values())
COLUMNS = (
    Column("place"),
    Column("line", "B"),
    Column("calls", "calls"),
    *(Column(name, "cycles") for name in _NAMES),
    Column("best"),
)
FAST = False
_CALLS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
_SHOWN = (1, 4, 16, 64, 256, 1024)


def rows(progress: Progress) -> Measured:
    """Some lengths of burst in each place."""
    made: list[Row] = []
    for place in EVERY:
        for line in LINES:
            answer = predicted(place, line)
            for calls in _CALLS:
                each = {name: answer.at(core, calls) for core, name in VERSIONS.items()}
                best = next(one for one in answer.best if one.first <= calls <= one.last)
                made.append(
                    {
                        "place": place,
                        "line": line,
                        "calls": calls,
                        **each,
                        "best": VERSIONS[best.core],
                    }
                )
    return Measured(made, rests_on(EVERY))


def _ahead(row: Row, version: str) -> Pair:
    """Cycles a call of the best of the others, against that version's."""
    others = min(figure(row[name]) for name in _NAMES if name != version)
    return Pair(others, figure(row[version]))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Short bursts, long bursts, and that there is no best for all.

    Whether AES6 is the best in long bursts follows from its cycles without misses, and is judged
    once: in Section 5, coefficients.
    """
    rows = judged(rows)
    return [_short(rows), _long(rows), _no_best(placed(rows, "place", "line"))]


def _short(rows: Sequence[Row]) -> Claim:
    found, longer = _by_calls(rows, lambda row: _ahead(row, "AEST"), _CALLS[0])
    return Claim(
        "In short bursts the version with the smallest tables, AEST, is the best (one call: "
        "cycles of the next, against its own; longer bursts are shown and not judged).",
        "order",
        found,
        shown=longer,
    )


def _long(rows: Sequence[Row]) -> Claim:
    found, shorter = _by_calls(rows, _aest_against_others, _CALLS[-1])
    return Claim(
        "In long bursts each version with larger tables than AEST is better than AEST (1,024 "
        "calls: cycles a call of AEST, against the slowest of them; shorter bursts are shown and "
        "not judged).",
        "order",
        found,
        shown=shorter,
    )


def _aest_against_others(row: Row) -> Pair:
    return Pair(figure(row["AEST"]), max(figure(row[one]) for one in _NAMES[1:]))


def _by_calls(
    rows: Sequence[Row], pair: Callable[[Row], Pair], length: int
) -> tuple[dict[ClaimPlace, Pair], frozenset[ClaimPlace]]:
    """A pair for each burst, and the places of all bursts but those of that length."""
    places = [(in_row(row, "place", "line", "calls"), row) for row in rows]
    others = frozenset(place for place, row in places if row["calls"] != length)
    return {place: pair(row) for place, row in places}, others


def _no_best(places: Mapping[ClaimPlace, Sequence[Row]]) -> Claim:
    every = between(at(calls=_CALLS[0]), at(calls=_CALLS[-1]))
    return Claim(
        "No version is the best for all lengths of burst (versions that are the best "
        "somewhere, more than one).",
        "order of counts",
        {
            name + every: Pair(len({row["best"] for row in some}), 1)
            for name, some in places.items()
        },
    )


def _follows(rows: Sequence[Row]) -> str:
    """Whether AES6 is the best in long bursts, which its cycles without misses decide."""
    last = [row for row in judged(rows) if row["place"] != LX and row["calls"] == _CALLS[-1]]
    best = sum(row["best"] == "AES6" for row in last)
    return (
        f"In bursts of {at(calls=_CALLS[-1])} AES6, the version with the largest tables, is the "
        f"best in {best} of {len(last)} places on the processors that run. This follows from the "
        "claim `cache_coefficients:6` and is not counted again: where a call of AES6 takes no "
        "fewer cycles than one of AES4 even without misses, no burst is long enough to pay for its "
        "further lines. On the Lx the penalty of a miss was recovered from the length at which "
        "AES6 becomes the best."
    )


def _curves(rows: Sequence[Row], *, over_best: bool) -> list[ChartLine]:
    found = []
    for name in _NAMES:
        base = [min(figure(row[one]) for one in _NAMES) if over_best else 1.0 for row in rows]
        points = [
            (figure(row["calls"]), figure(row[name]) / unit)
            for row, unit in zip(rows, base, strict=True)
        ]
        found.append(ChartLine(name, points))
    return found


def render(rows: Sequence[Row]) -> list[Part]:
    """The paper's figure, all places relative to the best, and some values."""
    places = placed(shown(rows), "place", "line")
    across = Scale("calls in a burst", log=True, base=2)
    paper = [row for row in rows if row["place"] == LX and row["line"] == LINES[0]]
    drawn = lines(
        _curves(paper, over_best=False),
        across,
        Scale("cycles of a call", log=True),
        marks=((45, "45"), (680, "680")),
    )
    relative = panels(
        [ChartPanel(str(name), _curves(some, over_best=True)) for name, some in places.items()],
        across,
        Scale("over the best", log=True, base=2, limits=(0.95, 4.4)),
    )
    columns = [("processor", "place"), ("line", "line"), ("calls", "calls")]
    columns += [*((name, name) for name in _NAMES), ("best", "best")]
    some = [row for row in shown(rows) if row["calls"] in _SHOWN]
    return [
        Figure(
            "The Lx, lines of 16 bytes, with the published crossovers",
            drawn,
            ".svg",
            "Falling curves; AEST is lowest up to 45 calls, then AES4, from 680 on AES6.",
        ),
        Figure(
            "Time over that of the best version",
            relative,
            ".svg",
            "Six panels: AEST is at 1 in short bursts and versions with tables in long ones.",
        ),
        Words(_follows(rows)),
        table("Cycles of a call, on average over the burst", some, columns),
    ]
