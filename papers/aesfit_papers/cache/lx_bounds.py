# SPDX-License-Identifier: MIT
"""Section 5 gives E, the cycles of a call without misses, of four versions on the Lx.

Ours: no simulator of the Lx (ST200) can be had, so E is bounded and not predicted.  Clang's code
for RV32IM with Zba (no rotations, a shifted addition, as on the Lx) is run for one block, registers
are renamed, spills removed, and what ran between two taken branches is scheduled for 3 and 4
issues, one memory unit and load latencies of 2 to 4.  The lower end is a bound that no schedule of
this code is below; the upper end is what a list scheduler takes.  Each machine is taken twice: with
every doubt in its favour (branches and long immediates for nothing, no copies), and with none.  The
scheduler is first held against a VLIW that runs: Hexagon's rules against its real packets.

What differs: code, compiler and unrolling are not the paper's, so an interval holds what our code
can take and not what theirs took.  A published figure is held against each machine, never against
the hull of all: 416 and 400 lie between the machines of 3 and of 4 issues, so that none gives them.
A compiler that unrolls more may be below the lower end, and a real one is above the scheduler, as
it is on Hexagon.  The paper's E may hold misses of input and output, which ours does not.  The
crossovers at 680 and 420 calls rest on 6 cycles, and the penalty of a miss was recovered from them,
so they are not testable here; the intervals of the other two take that penalty from them.
"""

from collections.abc import Sequence
from dataclasses import replace

from aesfit.building.build import compiler_line
from aesfit.cachemodel.question import Version
from aesfit.jobs.job import Progress
from aesfit_papers.judging.cache import (
    CROSSOVERS,
    LINES,
    LX,
    RECOVERED,
    STEPS,
    VERSIONS,
    crossing,
    of,
    predicted,
)
from aesfit_papers.judging.contract import Claim, Column, Measured, Pair, Part, Row
from aesfit_papers.judging.lx import (
    CROSSOVER,
    CYCLES,
    PACKETS,
    between_told,
    bounds_told,
    by_machine,
    ends,
    rows_of,
)
from aesfit_papers.judging.place import told
from aesfit_papers.scheduling import program
from aesfit_papers.scheduling.answers import Scheduled, calibration, on_lx
from aesfit_papers.scheduling.block import HEXAGON, job_of
from aesfit_papers.scheduling.machines import lx

NUMBER = "Section 5, E on the Lx"
TITLE = "Cycles of a call on the Lx, bounded"
COLUMNS = (
    Column("what"),
    Column("version"),
    Column("doubts"),
    Column("width"),
    Column("load_latency", "cycles"),
    Column("line", "B"),
    Column("published"),
    Column("least"),
    Column("most"),
    Column("operations"),
    Column("unrolled", "cycles"),
    Column("registers"),
    Column("packets"),
    Column("in_order"),
    Column("as_allocated"),
    Column("renamed"),
)
FAST = False
_FOR, _AGAINST = "for the machine", "against it"
_FIRST, _SECOND = STEPS
_Place = tuple[int, int, bool]


def _row(**cells: str | int | float | None) -> Row:
    return {column.name: cells.get(column.name) for column in COLUMNS}


def rows(progress: Progress) -> Measured:
    """Packets of the Hexagon, E on each machine, and the first crossover on each machine."""
    made: list[Row] = []
    answers: dict[str, dict[_Place, Scheduled]] = {}
    for done, core in enumerate(VERSIONS):
        progress(done, len(VERSIONS))
        made.append(_calibrated(core))
        found = on_lx(core)
        answers[core] = {(one.width, one.load_latency, one.lean): one for one in found}
    for core, some in answers.items():
        made += [_cycles(core, one) for one in some.values()]
    for line in LINES:
        made += _crossovers(line, *(answers[core] for core in _FIRST))
    return Measured(made, _rests_on())


def _calibrated(core: str) -> Row:
    one = calibration(core)
    return _row(
        what=PACKETS,
        version=VERSIONS[core],
        operations=one.operations,
        packets=one.packets,
        in_order=one.in_order,
        as_allocated=one.as_allocated,
        renamed=one.renamed,
    )


def _machine(one: Scheduled) -> dict[str, str | int | float | None]:
    doubts = _FOR if one.lean else _AGAINST
    return {"doubts": doubts, "width": one.width, "load_latency": one.load_latency}


