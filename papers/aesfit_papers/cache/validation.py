# SPDX-License-Identifier: MIT
"""Section 5 validates the model on one processor behind one cache, and calls its error near to 0.

Ours: the four versions on every processor here that has a data cache, behind its own and behind 15
others of other sizes, ways, lines and replacements, with the caches empty and with half of them
taken by others between bursts.  Each burst, of 1 to 1000 calls, is held against a simulation that
follows every address through the caches, as the mean of 12 keys and texts other than those that
gave the coefficients.

What differs: most of it goes beyond the paper, which assumes 4 ways, a cache that holds all tables,
none of them there at the start, and an instruction cache that holds the code.  Each cache is a
place, and so are the versions that fit into a cache that is too small for the others: what meets
the assumptions is judged, everything else is shown, so that the smallest cache at which the claim
stops holding is seen.  None of `vexriscv-small` is judged, because its 1 KiB of instruction
cache holds no version's code.  VexRiscv is counted by rules here, not in its Verilog, where stores
cost time too.  `arm9-cached` is the core of `arm920t` behind caches in which stores allocate.
"""

from collections.abc import Sequence
from dataclasses import replace

from aesfit.cachemodel.validation.compare import (
    CALLS,
    GEOMETRIES,
    Place,
    ValidationPoint,
    geometry,
    grouped,
    parse_geometry,
)
from aesfit.cachemodel.validation.trial import own_hierarchy
from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import counted
from aesfit_papers.judging.cache import of, rests_on, simulated
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Measured,
    Part,
    ResultTable,
    Row,
    Words,
)
from aesfit_papers.judging.place import ClaimPlace, at, in_row, told
from aesfit_papers.judging.tables import number, percent

NUMBER = "Section 5, validation"
TITLE = "The model against a simulator, on every processor with a data cache"
_SHARES = ("mean", "most", "mean_stalls", "most_stalls", "noise")
COLUMNS = (
    Column("place"),
    Column("cache"),
    Column("evicted"),
    Column("kind"),
    Column("bursts"),
    *(Column(name) for name in _SHARES),
)
FAST = False
_PLATFORMS = ("hexagon", "arm920t", "arm9-cached", "vexriscv-cached", "vexriscv-small")
_EVICTED = (1.0, 0.5)
_NEAR_ZERO = 0.01
_KINDS = {"assumptions": "as assumed", "extensions": "beyond"}
_FITTING = "versions that fit"
"""The part of a place that leaves out versions that are too large for its cache."""


def _places(name: str) -> list[Place]:
    """Its own data cache, then the others, in which stores allocate where they do in its own."""
    own = own_hierarchy(counted(platform_named(name))).data
    some = [replace(parse_geometry(one), write_allocate=own.write_allocate) for one in GEOMETRIES]
    caches = dict.fromkeys((own, *some))
    return [Place(cache, share) for share in _EVICTED for cache in caches]


def _kinds(name: str, points: Sequence[ValidationPoint]) -> list[ValidationPoint]:
    """With bursts of code that its instruction cache cannot hold among those beyond the paper."""
    code = own_hierarchy(counted(platform_named(name))).instruction
    large = {
        one.core
        for one in of(name)
        if code is not None and one.code_bytes + one.setup_code_bytes > code.size
    }
    return [replace(one, kind="extensions") if one.core in large else one for one in points]


def _group(one: ValidationPoint) -> str:
    return f"{one.place} {one.kind}"


def rows(progress: Progress) -> Measured:
    """A row for each cache of each processor, and each kind of burst behind it."""
    made: list[Row] = []
    for name in _PLATFORMS:
        points = _kinds(name, simulated(name, _places(name), CALLS, progress))
        for key, errors in grouped(points, _group).items():
            one = next(point for point in points if _group(point) == key)
            made.append(
                {
                    "place": name,
                    "cache": geometry(one.place.cache),
                    "evicted": one.place.evicted,
                    "kind": one.kind,
                    "bursts": errors.points,
                    "mean": errors.mean,
                    "most": errors.max,
                    "mean_stalls": errors.mean_stall,
                    "most_stalls": errors.max_stall,
                    "noise": errors.mean_standard_error,
                }
            )
    return Measured(made, rests_on(_PLATFORMS))


