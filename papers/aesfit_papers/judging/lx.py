# SPDX-License-Identifier: MIT
"""Presents the bounds on the Lx, measured by papers/aesfit_papers/cache/lx_bounds.py, as tables."""

from collections.abc import Sequence

from ..scheduling.machines import HEXAGON, REGISTERS, WIDTHS, Vliw, lx
from .cache import LINES, LONGEST, STEPS, VERSIONS
from .cells import figure
from .contract import Pair, Part, ResultTable, Row, Words
from .place import ClaimPlace, in_row
from .tables import NOTHING, number, percent

PACKETS, CYCLES, CROSSOVER = "packets", "E", "crossover"
"""The kind of a row: Hexagon packets, cycles on an Lx, or the crossover of AEST and AES4."""
_NEVER = LONGEST + 1.0
"""Stands for a crossover that does not come in the longest burst."""
_WAYS = ("in_order", "as_allocated", "renamed")


def rows_of(rows: Sequence[Row], what: str, **cells: str | int) -> list[Row]:
    """Rows of that kind with the given cells."""
    wanted = {"what": what, **cells}
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def ends(rows: Sequence[Row]) -> tuple[float, float]:
    """The least lower end and the greatest upper end; never counts as infinite."""
    least = [figure(row["least"]) for row in rows if row["least"] is not None]
    most = [float("inf") if row["most"] is None else figure(row["most"]) for row in rows]
    return min(least, default=float("inf")), max(most)


def is_inside(row: Row) -> bool:
    """Whether the published figure is within the ends of this machine."""
    least, most = ends([row])
    return least <= figure(row["published"]) <= most


def by_machine(some: Sequence[Row]) -> dict[ClaimPlace, Pair]:
    """By machine: the published figure and the nearer end, the larger first if it is inside."""
    found = {}
    for row in some:
        published, (least, most) = figure(row["published"]), ends([row])
        pairs = (Pair(published, min(least, _NEVER)), Pair(min(most, _NEVER), published))
        cells = {name: row[name] for name in ("what", "version", "line")}
        found[machine(row).of(**cells)] = min(pairs, key=lambda pair: pair.ratio)
    return found


def machine(row: Row) -> ClaimPlace:
    """Of the row: 4 issues, load latency 2, doubts for the machine."""
    return in_row(row, "width", "load_latency", "doubts")


def between_told(some: Sequence[Row]) -> str:
    """The intervals of each issue width, and how many machines give the published figure."""
    inside = sum(map(is_inside, some))
    spans = (
        f"{' to '.join(map(_calls_told, ends([row for row in some if row['width'] == width])))} "
        f"with {width} issues"
        for width in WIDTHS
    )
    return (
        f"Ours takes {' and '.join(spans)}; {inside} of {len(some)} modelled machines give "
        f"{number(some[0]['published'])}."
    )


def _calls_told(value: float) -> str:
    return f"none up to {LONGEST}" if value == float("inf") else number(value)


def bounds_told(rows: Sequence[Row]) -> list[Part]:
    """Tables of Hexagon packets, intervals, crossovers and sources of the machines."""
    parts: list[Part] = [_packets(rows), Words(_met(rows)), _intervals(rows), Words(_fits(rows))]
    facts = [("the Lx", lx(4, 3, lean=True)), ("Hexagon V60", HEXAGON)]
    return [*parts, _every(rows), _where(rows), *(_facts(name, one) for name, one in facts)]


def _packets(rows: Sequence[Row]) -> ResultTable:
    head = ("version", "packets", "in clang's order", "in its registers", "renamed")
    lines = []
    for row in rows_of(rows, PACKETS):
        told = (f"{row[name]} ({_off(row, name)})" for name in _WAYS)
        lines.append((number(row["version"]), number(row["packets"]), *told))
    note = (
        "Packets of one call as clang made them for the Hexagon, and as made from the same "
        "instructions: packed again in clang's order; by the list scheduler with clang's registers "
        "and stack frame; and with registers renamed and no spills, as for the Lx."
    )
    return ResultTable("The scheduler against Hexagon's packets", head, tuple(lines), note)


def _off(row: Row, name: str) -> str:
    share = figure(row[name]) / figure(row["packets"]) - 1
    return percent(share).replace("-", "\N{MINUS SIGN}")


def _met(rows: Sequence[Row]) -> str:
    some = rows_of(rows, PACKETS)
    worst = {
        name: max(1 - figure(row[name]) / figure(row["packets"]) for row in some) for name in _WAYS
    }
    return (
        f"With the order of the code kept, the rules give clang's packets within "
        f"{percent(worst['in_order'])}: they are Hexagon's. In its own order the scheduler is at "
        f"most {percent(worst['as_allocated'])} below clang, and {percent(worst['renamed'])} once "
        "registers are renamed and spills removed: clang orders instructions before it has "
        "registers for them, and against stalls that no packet shows. So a real compiler is above "
        "the scheduler by as much, and the upper ends below are not the worst that can be."
    )


