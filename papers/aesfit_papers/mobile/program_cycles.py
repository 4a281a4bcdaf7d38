# SPDX-License-Identifier: MIT
"""Tables 1 and 2 print the times of V1, by which its code and its compiler's level are sought.

V1 takes 1200 us for a block and 1590 us for a key schedule, the final implementation 323 and 120 us
(minima).

Ours: V1 in every shape that the text allows, written from sections 2 and 5 and from FIPS 197: the
macro Xtime by a mask, a branch or a product; MixColumns with eight or with four doublings a column;
steps that are called or inlined, with loops or written out; bytes held in 8 or in 32 bits; and key
schedules by rows or by columns, for keys of 128 bits or of every size.  gcc compiles them for an
emulated ARM7TDMI at four levels, beside the final implementation, `mobile`, at the same level.  The
clock is not known, so that a program is compared by two ratios: its block and its key schedule,
each over a block of the final implementation.  Its distance is the mean of |ln(ratio / published)|.
The final implementation's key schedule is no property of V1, and is only shown.

What differs: the compiler is not the paper's, and the final implementation is ours.  What is found
by its cycles is not judged on its cycles: nothing is judged here.
"""

from collections.abc import Sequence
from math import exp, log

from aesfit.building.build import compiler_version
from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.file_bench import javed
from aesfit_papers.file_bench.question import LEVELS
from aesfit_papers.instruction_counts.code_sizes import with_flags
from aesfit_papers.instruction_counts.v1_shapes import BLOCKS, KEYS, V1Run
from aesfit_papers.judging import mobile
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Claim, Column, Measured, Part, ResultTable, Row, Words
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.provenance import measured, rests_on
from aesfit_papers.judging.rule import BAND, word
from aesfit_papers.judging.tables import number

NUMBER = "Table 1, the program"
TITLE = "V1 sought by its cycles"
COLUMNS = (
    Column("flags"),
    Column("function"),
    Column("shape"),
    Column("cycles", "cycles"),
    Column("final", "cycles"),
    Column("published_v1_min", "us"),
    Column("published_final_min", "us"),
)
FAST = False
_BLOCK, _KEYS = "block", "key schedule"
_OPS = {_BLOCK: "encrypt-block", _KEYS: "key-setup-encrypt"}
_TIMES = {_BLOCK: javed.BLOCK, _KEYS: javed.KEY_SCHEDULE}
_TOLD = 11
"""The best program and the ten next."""
_RATIOS = ("block, V1 / final", "key schedule / block of final", "key schedule, V1 / final")
_PUBLISHED = (
    javed.BLOCK.min,
    javed.KEY_SCHEDULE.v1_min / javed.BLOCK.final_min,
    javed.KEY_SCHEDULE.min,
)
_HEADLINE = 3
"""How many times as fast the final implementation is said to be, or more."""
_SOUGHT = 2
"""The first two of these are sought."""
Program = tuple[str, str, str]
"""A level, and the shapes of block and key schedule."""


def rows(progress: Progress) -> Measured:
    """Every shape at every level on the paper's processor."""
    platform = platform_named(mobile.PLATFORMS[0])
    made: list[Row] = []
    for done, flags in enumerate(LEVELS):
        progress(done, len(LEVELS))
        run = V1Run(with_flags(platform, flags))
        taken = {
            _KEYS: {shape: run.keys(shape) for shape in KEYS},
            _BLOCK: {shape: run.block(shape) for shape in BLOCKS},
        }
        jobs = [Job(platform, javed.FINAL, javed.KEY_BITS, op, flags=flags) for op in _OPS.values()]
        final = dict(zip(_OPS, measured(jobs), strict=True))
        made += [
            {"flags": mobile.level(flags), "function": function, "shape": shape, "cycles": cycles,
             "final": final[function].cycles,
             "published_v1_min": _TIMES[function].v1_min,
             "published_final_min": _TIMES[function].final_min}
            for function in _OPS for shape, cycles in taken[function].items()
        ]  # fmt: skip
    target = " ".join(platform.compiler.target)
    told = f"{platform.name}: {compiler_version(platform)}; {target}; {rests_on(platform)}"
    return Measured(made, (told,))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """None: what is found by its cycles is not judged on its cycles."""
    del rows
    return []


