# SPDX-License-Identifier: MIT
"""The paper leaves small caches and fewer ways for later; here is what they cost each version.

Ours: the model extended to lines that push each other out (docs/cache-model.md, "Beyond the
paper"), for data caches of 1 to 16 KiB with 1, 2 and 4 ways and lines of 16 bytes, in bursts of 64
and of 1000 calls from an empty cache: on the Lx by published coefficients, and on two processors
that run, where each time is simulated too, as the mean of 12 keys and texts.  A cache of 1
MiB, in which nothing is ever pushed out, stands beside them.

What differs: the paper has nothing of this but the assumption that 4 ways keep tables, keys, input
and output from disturbing each other; this is put to the test where it can be simulated.  On the Lx
only tables are known, so that nothing else pushes them out there.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from aesfit.cachemodel.analytic import curve, stalls
from aesfit.cachemodel.validation.compare import Place
from aesfit.caches.cache import Cache
from aesfit.jobs.job import Progress
from aesfit_papers.judging.cache import (
    LX,
    PLACES,
    RUN,
    VERSIONS,
    caches,
    of,
    picks,
    rests_on,
    simulated,
)
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.charts import ChartLine, ChartPanel, Scale, panels
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    ResultTable,
    Row,
    Words,
)
from aesfit_papers.judging.place import ClaimPlace, at, in_row
from aesfit_papers.judging.tables import number, percent

NUMBER = "Beyond the paper"
TITLE = "Small caches and few ways"
_CALLS = (64, 1000)
_SIZES, _WAYS, _LINE = (1024, 2048, 4096, 8192, 16384), (1, 2, 4), 16
_LX_CACHE, _BOUNDLESS = (16384, 4), (1 << 20, 16)
"""Bytes and ways of the cache that is judged, and of one that holds everything."""
_NAMES = ("place", "version", "size", "ways", "calls")
_KINDS = ("predicted", "predicted_stalls", "simulated", "simulated_stalls")
COLUMNS = (
    Column("place"),
    Column("size", "B"),
    Column("ways"),
    Column("calls", "calls"),
    Column("version"),
    *(Column(name, "cycles") for name in _KINDS),
)
FAST = False
_SHOWN = 64
"""Calls of the bursts in the figure."""


def _places(name: str) -> list[Place]:
    own, shapes = caches(name, _LINE).data, [*((s, w) for w in _WAYS for s in _SIZES), _BOUNDLESS]
    return [
        Place(Cache(size, _LINE, ways, write_allocate=own.write_allocate)) for size, ways in shapes
    ]


def _row(place: str, cache: Cache, core: str, calls: int) -> dict[str, str | int]:
    return {
        "place": place,
        "size": cache.size,
        "ways": cache.ways,
        "calls": calls,
        "version": VERSIONS[core],
    }


def _published(progress: Progress) -> list[Row]:
    """Of the Lx, by the model alone; cycles are those of a call."""
    made: list[Row] = []
    for place in _places(LX):
        here = replace(caches(LX, _LINE), data=place.cache)
        for one in of(LX):
            times, lost = curve(one, here, _CALLS), stalls(one, here, _CALLS)
            for order, calls in enumerate(_CALLS):
                made.append(
                    {
                        **_row(LX, place.cache, one.core, calls),
                        "predicted": float(times[order]),
                        "predicted_stalls": float(lost[order]) / calls,
                        "simulated": None,
                        "simulated_stalls": None,
                    }
                )
    return made


def rows(progress: Progress) -> Measured:
    """Everything with everything; cycles are those of a call."""
    made = _published(progress)
    for name in RUN:
        made += [
            {
                **_row(name, one.place.cache, one.core, one.calls),
                "predicted": one.model / one.calls,
                "predicted_stalls": one.model_stalls / one.calls,
                "simulated": one.simulated / one.calls,
                "simulated_stalls": one.simulated_stalls / one.calls,
            }
            for one in simulated(name, _places(name), _CALLS, progress)
        ]
    return Measured(made, rests_on(PLACES))


def _seen(row: Row, what: str = "") -> float:
    """Simulated, on the Lx predicted."""
    told = row[f"simulated{what}"]
    return figure(row[f"predicted{what}"] if told is None else told)


def _at(rows: Sequence[Row], place: str, size: int, ways: int, calls: int) -> dict[str, Row]:
    """By version."""
    wanted = (place, size, ways, calls)
    return {
        str(row["version"]): row
        for row in rows
        if (row["place"], row["size"], row["ways"], row["calls"]) == wanted
    }


def claims(rows: Sequence[Row]) -> list[Claim]:
    """What 4 ways are for, and what remains of the choice."""
    return [_first_uses(rows), _ways(rows), _picks(rows)]


def _first_uses(rows: Sequence[Row]) -> Claim:
    """Behind the Lx's cache, which is judged, and behind smaller ones and fewer ways."""
    found, others = {}, set()
    for name, version, cache, calls in product(
        RUN, VERSIONS.values(), product(_SIZES, _WAYS), _CALLS
    ):
        row, large = (_at(rows, name, *shape, calls)[version] for shape in (cache, _BOUNDLESS))
        here = in_row(row, *_NAMES).beside(large, *_NAMES)
        found[here] = Pair(_seen(row, "_stalls"), _seen(large, "_stalls"))
        if cache != _LX_CACHE:
            others.add(here)
    return Claim(
        "With 4 ways and a cache that holds the tables only first uses of a line miss (stalls "
        "behind the Lx's 16 KiB over those behind 1 MiB; smaller caches and fewer ways are shown "
        "and not judged).",
        "equal",
        found,
        shown=frozenset(others),
    )


