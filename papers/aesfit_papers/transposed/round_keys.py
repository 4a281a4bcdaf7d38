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

from collections.abc import Sequence
from itertools import product

from aesfit.jobs.job import Progress
from aesfit_papers.instruction_counts.block_run import BlockQuestion, standard_rounds
from aesfit_papers.instruction_counts.block_run import run as run_block
from aesfit_papers.instruction_counts.operations import count
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.codes import both_codes, with_difference
from aesfit_papers.judging.contract import (
    OUR_CODE,
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    Row,
    Value,
)
from aesfit_papers.judging.levels import at_levels, place_of, platform_at, with_own_flags
from aesfit_papers.judging.place import ClaimPlace, at
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
    rows = at_levels(rows)
    made = [_cheaper(rows), _few_instructions(rows), _more_shifts(rows), _longer_keys(rows)]
    return [with_difference(claim, _NAME, SHORTER_SCHEDULE) for claim in made]


_FORMS = tuple(zip(("printed", "transposed"), BY_CODE, strict=True))
"""Columns of the transposed schedule, and what their places add."""


def _against_columns(rows: Sequence[Row], what: str, bits: int = 128) -> dict[ClaimPlace, Pair]:
    """What the transposed schedule takes, against columns."""
    return {
        place + code: pair
        for form, code in _FORMS
        for place, pair in pairs(rows, f"{form}{what}", f"columns{what}", key_bits=bits).items()
    }


def _cheaper(rows: Sequence[Row]) -> Claim:
    both = {
        at(key_bits=bits) + place + code: pair
        for form, code in _FORMS
        for bits in _BITS
        for place, pair in pairs(rows, "finished_then_transposed", form, key_bits=bits).items()
    }
    printed = [pair for place, pair in both.items() if OUR_CODE not in place]
    lost = [pair for pair in printed if pair.a <= pair.b]
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


def _few_instructions(rows: Sequence[Row]) -> Claim:
    more = _against_columns(rows, "_instructions")
    at_128 = [row for row in rows if row["key_bits"] == 128]
    worst = max(at_128, key=lambda row: more[place_of(row)].ratio)
    sentence = (
        "The transposed schedule of 128-bit keys executes only a few instructions more "
        "(transposed over columns)."
    )
    why = (
        "The formulas printed there take 17 XORs and 16 shifts for a round key, where the "
        "column-wise schedule takes 5 XORs and a rotation; table 2 itself has 1.41 and 1.50 times "
        f"the cycles on the two ARMs. It is most on {place_of(worst)}, where the column-wise "
        f"schedule has {worst['columns_shifts']} shifts and the transposed one "
        f"{worst['printed_shifts']}."
    )
    return Claim(sentence, "equal", more, cause="the paper's own figures disagree", why=why)


def _more_shifts(rows: Sequence[Row]) -> Claim:
    sentence = "It needs more shifts than the column-wise one (shifts, 128-bit keys)."
    return Claim(sentence, "order of counts", _against_columns(rows, "_shifts"))


def _longer_keys(rows: Sequence[Row]) -> Claim:
    at_128 = _against_columns(rows, "")
    longer = {
        place.of(key_bits=(128, 192)): Pair(pair.ratio, at_128[place].ratio)
        for place, pair in _against_columns(rows, "", 192).items()
    }
    printed = [pair for place, pair in longer.items() if OUR_CODE not in place]
    sentence = (
        "The 192-bit schedule is more complex transposed (ratio to columns at 192 bits, against "
        "that at 128)."
    )
    lost = [pair for pair in printed if pair.a <= pair.b]
    if not lost:
        return Claim(sentence, "order", longer)
    why = (
        f"It is not in {len(lost)} of {len(printed)} places. Both transposed schedules are "
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