def _intervals(rows: Sequence[Row]) -> ResultTable:
    lines = []
    for version in VERSIONS.values():
        some = rows_of(rows, CYCLES, version=version)
        whole = min(figure(row["unrolled"]) for row in some)
        wide = [" to ".join(map(number, ends(rows_of(some, CYCLES, width=each))))
                for each in sorted(WIDTHS, reverse=True)]  # fmt: skip
        given = f"{sum(map(is_inside, some))} of {len(some)}"
        lines.append((version, number(some[0]["published"]), *wide, given, number(whole)))
    head = (
        "version",
        "published E",
        "4 issues",
        "3 issues",
        "machines that give it",
        "least, unrolled",
    )
    note = (
        "Cycles of a call, from the bound with load latency 2 and all doubts in favour of the "
        "machine to the schedule with load latency 4 and none. An ST200 has 4 issues. Last: the "
        "bound if no branch were taken."
    )
    return ResultTable("E on the Lx, bounded", head, tuple(lines), note)


def _fits(rows: Sequence[Row]) -> str:
    most = max(figure(row["registers"]) for row in rows_of(rows, CYCLES))
    return (
        f"{_none(rows)}{_apart(rows)} At most {number(most)} values wait in registers at once in "
        f"any of these schedules; the Lx has {REGISTERS}, so that renaming asks for nothing that "
        "it lacks."
    )


def _none(rows: Sequence[Row]) -> str:
    """Versions whose published figure no machine gives."""
    never = [
        f"{version} ({number(some[0]['published'])})"
        for version in VERSIONS.values()
        if not any(map(is_inside, some := rows_of(rows, CYCLES, version=version)))
    ]
    if not never:
        return ""
    return (
        f"No modelled machine gives {' and '.join(never)}: what is published lies between the "
        "machines of 3 and of 4 issues. "
    )


def _apart(rows: Sequence[Row]) -> str:
    """Compare AES4 with AES6 on each machine."""
    few, many = (rows_of(rows, CYCLES, version=VERSIONS[core]) for core in STEPS[1])
    pairs = zip(few, many, strict=True)
    apart = [figure(six["most"]) - figure(four["most"]) for four, six in pairs]
    return (
        f"By the scheduler AES6 takes {number(min(apart))} to {number(max(apart))} cycles more "
        "than AES4, where 6 less are published, and the bounds allow either."
    )


def _every(rows: Sequence[Row]) -> ResultTable:
    """Bound and schedule on each machine."""
    lines = []
    names = ("doubts", "width", "load_latency")
    by_version = {version: rows_of(rows, CYCLES, version=version) for version in VERSIONS.values()}
    for at, row in enumerate(by_version["AEST"]):
        ends = [f"{some[at]['least']} to {some[at]['most']}" for some in by_version.values()]
        lines.append((*(number(row[name]) for name in names), *ends))
    head = ("doubts", "issues", "load latency", *by_version)
    note = "Cycles of a call, from the bound to the list scheduler's schedule."
    return ResultTable("E on each machine", head, tuple(lines), note)


def _where(rows: Sequence[Row]) -> ResultTable:
    """The first crossover on each machine, for both lines."""
    small, large = (rows_of(rows, CROSSOVER, line=line) for line in LINES)
    lines = [
        (
            *(number(row[name]) for name in ("doubts", "width", "load_latency")),
            _range(row),
            _range(other),
        )
        for row, other in zip(small, large, strict=True)
    ]
    published = [number(some[0]["published"]) for some in (small, large)]
    lines.append(("published", NOTHING, NOTHING, *published))
    head = ("doubts", "issues", "load latency", *(f"{line}-byte lines" for line in LINES))
    note = (
        "Calls of a burst from which on AES4 is better than AEST, by the cache model with the "
        "recovered penalty: AEST at its most and AES4 at its least first, then the other way round."
    )
    return ResultTable("Crossover of AEST and AES4", head, tuple(lines), note)


def _range(row: Row) -> str:
    ends = [f"none up to {LONGEST}" if row[name] is None else number(row[name])
            for name in ("least", "most")]  # fmt: skip
    return " to ".join(ends)


def _facts(name: str, machine: Vliw) -> ResultTable:
    lines = tuple((one.what, one.source) for one in machine.facts)
    return ResultTable(f"What is taken for true of {name}", ("fact", "source"), lines)
