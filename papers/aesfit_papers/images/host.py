# SPDX-License-Identifier: MIT
"""Figure 3 on this computer: encryption time over picture size, key size and optimisation.

Ours: ECB by the library over whole pictures of 200 x 200, 300 x 300 and 400 x 400 pixels, the four
codes bound at compile time as 32-bit programs for x86 (i686), the paper's architecture, at four
levels of the compiler; CBC over the largest picture beside it.

What differs: the processor is decades younger than a Pentium 4.  Core cycles in user mode are
counted by its own counters (perf_event), the least of 15 runs of each picture; the codes take
turns.  They vary a little with what else runs here, but do not count time given to others.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import product

from aesfit.building.build import compiler_version
from aesfit.jobs.job import Job, Progress
from aesfit.pictures.scenes import scene
from aesfit.platforms.find import platform_named
from aesfit.rigs.host.child import Child, program_of
from aesfit.rigs.host.exercise import exercise_of
from aesfit.rigs.host.rig import MismatchError
from aesfit.rigs.rig import RigUnavailableError
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import Bars, ChartLine, ChartPanel, Scale, bars, panels
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row, Value
from aesfit_papers.judging.images import (
    CORES,
    EDGES,
    LEVELS,
    PLAIN,
    PRODUCT_BY_FUNCTION,
    SAVED,
    shares_saved,
    span,
    whole_percent,
)
from aesfit_papers.judging.place import ClaimPlace, at
from aesfit_papers.judging.provenance import machine
from aesfit_papers.judging.tables import table

NUMBER = "Figure 3, this computer"
TITLE = "Encryption time over picture size, key size and optimisation, timed"
_KEYS = (128, 192, 256)
COLUMNS = (
    Column("flags"),
    Column("code"),
    Column("key_bits"),
    *(Column(f"picture_{edge}", "cycles", exact=False) for edge in EDGES),
    Column("cbc_400", "cycles", exact=False),
)
FAST = False
_PLATFORM = "i686"
_RUNS = 15
_SIZE_RATIO = 4.0
"""Of the pixels of the largest picture and the smallest (468 and 117 KB)."""


def rows(progress: Progress) -> Measured:
    """Each code, key and picture; the codes take turns."""
    data = {edge: scene("landscape", edge).data for edge in EDGES}
    asked = [("ecb", edge) for edge in EDGES] + [("cbc", max(EDGES))]
    every = list(product(LEVELS, _KEYS))
    made: list[Row] = []
    for done, (level, bits) in enumerate(every):
        progress(done, len(every))
        counted = [_counted(level, bits, mode, data[edge]) for mode, edge in asked]
        for core, code in CORES.items():
            row: dict[str, Value] = {"flags": level, "code": code, "key_bits": bits}
            row |= {f"picture_{edge}": one[core] for edge, one in zip(EDGES, counted, strict=False)}
            made.append({**row, "cbc_400": counted[-1][core]})
    platform = platform_named(_PLATFORM)
    target = " ".join(platform.compiler.target)
    compiled = f"{_PLATFORM}: {compiler_version(platform)}; {target}, then {' or '.join(LEVELS)}"
    return Measured(made, (compiled, machine()))


def _counted(level: str, bits: int, mode: str, data: bytes) -> dict[str, int]:
    """Core cycles of one call over the picture, the least, by core; outputs are compared."""
    platform = platform_named(_PLATFORM)
    least: dict[str, int] = {}
    with ExitStack() as stack:
        children: dict[str, Child] = {}
        for core in CORES:
            job = Job(platform, core, bits, "encrypt", mode, len(data), (level,), text=data)
            exercise = exercise_of(job)
            children[core] = stack.enter_context(Child(program_of(job), exercise))
            if children[core].output() != exercise.result:
                raise MismatchError(f"{core} gives a wrong result for {mode}")
        for _, (core, child) in product(range(_RUNS), children.items()):
            cycles = child.run(1).core_cycles
            if cycles is None:
                raise RigUnavailableError(
                    "perf_event gives no core cycles here; try: sysctl kernel.perf_event_paranoid=2"
                )
            least[core] = min(cycles, least.get(core, cycles))
    return least


def _left(rows: Sequence[Row], code: str) -> dict[ClaimPlace, Pair]:
    """Time against the plain code's."""
    return pairs(rows, "picture_400", by=("flags",), code=(code, CORES[PLAIN]), key_bits=128)


def _why(gains: Mapping[ClaimPlace, float]) -> str:
    kept, apart = (
        [one for at, one in gains.items() if ("-O3" in at) is on] for on in (False, True)
    )
    return (
        f"The gain is {span(kept)} at -O0, -Os and -O2 and {span(apart)} at -O3: which "
        "loops the compiler keeps decides, as on the emulated processors. "
        f"{PRODUCT_BY_FUNCTION}"
    )


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Gains, proportion to size, CBC against ECB."""
    made = [
        Claim(f"{code} takes {100 * share:.0f} % less time than unoptimised code.", "effect",
              _left(rows, code), share, "saved", "our code differs",
              _why(shares_saved(_left(rows, code))))
        for code, share in SAVED.items()
    ]  # fmt: skip
    size, chained = (
        pairs(rows, a, b, ("code", "flags"), key_bits=128)
        for a, b in (("picture_400", "picture_200"), ("cbc_400", "picture_400"))
    )
    added = [100 * (pair.ratio - 1) for pair in chained.values()]
    chain = (
        f"CBC adds {min(added):.1f} to {max(added):.1f} %: an "
        "XOR of 16 bytes for each block, against which the compiler's other code for the same "
        "rounds can weigh more."
    ).replace("-", "\N{MINUS SIGN}")
    made += [
        Claim("Time rises with the size of the picture: 4 times from 117 to 468 KB.", "effect",
              size, _SIZE_RATIO),
        Claim("CBC takes more time than ECB (cycles of either).", "order", chained,
              cause="compiler or processor", why=chain),
    ]  # fmt: skip
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """The figure by level, gains, and all times."""
    cell = found(rows, "flags", "code", "key_bits")
    every = [
        ChartPanel(
            level,
            [
                ChartLine(code, [(kib, figure(cell(level, code, 128)[f"picture_{edge}"]) / 1e6)
                            for edge, kib in EDGES.items()])
                for code in CORES.values()
            ],
        )
        for level in LEVELS
    ]  # fmt: skip
    top = max(one for panel in every for line in panel.lines for _, one in line.points) * 1.06
    image = panels(every, Scale("KB of pixels", limits=(0, 500)),
                   Scale("million cycles", limits=(0, top)))  # fmt: skip
    series = [
        Bars(level, [100 * (1 - _left(rows, code)[at(flags=level)].ratio) for code in SAVED])
        for level in LEVELS
    ]
    series.append(Bars("published", [100 * share for share in SAVED.values()]))
    saved = bars(tuple(SAVED), series, Scale("time saved, %"), write=whole_percent)
    shown = [("flags", "flags"), ("code", "code"), ("key", "key_bits")]
    shown += [(f"{edge} x {edge}", f"picture_{edge}") for edge in EDGES]
    shown.append(("CBC, 400 x 400", "cbc_400"))
    return [
        Figure("Time by picture and level of the compiler, keys of 128 bits", image, ".svg",
               "Lines over the size of the picture for four codes at four levels."),
        Figure("What each optimisation saves, 128 bits", saved, ".svg",
               "Bars of the gains at four levels and as published."),
        table("Core cycles of each picture", rows, shown),
    ]  # fmt: skip
