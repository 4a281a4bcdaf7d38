# SPDX-License-Identifier: MIT
"""Section 5 tells from which burst lengths on AES4 and AES6 are the best, for two cache lines.

Ours: on the Lx by the model with the published coefficients; on a VLIW that runs (`hexagon`, behind
the Lx's data cache) and on an ARM9 (`arm920t`, behind its own caches) with E and c of their own at
three levels of the compiler, each predicted by the model and simulated, as the mean of 12 keys and
texts.  A crossover is the first length of burst from which on the second version takes no longer,
up to 1023 calls.

What differs: code, compilers and processors, and with them E, so crossovers elsewhere need not be
the Lx's, and those that are not are not judged on their code, as in the bounds on the Lx; what the
model promises is that they are simulated where it predicts them.  That AES6 never takes over
follows from its cycles without misses, and is judged once: in Section 5, coefficients.  The text
says "between 45 and 680 calls AES6 is the best", which must read AES4.  The Lx's two penalties of a
miss were recovered from its four crossovers, so that half of the agreement there is by
construction.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from aesfit.cachemodel.equations import Floats
from aesfit.cachemodel.validation.compare import Place
from aesfit.jobs.job import Progress
from aesfit_papers.judging.cache import (
    AT_LEVELS,
    CROSSOVERS,
    EVERY,
    LINES,
    LX,
    REBUILT,
    SIMULATED,
    STEPS,
    VERSIONS,
    as_printed,
    by_core,
    caches,
    crossing,
    judged,
    of,
    predicted,
    rests_on,
    shown,
    simulated,
)
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.contract import (
    CODE_DIFFERS,
    Claim,
    Column,
    Measured,
    Pair,
    Part,
    ResultTable,
    Row,
    Words,
)
from aesfit_papers.judging.place import ClaimPlace, at, in_row
from aesfit_papers.judging.tables import NOTHING, number

NUMBER = "Section 5, crossovers"
TITLE = "Burst lengths at which the best version changes"
COLUMNS = (
    Column("place"),
    Column("how"),
    Column("line", "B"),
    Column("before"),
    Column("to"),
    Column("published_calls", "calls"),
    Column("calls", "calls"),
    Column("cycles_gained", "cycles"),
)
FAST = False
_PREDICTED, _SIMULATED, _PRINTED = "predicted", "simulated", "sum as printed"


def _rows(
    place: str, how: str, line: int, calls: Floats, curves: Mapping[str, Floats]
) -> list[Row]:
    cycles = {one.core: one.cycles_per_call for one in of(place)}
    return [
        {
            "place": place,
            "how": how,
            "line": line,
            "before": VERSIONS[before],
            "to": VERSIONS[to],
            "published_calls": CROSSOVERS[line, before, to],
            "calls": crossing(calls, curves[before], curves[to]),
            "cycles_gained": cycles[before] - cycles[to],
        }
        for before, to in STEPS
    ]


def rows(progress: Progress) -> Measured:
    """Both changes, at both lines, in all places."""
    made: list[Row] = []
    for place in EVERY:
        for line in LINES:
            answer = predicted(place, line, last=SIMULATED)
            made += _rows(place, _PREDICTED, line, answer.calls, answer.per_call)
    calls = np.arange(1, SIMULATED + 1, dtype=np.float64)
    for line in LINES:
        curves = {one.core: as_printed(one, caches(LX, line), calls) for one in of(LX)}
        made += _rows(LX, _PRINTED, line, calls, curves)
    for place in (place for place in EVERY if place != LX):
        where = {line: Place(caches(place, line).data) for line in LINES}
        points = simulated(place, tuple(where.values()), range(1, SIMULATED + 1), progress)
        for line, one in where.items():
            made += _rows(place, _SIMULATED, line, *by_core([p for p in points if p.place == one]))
    return Measured(made, rests_on(EVERY))


def _calls(rows: Sequence[Row]) -> dict[ClaimPlace, float]:
    """By place; 0 where the second version never takes over."""
    return {
        place + ("" if row["calls"] else "never"): figure(row["calls"] or 0)
        for row in rows
        for place in [in_row(row, "place").of(how=row["how"], line=row["line"], to=row["to"])]
    }


def claims(rows: Sequence[Row]) -> list[Claim]:
    """The first crossover, how lines move it, and the model against the simulation."""
    cell = found(rows, "place", "how", "line", "to")
    return [*_published(judged(rows)), _larger_lines(cell), _confirmed(cell)]


def _published(rows: Sequence[Row]) -> list[Claim]:
    """The crossover of AEST and AES4 at both lines, as the model predicts it."""
    made = []
    for line in LINES:
        calls = CROSSOVERS[line, *STEPS[0]]
        some = [
            row
            for row in rows
            if (row["how"], row["line"], row["to"]) == (_PREDICTED, line, "AES4")
        ]
        sentence = f"With lines of {line} bytes AES4 is better than AEST from {calls} calls on."
        why = (
            f"{REBUILT} The number of calls is the cost of the tables' lines over the cycles that "
            f"a call gains: {_gained(some)}."
        )
        made.append(Claim(sentence, "part", _calls(some), calls, cause=CODE_DIFFERS, why=why))
    return made


def _gained(rows: Sequence[Row]) -> str:
    """Cycles that a call gains, by place."""
    return ", ".join(f"{figure(row['cycles_gained']):g} on {row['place']}" for row in rows)


def _follows(rows: Sequence[Row]) -> str:
    """Where AES6 never takes over, which its cycles without misses decide."""
    some = [row for row in judged(rows) if row["to"] == "AES6" and row["place"] != LX]
    never = [row for row in some if row["calls"] is None]
    lost = {str(row["place"]): -figure(row["cycles_gained"]) for row in never}
    return (
        "AES6, which on the Lx is better than AES4 from 680 calls on with lines of 16 bytes and "
        f"from 420 with 32, never takes over in {len(never)} of {len(some)} predictions and "
        "simulations on the processors that run. This follows from the claim "
        "`cache_coefficients:6` and is not counted again: even without misses AES6 takes more "
        f"cycles a call than AES4 there, {', '.join(f'{n:g} ({at})' for at, n in lost.items())}, "
        "so that no burst is long enough to pay for its further lines."
    )


def _larger_lines(cell: Callable[..., Row]) -> Claim:
    earlier = {
        at(place=place, how=how).of(line=LINES, to="AES4"): Pair(
            *(figure(cell(place, how, line, "AES4")["calls"]) for line in LINES)
        )
        for place in (LX, *AT_LEVELS)
        for how in (_PREDICTED, *([] if place == LX else [_SIMULATED]))
    }
    sentence = (
        "With larger lines AES4 is better than AEST from fewer calls on (calls with small lines "
        "first)."
    )
    return Claim(sentence, "order", earlier)


def _confirmed(cell: Callable[..., Row]) -> Claim:
    both = (_SIMULATED, _PREDICTED)
    close = {
        at(place=place, line=line).of(how=both, to="AES4"): Pair(
            *(figure(cell(place, how, line, "AES4")["calls"]) for how in both)
        )
        for place in AT_LEVELS
        for line in LINES
    }
    sentence = (
        "Simulation confirms the crossover of AEST and AES4 that the model predicts (simulated "
        "over predicted)."
    )
    return Claim(sentence, "part", close, 1)


def render(rows: Sequence[Row]) -> list[Part]:
    """Crossovers by place, and what the printed sum would give."""
    head = ("processor", "how", "line", "to AES4", "published", "to AES6")
    cells = []
    some = shown(rows)
    for first, second in zip(some[::2], some[1::2], strict=True):
        line = [number(first[name]) for name in ("place", "how", "line")]
        for row in (first, second):
            line += [number(row["calls"]) if row["calls"] else NOTHING]
            line += [number(row["published_calls"] if row["place"] == LX else None)]
        cells.append(tuple(line))
    met = {
        how: sum(
            row["calls"] == row["published_calls"]
            for row in rows
            if (row["place"], row["how"]) == (LX, how)
        )
        for how in (_PREDICTED, _PRINTED)
    }
    words = (
        f"The model of the Lx meets {met[_PREDICTED]} of {len(CROSSOVERS)} published crossovers to "
        "the call, with one penalty for each line. With the sum of equation 1 as it is printed, "
        f"from t = 1 on, it meets {met[_PRINTED]}: that sum leaves out one line of each table."
    )
    note = (
        "Calls of a burst from which on AES4 is better than AEST, and AES6 than AES4, which never "
        "comes where there is no figure; a line in bytes. What was published is the Lx's alone."
    )
    crossovers = ResultTable("Crossovers", (*head, "published"), tuple(cells), note)
    return [crossovers, Words(words), Words(_follows(rows))]