def _summary(rows: Sequence[Row], kind: str) -> dict[str, dict[str, float]]:
    """Errors of each processor over all its bursts of a kind."""
    found = {}
    for name in _PLATFORMS:
        some = [row for row in rows if row["place"] == name and row["kind"] == kind]
        many = sum(figure(row["bursts"]) for row in some)
        if not many:
            continue
        found[name] = {
            error: max(figure(row[error]) for row in some)
            if error.startswith("most")
            else sum(figure(row[error]) * figure(row["bursts"]) for row in some) / many
            for error in _SHARES
        }
        found[name]["bursts"] = many
    return found


def _cache(row: Row) -> ClaimPlace:
    """The place of a row: processor, cache, and what is in it when a burst begins."""
    cache = parse_geometry(str(row["cache"]))
    policy = "" if cache.replacement == "lru" else cache.replacement
    first = told("cold" if row["evicted"] == 1 else "half evicted", "memory")
    shape = ClaimPlace(at(size=cache.size, ways=cache.ways, line=cache.line).parts)
    cells = {name: row[name] for name in ("cache", "evicted")}
    return in_row(row, "place") + shape.of(**cells) + policy + first


def _mean(rows: Sequence[Row]) -> float:
    """Over the bursts of the rows."""
    many = sum(figure(row["bursts"]) for row in rows)
    return sum(figure(row["mean"]) * figure(row["bursts"]) for row in rows) / many


def _errors(rows: Sequence[Row]) -> tuple[dict[ClaimPlace, float], frozenset[ClaimPlace]]:
    """The mean error behind each cache, and the places in which the assumptions do not hold."""
    by_cache: dict[ClaimPlace, list[Row]] = {}
    for row in rows:
        by_cache.setdefault(_cache(row), []).append(row)
    found, shown = {}, set()
    for place, some in by_cache.items():
        assumed = [row for row in some if row["kind"] == "assumptions"]
        found[place] = _mean(some)
        if len(assumed) < len(some):
            shown.add(place)
            if assumed:
                found[(place + _FITTING).of(kind="assumptions")] = _mean(assumed)
    return found, frozenset(shown)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Near to zero, of the whole time, behind each cache that meets the assumptions."""
    found, shown = _errors(rows)
    sentence = (
        "The error of the model is near to zero behind a cold cache of 4 ways or more that holds "
        "a version's tables, keys and stack (mean over bursts of the error of the whole time, "
        "read as 1 % at most; caches beyond these assumptions are shown and not judged)."
    )
    return [Claim(sentence, "at most", found, _NEAR_ZERO, shown=shown)]


def _told(rows: Sequence[Row]) -> str:
    """How many caches keep the error near to zero, within the assumptions and beyond."""
    found, shown = _errors(rows)
    within = [error for place, error in found.items() if place not in shown]
    beyond = [found[place] for place in shown]
    return (
        f"Behind the {len(within)} caches that meet the assumptions the mean error is "
        f"{percent(min(within))} to {percent(max(within))} of the time. Of {len(beyond)} others, "
        f"with all four versions, {sum(one <= _NEAR_ZERO for one in beyond)} keep it within "
        f"{percent(_NEAR_ZERO)}, and the greatest is {percent(max(beyond))}."
    )


def _cells(one: dict[str, float] | Row) -> list[str]:
    return [number(one["bursts"]), *(percent(one[name]) for name in _SHARES)]


def render(rows: Sequence[Row]) -> list[Part]:
    """By processor, then every cache."""
    head = ("number", "time", "most", "stalls", "most", "noise")
    summary = tuple(
        (name, told, *_cells(one))
        for kind, told in _KINDS.items()
        for name, one in _summary(rows, kind).items()
    )
    every = tuple(
        (
            str(row["place"]),
            str(row["cache"]),
            "empty" if row["evicted"] == 1 else f"{figure(row['evicted']):.0%} taken",
            _KINDS[str(row["kind"])],
            *_cells(row),
        )
        for row in rows
    )
    note = (
        "Errors without signs of the time and of the stalls, mean and greatest; noise is the "
        "standard error of the simulated stalls. As assumed: by the paper. Size, ways and bytes of "
        "a line stand for a cache; least recently used goes where nothing is said."
    )
    return [
        ResultTable("Errors by processor", ("processor", "bursts", *head), summary, note),
        Words(_told(rows)),
        ResultTable(
            "Errors by cache", ("processor", "cache", "at first", "bursts", *head), every, note
        ),
    ]