def _picks(rows: Sequence[Row]) -> Claim:
    """Behind every cache and in both bursts: the version of the least predicted time."""
    lost = {}
    for place, cache, calls in product(RUN, (*product(_SIZES, _WAYS), _BOUNDLESS), _CALLS):
        some = _at(rows, place, *cache, calls).values()
        pick = min(some, key=lambda row: figure(row["predicted"]))
        here = at(place=place, size=cache[0], ways=cache[1], calls=calls)
        lost[here] = _seen(pick) / min(map(_seen, some)) - 1
    return picks(
        "The model picks the best version in small caches too (of all caches and bursts, those "
        "for which its pick is the best by simulation).",
        lost,
    )


def _ways(rows: Sequence[Row]) -> Claim:
    return Claim(
        "4 ways keep data from disturbing each other (stalls of a call with 1 way against 4, "
        "behind caches that hold the tables).",
        "order",
        _by_ways(rows),
        cause="compiler or processor",
        why="With one way the addresses of tables, keys, input and output decide whether they come "
        "into the same sets; now and then they do not.",
    )


def _by_ways(rows: Sequence[Row]) -> dict[ClaimPlace, Pair]:
    """Stalls of a call with 1 way, and with 4, behind caches that hold the tables."""
    tables = {VERSIONS[one.core]: sum(each.size for each in one.lookups) for one in of(LX)}
    return {
        at(place=place, version=version, size=size, calls=calls).of(ways=(1, 4)): Pair(
            *(_seen(_at(rows, place, size, ways, calls)[version], "_stalls") for ways in (1, 4))
        )
        for place in RUN
        for version, held in tables.items()
        for size in _SIZES
        if size >= held
        for calls in _CALLS
    }


def render(rows: Sequence[Row]) -> list[Part]:
    """What a smaller cache costs, the best version, and the model's errors."""
    every = [
        ChartPanel(
            f"{place}, {ways} way{'s' * (ways > 1)}",
            [
                ChartLine(
                    version,
                    [
                        (size / 1024, _seen(_at(rows, place, size, ways, _SHOWN)[version]))
                        for size in _SIZES
                    ],
                )
                for version in VERSIONS.values()
            ],
        )
        for place in PLACES
        for ways in (1, 4)
    ]
    across = Scale("KiB of the data cache", log=True, base=2)
    image = panels(every, across, Scale("cycles of a call", log=True))
    words = (
        f"The smallest cache behind which a version is the best of the four: {_smallest(rows)}.\n\n"
        f"The model errs by {_errors_by_ways(rows)} of the whole time at most. In direct-mapped "
        "caches it decides in which sets input and output lie, which the model is not told."
    )
    return [
        Figure(
            f"Time of a call in bursts of {_SHOWN}: simulated, on the Lx predicted",
            image,
            ".svg",
            "Six panels: curves fall as the cache grows, AEST least, versions with tables most.",
        ),
        _best(rows),
        Words(words),
    ]


def _smallest(rows: Sequence[Row]) -> str:
    """By version and place, at either length of burst and with any ways."""
    least: dict[str, dict[str, int]] = {version: {} for version in VERSIONS.values()}
    for place, size, ways, calls in product(PLACES, _SIZES, _WAYS, _CALLS):
        some = _at(rows, place, size, ways, calls)
        best = min(some, key=lambda version: _seen(some[version]))
        least[best].setdefault(place, size // 1024)
    return "; ".join(
        f"{version} {', '.join(f'{size} KiB ({place})' for place, size in found.items())}"
        for version, found in least.items()
        if found
    )


def _errors_by_ways(rows: Sequence[Row]) -> str:
    """The greatest without sign, with each number of ways."""
    told = []
    for ways in _WAYS:
        some = [row for row in rows if row["ways"] == ways and row["simulated"] is not None]
        most = max(abs(figure(one["predicted"]) / figure(one["simulated"]) - 1) for one in some)
        told.append(f"{percent(most)} with {ways} way{'s' * (ways > 1)}")
    return ", ".join(told)


def _best(rows: Sequence[Row]) -> ResultTable:
    """The best version by cache, and the greatest error of the four predictions."""
    cells = []
    for place in PLACES:
        for ways in _WAYS:
            for size in _SIZES:
                line = [place, number(size // 1024), number(ways)]
                for calls in _CALLS:
                    some = _at(rows, place, size, ways, calls)
                    best = min(some, key=lambda version: _seen(some[version]))
                    guess = min(some, key=lambda version: figure(some[version]["predicted"]))
                    line += [best if best == guess else f"{best} (predicted {guess})"]
                    line += [number(round(_seen(some[best]), 1)), _error(some)]
                cells.append(tuple(line))
    head = ["processor", "KiB", "ways"]
    for calls in _CALLS:
        head += [f"{calls:,} calls", "cycles", "error"]
    note = (
        "The best version and its cycles of a call in bursts of 64 and of 1,000; simulated, on the "
        "Lx predicted. Error: of the predicted whole time, the greatest of the four versions."
    )
    return ResultTable("The best version behind each cache", tuple(head), tuple(cells), note)


def _error(some: dict[str, Row]) -> str:
    known = [row for row in some.values() if row["simulated"] is not None]
    errors = [abs(figure(row["predicted"]) / figure(row["simulated"]) - 1) for row in known]
    return percent(max(errors, default=None))