def _cycles(core: str, one: Scheduled) -> Row:
    published = {each.core: each.cycles_per_call for each in of(LX)}
    return _row(
        what=CYCLES,
        version=VERSIONS[core],
        **_machine(one),
        published=published[core],
        least=one.bound,
        most=one.cycles,
        operations=one.operations,
        unrolled=one.unrolled,
        registers=one.registers,
    )


def _crossovers(
    line: int, before: dict[_Place, Scheduled], to: dict[_Place, Scheduled]
) -> list[Row]:
    """On each machine: AEST at its most and AES4 at its least, and the other way round."""
    return [
        _row(
            what=CROSSOVER,
            version=VERSIONS[_FIRST[1]],
            **_machine(one),
            line=line,
            published=CROSSOVERS[line, *_FIRST],
            least=_calls(line, one.cycles, to[place].bound),
            most=_calls(line, one.bound, to[place].cycles),
        )
        for place, one in before.items()
    ]


def _calls(line: int, before: int, to: int) -> int | None:
    """Where AES4 takes over by the cache model with these E; None: not up to 1024 calls."""
    known = {one.core: one for one in of(LX)}
    some: list[Version] = [
        replace(known[core], cycles_per_call=cycles)
        for core, cycles in zip(_FIRST, (before, to), strict=True)
    ]
    answer = predicted(LX, line, some)
    return crossing(answer.calls, *(answer.per_call[core] for core in _FIRST))


def _rests_on() -> tuple[str, ...]:
    platform = job_of(_FIRST[0]).platform
    flags = " ".join((*platform.compiler.target, *platform.compiler.optimise))
    assumed = [fact for fact in lx(4, 3, lean=True).facts if fact.assumed]
    return (
        f"Lx: {program.flags()}; executed by an interpreter, output compared with the library",
        f"{HEXAGON}: {compiler_line(platform.compiler.command)}; {flags}; packets from QEMU",
        *(f"assumed of the Lx: {one.what} ({one.source})" for one in assumed),
    )


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Each published E and first crossover on each machine; the second cannot be tested."""
    return [*_within(rows), *_first(rows), *_untestable(rows)]


def _within(rows: Sequence[Row]) -> list[Claim]:
    made = []
    for version in VERSIONS.values():
        some = rows_of(rows, CYCLES, version=version)
        sentence = (
            f"Without misses a call of {version} takes {some[0]['published']} cycles on the Lx, "
            "which our code can take on a modelled machine (the nearer end of its interval, the "
            "larger first)."
        )
        made.append(Claim(sentence, "order of counts", by_machine(some), cause="our code differs",
                          why=f"{_WHY} {between_told(some)}"))  # fmt: skip
    return made


_WHY = "Code and compiler of the paper are not ours, and E is that of the code."


def _first(rows: Sequence[Row]) -> list[Claim]:
    made = []
    for line in LINES:
        some = rows_of(rows, CROSSOVER, line=line)
        sentence = (
            f"With lines of {line} bytes AES4 is better than AEST from {some[0]['published']} "
            "calls on, which the intervals of E allow on a modelled machine (the nearer end, the "
            "larger first)."
        )
        made.append(Claim(sentence, "order of counts", by_machine(some), cause="our code differs",
                          why=f"{_WHY} {between_told(some)}"))  # fmt: skip
    return made


def _untestable(rows: Sequence[Row]) -> list[Claim]:
    """AES6 takes over where it is quicker than AES4: by 6 of 319 cycles, as published."""
    few, many = (ends(rows_of(rows, CYCLES, version=VERSIONS[core])) for core in _SECOND)
    found = {
        told(f"AES4 at its {one}, AES6 at its {other}").of(
            what=CYCLES, version=("AES4", "AES6")
        ): pair
        for one, other, pair in (
            ("most", "least", Pair(few[1], many[0])),
            ("least", "most", Pair(few[0], many[1])),
        )
    }
    reason = f"6 cycles are less than the intervals of E are wide, and {RECOVERED}"
    return [
        Claim(
            f"With lines of {line} bytes AES6 is better than AES4 from {CROSSOVERS[line, *_SECOND]}"
            " calls on, because its calls take fewer cycles (cycles of AES4 first).",
            "order of counts",
            found,
            why=f"Not testable: {reason}.",
            untestable=dict.fromkeys(found, reason),
        )
        for line in LINES
    ]


def render(rows: Sequence[Row]) -> list[Part]:
    """Hexagon's packets, the intervals, the crossovers, and what the machines rest on."""
    return bounds_told(rows)
