# SPDX-License-Identifier: MIT
"""Section 3.2: transposing finished round keys costs much more than computing them transposed.

The transposed schedule, in turn, is said to cost just a few shifts more than the column-wise one,
and a little more trouble with 192-bit keys.

Ours: the schedules of the cores `transposed_paper`, which is the paper's as printed, `transposed`,
which sums over a row with two shifts instead of three, and `sbox_columns`, for all key sizes on six
32-bit processors; what the paper rejects is the latter and a loop that transposes all round keys in
place, compiled and run by itself.  Shifts, folded ones among them, are counted from the
instructions that the schedules of 128-bit keys executed.  Claims are judged on the code as printed.

What differs: of 192-bit keys the paper prints no formula, and tells only that it works on an array
of eight words; it does not print the column-wise schedule, of which it says that it has no shifts.
The library's takes bytes out of words and puts them together again by shifts.
"""

from collections.abc import Callable, Mapping, Sequence

from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.instruction_counts.block_run import BlockQuestion, standard_rounds
from aesfit_papers.instruction_counts.block_run import run as run_block
from aesfit_papers.instruction_counts.operations import count
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.codes import both_codes, with_difference
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import table
from aesfit_papers.judging.transposed import (
    BY_CODE,
    BY_COLUMNS,
    PLATFORMS,
    PRINTED_ROWS,
    SHORTER_SCHEDULE,
    TRANSPOSED,
    run,
    steps_of,
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
    Column("key_bits", "bits"),
    *(Column(name, "cycles") for name in _CORES),
    Column("transposition", "cycles"),
    Column("finished_then_transposed", "cycles"),
    *(Column(f"{name}_{kind}") for kind in _COUNTED for name in _CORES),
)
FAST = False
_BITS = (128, 192, 256)
_OP = "key-setup-encrypt"


def _executed(name: str, core: str, bits: int) -> tuple[int, int]:
    """Shifts and instructions of a schedule."""
    ran = run_block(
        BlockQuestion(platform_named(name), core, bits, standard_rounds(bits)), "encrypt"
    )
    counts = count(ran.setup, ran.instructions)
    return counts.classes["shift"] + counts.folded_shifts, counts.instructions


def rows(progress: Progress) -> Measured:
    """All key sizes."""
    taken = run(PLATFORMS, tuple(_CORES.values()), (_OP,), progress, sizes=_BITS)
    made: list[Row] = []
    for name, steps in steps_of(PLATFORMS, progress).items():
        for bits in _BITS:
            rounds = standard_rounds(bits)
            cycles = {form: taken[name, core, bits, _OP].cycles for form, core in _CORES.items()}
            turned = steps.run("transpose_keys", tuple(range(4 * (rounds + 1))), rounds).cycles
            row: dict[str, str | float] = {"platform": name, "key_bits": bits, **cycles}
            row |= {"transposition": turned, "finished_then_transposed": cycles["columns"] + turned}
            for form, core in _CORES.items():
                for kind, count_ in zip(_COUNTED, _executed(name, core, bits), strict=True):
                    row[f"{form}_{kind}"] = count_
            made.append(row)
    return Measured(made, lines(list(taken.values())))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Which way is cheaper, and what the transposed schedule costs beyond the column-wise one."""
    cell = found(rows, "platform", "key_bits")
    at_128 = {name: cell(name, 128) for name in PLATFORMS}
    made = [_cheaper(cell), _few_instructions(at_128), _more_shifts(at_128), _longer_keys(cell)]
    return [with_difference(claim, _NAME, SHORTER_SCHEDULE) for claim in made]


_FORMS = tuple(zip(("printed", "transposed"), BY_CODE, strict=True))
"""Columns of the transposed schedule, and what their places add."""


def _cheaper(cell: Callable[..., Row]) -> Claim:
    both = {
        f"{name}, {bits}{code}": Pair(
            figure(cell(name, bits)["finished_then_transposed"]), figure(cell(name, bits)[form])
        )
        for form, code in _FORMS for bits in _BITS for name in PLATFORMS
    }  # fmt: skip
    lost = [
        f"{name}, {bits}" for bits in _BITS for name in PLATFORMS
        if both[f"{name}, {bits}"].a <= both[f"{name}, {bits}"].b
    ]  # fmt: skip
    half_used = (
        f"It does not on {'; '.join(lost)}. With 192-bit keys the array of eight words is a "
        "quarter empty, and two of three round keys are put together from halves, while columns "
        "run through all key sizes alike."
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
    worst = max(PLATFORMS, key=lambda name: more[name].ratio)
    sentence = (
        "The transposed schedule of 128-bit keys executes only a few instructions more "
        "(transposed over columns)."
    )
    why = (
        "The formulas printed there take 17 XORs and 16 shifts for a round key, where the "
        "column-wise schedule takes 5 XORs and a rotation; table 2 itself has 1.41 and 1.50 times "
        f"the cycles on the two ARMs. It is most on {worst}, where the column-wise schedule has "
        f"{at_128[worst]['columns_shifts']} shifts and the transposed one "
        f"{at_128[worst]['printed_shifts']} (table below)."
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
        for form, code in _FORMS for name in PLATFORMS
    }  # fmt: skip
    sentence = (
        "The 192-bit schedule is more complex transposed (ratio to columns at 192 bits, against "
        "that at 128)."
    )
    lost = [place for place, ratios in longer.items() if ratios.a <= ratios.b]
    if not lost:
        return Claim(sentence, "order", longer)
    why = (
        f"It is not on {'; '.join(lost)}. Both transposed schedules are unrolled over the three "
        "round keys that two steps of 192-bit keys make, while columns run through all key sizes "
        "by one loop, which costs them most at 192 bits."
    )
    return Claim(sentence, "order", longer, cause="our code differs", why=why)


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles three ways, and what was executed."""
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
        both_codes(claims(rows), _NAME),
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