def ranked(rows: Sequence[Row]) -> list[tuple[float, Program, tuple[float, ...]]]:
    """Every program, the nearest first: its distance, and all three ratios."""
    found = []
    for level in dict.fromkeys(str(row["flags"]) for row in rows):
        here = [row for row in rows if row["flags"] == level]
        blocks = [row for row in here if row["function"] == _BLOCK]
        for keys in (row for row in here if row["function"] == _KEYS):
            for block in blocks:
                taken, one_block = figure(keys["cycles"]), figure(block["final"])
                ratios = (
                    figure(block["cycles"]) / one_block,
                    taken / one_block,
                    taken / figure(keys["final"]),
                )
                both = zip(ratios[:_SOUGHT], _PUBLISHED[:_SOUGHT], strict=True)
                away = [abs(log(one / theirs)) for one, theirs in both]
                program = (level, str(block["shape"]), str(keys["shape"]))
                found.append((sum(away) / len(away), program, ratios))
    return sorted(found)


def render(rows: Sequence[Row]) -> list[Part]:
    """The nearest and the ten next, how sure it is, and what follows for long files."""
    found = ranked(rows)
    head = ("", "level", "shape of a block", "shape of the key schedule", *_RATIOS, "off by")
    lines = [
        (number(place), level, block, keys, *(f"{one:.2f}" for one in ratios), _share(distance))
        for place, (distance, (level, block, keys), ratios) in enumerate(found[:_TOLD], 1)
    ]
    theirs = ("", "published, minima", "", "", *(f"{one:.2f}" for one in _PUBLISHED), "")
    note = (
        "A block: Xtime by a mask, a branch or a product; eight doublings a column (sum) or four; "
        "steps called or inlined; loops or written out; bytes in 8 bits or in 32 (words). The key "
        "schedule: by rows or columns; all and counted: for every size of key, with divisions and "
        "without."
    )
    return [
        ResultTable("The nearest and the ten next", head, (*lines, theirs), note),
        Words(_sure(found)),
        Words(_three_times(rows)),
        Words(_follows(found)),
    ]


def _share(distance: float) -> str:
    return f"{100 * (exp(distance) - 1):.1f} %"


def _sure(found: Sequence[tuple[float, Program, tuple[float, ...]]]) -> str:
    """How many agree as well, and what they have in common."""
    alike = [one for distance, one, _ in found if distance <= found[0][0] + BAND]
    levels = dict.fromkeys(level for _, (level, _, _), _ in found)
    least = {level: min(away for away, one, _ in found if one[0] == level) for level in levels}
    kinds = [dict.fromkeys(some) for some in zip(*alike, strict=True)]
    told = ", ".join(f"{_share(away)} at {level}" for level, away in least.items())
    return (
        f"Of {len(found):,} programs {len(alike)} agree as well, within 2 % of the nearest; they "
        f"are of {', '.join(kinds[0])}, with {len(kinds[1])} shapes of a block and "
        f"{len(kinds[2])} of the key schedule ({', '.join(kinds[2])}). The nearest of each level "
        f"is off by {told}."
    )


def three_times(rows: Sequence[Row]) -> tuple[int, int, int]:
    """Shapes of a block at levels that optimise: all, more than 3 times, and with the band."""
    ratios = [
        figure(row["cycles"]) / figure(row["final"])
        for row in rows
        if row["function"] == _BLOCK and row["flags"] in RELEASE
    ]
    return (
        len(ratios),
        sum(one > _HEADLINE for one in ratios),
        sum(word("at least", one, 1, _HEADLINE, "times") == "holds" for one in ratios),
    )


def _three_times(rows: Sequence[Row]) -> str:
    every, more, held = three_times(rows)
    return (
        f"Of {every} formulations of V1 at levels that optimise (-Os, -O2 and -O3), {more} take "
        f"more than {_HEADLINE} times as long for a block as the final implementation, and {held} "
        "with the rule's band of 2 %: the headline depends on how V1 was written and compiled."
    )


def _follows(found: Sequence[tuple[float, Program, tuple[float, ...]]]) -> str:
    """What no choice among these programs can change: the ratio of long files."""
    least, most = (pick(ratios[0] for _, _, ratios in found[:_TOLD]) for pick in (min, max))
    return (
        "Neither table is judged on these programs, because they were found by it; table 3 is not "
        f"of these cycles. On the nearest {_TOLD} a block takes {least:.2f} to {most:.2f} times "
        "that of the final implementation. Chaining adds the same cycles to both, so that with "
        "these no file can gain more: where table 3 has nearly twenty times from 1 MiB on, its "
        "figures cannot be those of the programs of table 1."
    )
