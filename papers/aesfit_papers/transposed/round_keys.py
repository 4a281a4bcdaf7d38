# SPDX-License-Identifier: MIT
"""Section 3.2: transposing finished round keys costs much more than computing them transposed.

The transposed schedule, in turn, is said to cost just a few shifts more than the column-wise one,
and a little more trouble with 192-bit keys.

Ours: the schedules of the cores `transposed_paper`, which is the paper's as printed, `transposed`,
which sums over a row with two shifts instead of three, and `sbox_columns`, for all key sizes on six
32-bit processors; what the paper rejects is the latter and a loop that transposes all round keys in
place, compiled and run by itself.  Shifts, folded ones among them, are counted from the
instructions that the schedules of 128-bit keys executed.  Claims are judged on the code as printed,
at -Os, -O2 and -O3; tables and bars show each platform's own flags.

What differs: of 192-bit keys the paper prints no formula, and tells only that it works on an array
of eight words; it does not print the column-wise schedule, of which it says that it has no shifts.
The library's takes bytes out of words and puts them together again by shifts.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from aesfit.jobs.job import Progress
from aesfit_papers.instruction_counts.block_run import BlockQuestion, standard_rounds
from aesfit_papers.instruction_counts.block_run import run as run_block
from aesfit_papers.instruction_counts.operations import count
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.codes import both_codes, with_difference
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    Row,
    Value,
)
from aesfit_papers.judging.levels import at_levels, by_place, platform_at, with_own_flags
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import table
from aesfit_papers.judging.transposed import (
    BY_CODE,
    BY_COLUMNS,
    PLATFORMS,
    PRINTED_ROWS,
    SHORTER_SCHEDULE,
    TRANSPOSED,
    run_sizes,
    steps_at_levels,
)

NUMBER = "Section 3.2"
TITLE = "Round keys computed transposed, or transposed once they are finished"
_NAME = "transposed_round_keys"
_CORES = {"columns": BY_COLUMNS, "printed": PRINTED_ROWS, "transposed": TRANSPOSED}
"""By column of the rows."""
_TITLES = {"columns": "columns", "printed": "transposed as printed", "transposed": "our transposed"}
_COUNTED = ("shifts", "instructions")
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("key_bits", "bits"),
    *(Column(name, "cycles") for name in _CORES),
    Column("transposition", "cycles"),
    Column("finished_then_transposed", "cycles"),
    *(Column(f"{name}_{kind}") for kind in _COUNTED for name in _CORES),
)
FAST = False
_BITS = (128, 192, 256)
_OP = "key-setup-encrypt"


def _executed(name: str, level: str | None, core: str, bits: int) -> tuple[int, int]:
    """Shifts and instructions of a schedule."""
    platform = platform_at(name, level)
    ran = run_block(BlockQuestion(platform, core, bits, standard_rounds(bits)), "encrypt")
    counts = count(ran.setup, ran.instructions)
    return counts.classes["shift"] + counts.folded_shifts, counts.instructions


def rows(progress: Progress) -> Measured:
    """All key sizes."""
    taken = run_sizes(PLATFORMS, tuple(_CORES.values()), _BITS, (_OP,), progress)
    made: list[Row] = []
    for ((name, level), steps), bits in product(
        steps_at_levels(PLATFORMS, progress).items(), _BITS
    ):
        rounds = standard_rounds(bits)
        cycles = {form: taken[name, level, core, bits, _OP].cycles for form, core in _CORES.items()}
        turned = steps.run("transpose_keys", tuple(range(4 * (rounds + 1))), rounds).cycles
        row: dict[str, Value] = {"platform": name, "flags": level, "key_bits": bits, **cycles}
        row |= {"transposition": turned, "finished_then_transposed": cycles["columns"] + turned}
        for form, core in _CORES.items():
            for kind, count_ in zip(_COUNTED, _executed(name, level, core, bits), strict=True):
                row[f"{form}_{kind}"] = count_
        made.append(row)
    return Measured(made, lines(list(taken.values())))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Which way is cheaper, and what the transposed schedule costs beyond the column-wise one."""
    cell = by_place(at_levels(rows), "key_bits")
    at_128 = {place: cell(place, 128) for place in _PLACES}
    made = [_cheaper(cell), _few_instructions(at_128), _more_shifts(at_128), _longer_keys(cell)]
    return [with_difference(claim, _NAME, SHORTER_SCHEDULE) for claim in made]


_PLACES = tuple(f"{name}, {level}" for name, level in product(PLATFORMS, RELEASE))
_FORMS = tuple(zip(("printed", "transposed"), BY_CODE, strict=True))
"""Columns of the transposed schedule, and what their places add."""


