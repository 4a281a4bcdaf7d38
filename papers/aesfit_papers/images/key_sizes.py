# SPDX-License-Identifier: MIT
"""Section 4: functions take 13 to 25 % longer with each step to a longer key, 128/10 to 256/14.

Ours: the plain core with keys of 128, 192 and 256 bits, each step a function of its own, on six
32-bit processors at -O0 and -O2; growth is that of all calls of a function in one block.

What differs: a range is printed for each function, without saying what its ends are, so both steps
(128 to 192 bits, 192 to 256) are held against the whole range.  Each step adds two rounds to ever
more, so charts show the larger end beside the first step and the smaller one beside the second.
"""

from collections.abc import Sequence
from itertools import pairwise

from aesfit.jobs.job import Progress
from aesfit_papers.instruction_counts.functions import Split
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import Bars, Scale, bars
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
from aesfit_papers.judging.images import (
    PLAIN,
    STEPS,
    blocks_run,
    places,
    split_of,
    step,
    whole_percent,
)
from aesfit_papers.judging.levels import place_of
from aesfit_papers.judging.place import at, between
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import number, percent

NUMBER = "Section 4, key sizes"
TITLE = "What longer keys add to each function"
_SIZES = (128, 192, 256)
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("function"),
    *(Column(f"cycles_{bits}", "cycles") for bits in _SIZES),
    *(Column(f"calls_{bits}") for bits in _SIZES),
    Column("published_first"),
    Column("published_second"),
)
FAST = False
_LEVELS = ("-O0", "-O2")
_WHOLE = "encrypt()"
_PUBLISHED = {
    "AddRoundKey": (0.16, 0.13),
    "SubBytes": (0.22, 0.17),
    "ShiftRows": (0.22, 0.20),
    "MixColumns": (0.25, 0.21),
}
_KEYS = tuple(between(*(at(key_bits=one) for one in both)) for both in pairwise(_SIZES))


def _taken(of: Split, name: str) -> tuple[int, int]:
    """Cycles and calls."""
    if name == _WHOLE:
        return next(one.cycles for one in of.totals if one.window == "encrypt"), 1
    one = step(of, "encrypt", name)
    return one.cycles, one.calls


def rows(progress: Progress) -> Measured:
    """Every function with every key."""
    made: list[Row] = []
    every = places(_LEVELS)
    for done, (name, level) in enumerate(every):
        progress(done, len(every))
        by_size = {bits: split_of(name, PLAIN, level, bits) for bits in _SIZES}
        for function in (*STEPS, _WHOLE):
            row: dict[str, str | int | float | None]
            row = {"platform": name, "flags": level, "function": function}
            for bits, one in by_size.items():
                row[f"cycles_{bits}"], row[f"calls_{bits}"] = _taken(one, function)
            theirs = _PUBLISHED.get(function, (None, None))
            made.append({**row, "published_first": theirs[0], "published_second": theirs[1]})
    taken = blocks_run((PLAIN,), _LEVELS, lambda done, total: None)
    return Measured(made, lines(list(taken.values())))


def _both(row: Row, second: bool, of: str = "cycles") -> Pair:
    """Of the longer key, against the shorter."""
    low, high = (192, 256) if second else (128, 192)
    return Pair(figure(row[f"{of}_{high}"]), figure(row[f"{of}_{low}"]))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Both steps of each function, against its range."""
    made = []
    for name, (first, second) in _PUBLISHED.items():
        here = [row for row in rows if row["function"] == name]
        grown = {
            (keys + place_of(row)).of(function=name): _both(row, keys == _KEYS[1])
            for keys in _KEYS
            for row in here
        }
        calls = [100 * (_both(here[0], late, "calls").ratio - 1) for late in (False, True)]
        fixed = (
            f"FIPS 197 fixes the calls of {name}, and a call takes the same with every key, so "
            f"that its time grows as they do, by {calls[0]:.1f} and {calls[1]:.1f} %."
        )
        sentence = (
            f"With each longer key {name} takes {round(100 * second)} to {round(100 * first)} % "
            "longer."
        )
        made.append(Claim(sentence, "range", grown, (second, first), "added",
                          by_construction=fixed))  # fmt: skip
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """Growth by function on one processor, all of them in a table."""
    cell = found(rows, "platform", "flags", "function")
    series = []
    for second, keys in enumerate(_KEYS):
        ours = [
            100 * (_both(cell("arm7tdmi", "-O0", name), bool(second)).ratio - 1) for name in STEPS
        ]
        series.append(Bars(str(keys), ours, [100 * _PUBLISHED[name][second] for name in STEPS]))
    image = bars(STEPS, series, Scale("more cycles, %"), write=whole_percent)
    alt = "Bars of the growth of each function with each longer key, ours beside the published."
    figures = [
        (
            *(str(row[name]) for name in ("platform", "flags", "function")),
            *(number(row[f"cycles_{bits}"]) for bits in _SIZES),
            percent(_both(row, False).ratio - 1),
            percent(row["published_first"]),
            percent(_both(row, True).ratio - 1),
            percent(row["published_second"]),
        )
        for row in rows
    ]
    head = ("platform", "flags", "function", *(f"{bits} bits" for bits in _SIZES))
    head += ("first step", "published", "second step", "published")
    return [
        Figure("Growth of each function on arm7tdmi at -O0", image, ".svg", alt),
        ResultTable("Cycles of one block by function and key", head, tuple(figures)),
        Words(
            "AddRoundKey is called 11, 13 and 15 times, SubBytes and ShiftRows 10, 12 and 14 "
            "times, MixColumns 9, 11 and 13 times: this alone orders the functions as the paper "
            "does."
        ),
    ]
