# SPDX-License-Identifier: MIT
"""Section 4 says how much faster each function became: 20, 30, 21 and 13 %, encrypt() 20 to 30 %.

Ours: plain and fully optimised code is built with each step of FIPS 197 a function of its own, run
for one block on six 32-bit processors at four levels of the compiler, and the cycles of every step
are told apart.  The whole is this build's too, with the loop over the rounds.

What differs: the paper timed a Pentium 4 with an unnamed compiler.  That loops inside the steps
alone are unrolled or merged (its code samples A, B, C) is our reading.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit_papers.instruction_counts.functions import Split
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import (
    Cause,
    Claim,
    Column,
    Figure,
    Measured,
    Part,
    Row,
    Words,
)
from aesfit_papers.judging.images import (
    FULL,
    LEVELS,
    PLAIN,
    PLATFORMS,
    PRODUCT_BY_FUNCTION,
    STEPS,
    blocks_run,
    places,
    share_or_word,
    span,
    split_of,
    step,
    times,
    whole_percent,
)
from aesfit_papers.judging.mul import gain_less, least_of_others
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import table

NUMBER = "Section 4, gains"
TITLE = "What unrolled and merged inner loops gain in each function"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("function"),
    Column("plain", "cycles"),
    Column("unrolled", "cycles"),
    Column("plain_bytes", "B"),
    Column("unrolled_bytes", "B"),
    Column("gain"),
    Column("published_gain"),
)
FAST = False
_WHOLE = "encrypt()"
_PUBLISHED = {"AddRoundKey": 0.21, "SubBytes": 0.20, "ShiftRows": 0.30, "MixColumns": 0.13}
_WHOLE_PUBLISHED = 0.25
_WHOLE_RANGE = (0.20, 0.30)
"""The middle of 20 to 30 %."""


def _taken(of: Split, name: str) -> tuple[int, int]:
    """Cycles and code bytes of a step of encryption, or of all of it."""
    if name == _WHOLE:
        (whole,) = [one for one in of.totals if one.window == "encrypt"]
        return whole.cycles, whole.code_bytes
    one = step(of, "encrypt", name)
    return one.cycles, one.code_bytes


def rows(progress: Progress) -> Measured:
    """Every step on every platform at every level."""
    made: list[Row] = []
    every = places()
    for done, (name, level) in enumerate(every):
        progress(done, len(every))
        plain, full = (split_of(name, core, level) for core in (PLAIN, FULL))
        for function in (*STEPS, _WHOLE):
            before, after = _taken(plain, function), _taken(full, function)
            made.append(
                {
                    "platform": name,
                    "flags": level,
                    "function": function,
                    "plain": before[0],
                    "unrolled": after[0],
                    "plain_bytes": before[1],
                    "unrolled_bytes": after[1],
                    "gain": 1 - after[0] / before[0],
                    "published_gain": _PUBLISHED.get(function, _WHOLE_PUBLISHED),
                }
            )
    taken = blocks_run((PLAIN, FULL), LEVELS, lambda done, total: None)
    return Measured(made, lines(list(taken.values())))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Each gain, and which is the largest and among the least."""
    left = {name: pairs(rows, "unrolled", "plain", function=name) for name in (*STEPS, _WHOLE)}
    made = [
        Claim(f"{name} gains {share:.0%}".replace("%", " %") + ".", "effect", left[name], share,
              "saved", *_cause(rows, name))
        for name, share in _PUBLISHED.items()
    ]  # fmt: skip
    made.append(
        Claim("encrypt() gains 20 to 30 %.", "range", left[_WHOLE], _WHOLE_RANGE, "saved",
              *_cause(rows, _WHOLE))
    )  # fmt: skip
    steps = {name: left[name] for name in STEPS}
    made.append(
        Claim("ShiftRows gains most (the least share of time left of the others, against its).",
              "order", least_of_others(steps, "ShiftRows"), cause="our code differs",
              why=_order_why(rows))
    )  # fmt: skip
    made.append(
        Claim("MixColumns is one of the two that gain least (how many gain less).", "at most",
              gain_less(steps, "MixColumns"), 1, cause="our code differs", why=_order_why(rows))
    )  # fmt: skip
    return made


def _why(rows: Sequence[Row], name: str) -> str:
    """The gains where the compiler keeps loops and where it unrolls them, with the sizes."""
    here = [row for row in rows if row["function"] == name]
    kept = [figure(row["gain"]) for row in here if row["flags"] != "-O3"]
    apart = [row for row in here if row["flags"] == "-O3"]
    sizes = [figure(row["plain_bytes"]) / figure(row["unrolled_bytes"]) for row in apart]
    return (
        f"At -O0, -Os and -O2 the gain is {span(kept)}, at -O3 "
        f"{span([figure(row['gain']) for row in apart])}: there the plain code has "
        f"{times(sizes)} times the bytes of the unrolled one, because the "
        "compiler unrolls the same loops itself."
    )


def _cause(rows: Sequence[Row], name: str) -> tuple[Cause, str]:
    """Of MixColumns, and so of the whole, it is known that the paper's multiplied by a function."""
    if name in ("MixColumns", _WHOLE):
        return "our code differs", f"{_why(rows, name)} {PRODUCT_BY_FUNCTION}"
    return "compiler or processor", _why(rows, name)


def _order_why(rows: Sequence[Row]) -> str:
    cell = found(rows, "platform", "flags", "function")
    mix = [figure(cell(name, level, "MixColumns")["gain"])
           for name in PLATFORMS for level in LEVELS[:-1]]  # fmt: skip
    return (
        f"Where the compiler keeps loops, MixColumns gains {span(mix)}: its plain form has an "
        "inner loop with index arithmetic for every product, and all of that falls away. "
        f"{PRODUCT_BY_FUNCTION}"
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """Gains by level on one processor as bars, all of them as a table."""
    cell = found(rows, "platform", "flags", "function")
    parts: list[Part] = []
    for name in ("arm7tdmi", "rv32i"):
        series = [
            Bars(level, [figure(cell(name, level, one)["gain"]) * 100 for one in _PUBLISHED])
            for level in LEVELS
        ]
        series.append(Bars("published", [100 * share for share in _PUBLISHED.values()]))
        image = bars(tuple(_PUBLISHED), series, Scale("cycles saved, %"), write=whole_percent)
        alt = f"Bars of the gain of each function at four levels on {name}, and as published."
        parts.append(Figure(f"Gain of each function on {name}", image, ".svg", alt))
    names = (*STEPS, _WHOLE)
    wide = [
        {"platform": name, "flags": level,
         **{one: cell(name, level, one)["gain"] for one in names}}
        for name, level in places()
    ]  # fmt: skip
    wide.append({"platform": "published", "flags": "", **_PUBLISHED, _WHOLE: _WHOLE_PUBLISHED})
    shown = [("platform", "platform"), ("flags", "flags"), *((one, one) for one in names)]
    parts.append(table("Gains of encryption, steps apart", wide, shown, write=share_or_word))
    parts.append(
        Words(
            "What such unrolling gains depends on the compiler more than on the processor: it was "
            "worth doing by hand in 2008, and is done by -O3 today."
        )
    )
    return parts