def _cheaper(cell: Callable[..., Row]) -> Claim:
    both = {
        f"{bits} bits, {place}{code}": Pair(
            figure(cell(place, bits)["finished_then_transposed"]), figure(cell(place, bits)[form])
        )
        for form, code in _FORMS for bits in _BITS for place in _PLACES
    }  # fmt: skip
    printed = [f"{bits} bits, {place}" for bits in _BITS for place in _PLACES]
    lost = [at for at in printed if both[at].a <= both[at].b]
    half_used = (
        f"It does not in {len(lost)} of {len(printed)} places. With 192-bit keys the array of "
        "eight words is a quarter empty, and two of three round keys are put together from halves, "
        "while columns run through all key sizes alike."
    )
    sentence = (
        "Transposing the finished round keys costs more than computing them transposed (cycles "
        "of the one against the other)."
    )
    if not lost:
        return Claim(sentence, "order", both)
    return Claim(sentence, "order", both, cause="our code differs", why=half_used)


def _few_instructions(at_128: Mapping[str, Row]) -> Claim:
    more = {
        f"{name}{code}": Pair(
            figure(row[f"{form}_instructions"]), figure(row["columns_instructions"])
        )
        for form, code in _FORMS for name, row in at_128.items()
    }  # fmt: skip
    worst = max(_PLACES, key=lambda name: more[name].ratio)
    sentence = (
        "The transposed schedule of 128-bit keys executes only a few instructions more "
        "(transposed over columns)."
    )
    why = (
        "The formulas printed there take 17 XORs and 16 shifts for a round key, where the "
        "column-wise schedule takes 5 XORs and a rotation; table 2 itself has 1.41 and 1.50 times "
        f"the cycles on the two ARMs. It is most on {worst}, where the column-wise schedule has "
        f"{at_128[worst]['columns_shifts']} shifts and the transposed one "
        f"{at_128[worst]['printed_shifts']}."
    )
    return Claim(sentence, "equal", more, cause="the paper's own figures disagree", why=why)


def _more_shifts(at_128: Mapping[str, Row]) -> Claim:
    more = {
        f"{name}{code}": Pair(figure(row[f"{form}_shifts"]), figure(row["columns_shifts"]))
        for form, code in _FORMS for name, row in at_128.items()
    }  # fmt: skip
    sentence = "It needs more shifts than the column-wise one (shifts, 128-bit keys)."
    return Claim(sentence, "order of counts", more)


def _longer_keys(cell: Callable[..., Row]) -> Claim:
    def ratio(name: str, form: str, bits: int) -> float:
        return figure(cell(name, bits)[form]) / figure(cell(name, bits)["columns"])

    longer = {
        f"{name}{code}": Pair(ratio(name, form, 192), ratio(name, form, 128))
        for form, code in _FORMS for name in _PLACES
    }  # fmt: skip
    sentence = (
        "The 192-bit schedule is more complex transposed (ratio to columns at 192 bits, against "
        "that at 128)."
    )
    lost = [place for place in _PLACES if longer[place].a <= longer[place].b]
    if not lost:
        return Claim(sentence, "order", longer)
    why = (
        f"It is not in {len(lost)} of {len(_PLACES)} places. Both transposed schedules are "
        "unrolled over the three round keys that two steps of 192-bit keys make, while columns run "
        "through all key sizes by one loop, which costs them most at 192 bits."
    )
    return Claim(sentence, "order", longer, cause="our code differs", why=why)


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles three ways, and what was executed."""
    judged, rows = claims(rows), with_own_flags(rows)
    shown = [("platform", "platform"), ("key bits", "key_bits")]
    shown += [(title, form) for form, title in _TITLES.items()]
    shown += [("transposing them", "transposition")]
    shown += [("columns, then transposed", "finished_then_transposed")]
    told = [("platform", "platform")]
    told += [(f"{kind}: {title}", f"{form}_{kind}")
             for kind in _COUNTED for form, title in _TITLES.items()]  # fmt: skip
    cell = found(rows, "platform", "key_bits")
    parts: list[Part] = [
        table("Cycles of a key schedule", rows, shown),
        table("Executed for a 128-bit key", [cell(name, 128) for name in PLATFORMS], told),
        both_codes(judged, _NAME),
    ]
    for bits in _BITS:
        series = [
            Bars(title, [figure(cell(name, bits)[column]) for name in PLATFORMS])
            for title, column in (
                *((title, form) for form, title in _TITLES.items()),
                ("columns, then transposed", "finished_then_transposed"),
            )
        ]
        image = bars(PLATFORMS, series, Scale("cycles"))
        alt = f"Bars: four ways to round keys of {bits}-bit keys on each processor."
        parts.append(Figure(f"Key schedule, {bits}-bit keys", image, ".svg", alt))
    return parts
