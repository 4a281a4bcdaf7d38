# SPDX-License-Identifier: MIT
"""Figure 4 holds estimated against simulated times of a call, T(i) / i, of all four versions.

Ours: the same on two processors that run, a VLIW (`hexagon`) and an ARM9 (`arm920t`), behind the
paper's data cache: 16 KiB, 4 ways, lines of 16 and of 32 bytes, empty at the start.  The simulator
follows every address through the caches; each point is the mean of 12 keys and texts other than
those that gave E and c, in bursts of 1 to 1000 calls.

What differs: the processors, and that lines of 32 bytes are simulated too, which the paper only
predicts.  The figure's points are not printed; its text calls the error near to zero, which we take
to be 1 % on average over all lengths of burst and versions.  The mean over versions at each single
length is shown beside it, and not judged.
"""

from collections.abc import Mapping, Sequence

from aesfit.cachemodel.validation.compare import CALLS, TEXTS, Place
from aesfit.cachemodel.validation.trial import own_hierarchy
from aesfit.caches.cache import Cache
from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.cache import (
    PAPER_WAYS,
    RUN,
    VERSIONS,
    picks,
    rests_on,
    simulated,
)
from aesfit_papers.judging.cells import figure, placed
from aesfit_papers.judging.charts import ChartLine, ChartPanel, Scale, panels
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Part,
    ResultTable,
    Row,
)
from aesfit_papers.judging.place import ClaimPlace, at, between
from aesfit_papers.judging.tables import percent

NUMBER = "Figure 4"
TITLE = "Estimated against simulated time"
COLUMNS = (
    Column("place"),
    Column("line", "B"),
    Column("version"),
    Column("calls", "calls"),
    Column("estimated", "cycles"),
    Column("simulated", "cycles"),
    Column("estimated_stalls", "cycles"),
    Column("simulated_stalls", "cycles"),
    Column("standard_error", "cycles"),
)
FAST = False
_LINES, _SIZE = (16, 32), 16 * 1024
_NEAR_ZERO = 0.01
_NOT_NEGLECTED = 0.1
"""A share of the time of a burst."""


def _places(name: str) -> list[Place]:
    """The paper's cache; stores allocate where those of the platform do."""
    allocate = own_hierarchy(platform_named(name)).data.write_allocate
    return [Place(Cache(_SIZE, line, PAPER_WAYS, write_allocate=allocate)) for line in _LINES]


def rows(progress: Progress) -> Measured:
    """A row for each burst; times are those of a call."""
    made: list[Row] = [
        {
            "place": name,
            "line": one.place.cache.line,
            "version": VERSIONS[one.core],
            "calls": one.calls,
            "estimated": one.model / one.calls,
            "simulated": one.simulated / one.calls,
            "estimated_stalls": one.model_stalls / one.calls,
            "simulated_stalls": one.simulated_stalls / one.calls,
            "standard_error": one.standard_error / one.calls,
        }
        for name in RUN
        for one in simulated(name, _places(name), CALLS, progress)
    ]
    told = f"simulated: the mean of {TEXTS} keys and texts other than those of the coefficients"
    return Measured(made, (*rests_on(RUN), f"here both behind 16K:4:16 and 16K:4:32; {told}"))


def _error(row: Row, what: str = "") -> float:
    return abs(figure(row[f"estimated{what}"]) / figure(row[f"simulated{what}"]) - 1)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """That misses count, that the error is near to zero, and that the model picks the best."""
    places = placed(rows, "place", "line")
    return [_misses(rows), _near_zero(places), _picks(places)]


def _misses(rows: Sequence[Row]) -> Claim:
    lost = {
        calls: min(figure(row["simulated_stalls"]) / figure(row["simulated"]) for row in some)
        for calls, some in placed(rows, "calls").items()
    }
    return Claim(
        "Compulsory misses cannot be neglected (least share of the time of a burst, read as "
        "10 % at least).",
        "at least",
        lost,
        _NOT_NEGLECTED,
        cause="the claim itself",
        why="A line misses once in a burst, so that the share falls as the burst grows.",
    )


def _near_zero(places: Mapping[ClaimPlace, Sequence[Row]]) -> Claim:
    lengths = [row["calls"] for some in places.values() for row in some]
    every = between(at(calls=lengths[0]), at(calls=lengths[-1]))
    whole = {name + every: _mean(list(map(_error, some))) for name, some in places.items()}
    single = {
        name + calls: _mean(list(map(_error, at)))
        for name, some in places.items()
        for calls, at in placed(some, "calls").items()
    }
    return Claim(
        f"The error of the model is near to zero (mean over four versions and bursts of {every}, "
        "read as 1 % at most; single lengths are shown and not judged).",
        "at most",
        {**whole, **single},
        _NEAR_ZERO,
        shown=frozenset(single),
    )


def _picks(places: Mapping[ClaimPlace, Sequence[Row]]) -> Claim:
    lost = {
        name + calls: regret(*_chosen(at))
        for name, some in places.items()
        for calls, at in placed(some, "calls").items()
    }
    return picks(
        "The model picks the best version without simulations (bursts for which its pick is the "
        "best by simulation, of all).",
        lost,
    )


def regret(picked: Row, best_other: Row) -> float:
    """The share of time that the pick takes beyond the best; 0 if it is the best."""
    return max(0.0, figure(picked["simulated"]) / figure(best_other["simulated"]) - 1)


def _chosen(rows: Sequence[Row]) -> tuple[Row, Row]:
    """Of one burst: the version that the model picks, and the best other by simulation."""
    first = min(rows, key=lambda row: figure(row["estimated"]))
    others = [row for row in rows if row is not first]
    return first, min(others, key=lambda row: figure(row["simulated"]))


def render(rows: Sequence[Row]) -> list[Part]:
    """The scatter, and errors by place and version."""
    places = placed(rows, "place", "line")
    return [_scatter(places), _errors(places)]


def _scatter(places: Mapping[ClaimPlace, Sequence[Row]]) -> Figure:
    drawn = [
        ChartPanel(str(name), [_points(version, some) for version in VERSIONS.values()])
        for name, some in places.items()
    ]
    image = panels(
        drawn, Scale("simulated cycles", log=True, base=4), Scale("estimated", log=True, base=4)
    )
    alt = "Four panels: all points lie on the diagonal."
    return Figure("Cycles of a call, estimated over simulated", image, ".svg", alt)


def _points(version: str, rows: Sequence[Row]) -> ChartLine:
    """Estimated over simulated cycles of one version."""
    return ChartLine(
        version,
        [
            (figure(row["simulated"]), figure(row["estimated"]))
            for row in rows
            if row["version"] == version
        ],
    )


def _errors(places: Mapping[ClaimPlace, Sequence[Row]]) -> ResultTable:
    cells = [
        (str(name), version, *_error_cells([row for row in some if row["version"] == version]))
        for name, some in places.items()
        for version in VERSIONS.values()
    ]
    head = ("processor", "version", "time", "most", "stalls", "most", "noise")
    note = (
        "Errors of the estimate without signs, mean and greatest over the bursts; noise is the "
        "standard error of the simulated stalls."
    )
    return ResultTable("Errors of the model", head, tuple(cells), note)


def _error_cells(rows: Sequence[Row]) -> tuple[str, ...]:
    """Errors of time and of stalls, mean and greatest, and the noise of the simulation."""
    whole, stalls = ([_error(row, what) for row in rows] for what in ("", "_stalls"))
    noise = _mean([figure(r["standard_error"]) / figure(r["simulated_stalls"]) for r in rows])
    shares = (_mean(whole), max(whole), _mean(stalls), max(stalls), noise)
    return tuple(percent(share) for share in shares)
