# SPDX-License-Identifier: MIT
"""Figure 3 draws encryption time over picture size, for three key sizes and four optimisations.

The text gives three of its gains with keys of 128 bits: Opt1 13 %, Opt2 12 %, OptF 20 %, and the
abstract 12 to 30 % in all.

Ours: ECB by the library over the pixels of a picture, in cycles, on six 32-bit processors at four
levels of the compiler.  256, 512 and 1024 bytes are run; whole pictures of 120,000, 270,000 and
480,000 bytes follow on the line through the two larger sizes, from which the smallest may be no
more than 0.1 % away; there are no caches, and it is not a cycle away.

What differs: cycles of other processors than a Pentium 4, whose compiler and level are not named;
keys are expanded before; products are reads of tables, and calls of a function mul() in the paper,
which does not print it.  What the figure itself shows cannot be read from the text.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from aesfit.jobs.job import Job, Progress
from aesfit.pictures.scenes import scene
from aesfit.platforms.find import platform_named
from aesfit_papers.file_bench.emulated import line_through
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import Bars, ChartPanel, Scale, bars, panels
from aesfit_papers.judging.charts import ChartLine as Drawn
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    ResultTable,
    Row,
    Value,
    Words,
)
from aesfit_papers.judging.images import (
    CHANNELS,
    CORES,
    EDGES,
    LEVELS,
    PLAIN,
    PRODUCT_BY_FUNCTION,
    SAVED,
    places,
    share_or_word,
    shares_saved,
    span,
    whole_percent,
)
from aesfit_papers.judging.levels import place_of
from aesfit_papers.judging.place import ClaimPlace, at
from aesfit_papers.judging.provenance import lines, measured
from aesfit_papers.judging.tables import table

NUMBER = "Figure 3"
TITLE = "Encryption time over picture size, key size and optimisation"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("code"),
    Column("key_bits"),
    Column("block", "cycles"),
    *(Column(f"picture_{edge}", "cycles") for edge in EDGES),
    Column("residual"),
)
FAST = False
_SIZES = (256, 512, 1024)
_KEYS = (128, 192, 256)
_LOW, _HIGH = 0.12, 0.30
"""Of the abstract."""
Gains = Mapping[str, Mapping[ClaimPlace, float]]
"""Time saved, by optimisation and by place."""


def rows(progress: Progress) -> Measured:
    """Three sizes of everything, and lines through them."""
    data = scene("landscape", 200).data
    every = list(product(places(), CORES, _KEYS))
    jobs = [
        Job(platform_named(name), core, bits, "encrypt", "ecb", size, (level,), text=data[:size])
        for (name, level), core, bits in every
        for size in _SIZES
    ]
    taken = measured(jobs, progress)
    made: list[Row] = []
    for order, ((name, level), core, bits) in enumerate(every):
        cycles = {one.bytes: one.cycles for one in taken[order * len(_SIZES) :][: len(_SIZES)]}
        line = line_through(cycles, (name, core, level))
        if line.reason:
            raise RuntimeError(line.reason)
        row: dict[str, Value] = {
            "platform": name,
            "flags": level,
            "code": CORES[core],
            "key_bits": bits,
        }
        made.append(
            {
                **row,
                "block": line.cycles_per_block,
                **{
                    f"picture_{edge}": line.cycles + line.cycles_per_block * CHANNELS * edge**2 / 16
                    for edge in EDGES
                },
                "residual": line.residual,
            }
        )
    return Measured(made, lines(taken))


def _gains(rows: Sequence[Row], code: str, bits: int = 128) -> dict[ClaimPlace, Pair]:
    """Time beside the plain code's, by place; of the largest picture."""
    return pairs(rows, "picture_400", code=(code, CORES[PLAIN]), key_bits=bits)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Three gains, and the abstract's range."""
    gains = {code: _gains(rows, code) for code in SAVED}
    made = [
        Claim(f"{code} takes {100 * share:.0f} % less time than unoptimised code.", "effect",
              gains[code], share, "saved", "our code differs", _why(shares_saved(gains[code])))
        for code, share in SAVED.items()
    ]  # fmt: skip
    every = [shares_saved(one) for one in gains.values()]
    places = [place.of(code=tuple(CORES.values())) for place in gains["OptF"]]
    least, most = (
        {place: end(one[place] for one in every) for place in places} for end in (min, max)
    )
    made += [
        Claim("Every optimisation gains 12 % or more (the least of the three).", "at least", least,
              _LOW, cause="our code differs", why=_why(least)),
        Claim("No optimisation gains more than 30 % (the most of the three).", "at most", most,
              _HIGH, cause="our code differs", why=_why(most)),
    ]  # fmt: skip
    return made


def _why(gains: Mapping[ClaimPlace, float]) -> str:
    kept = [one for at, one in gains.items() if "-O3" not in at]
    apart = [one for at, one in gains.items() if "-O3" in at]
    return (
        f"The gain is {span(kept)} at -O0, -Os and -O2, where loops cost what unrolling saves, and "
        f"{span(apart)} at -O3, where the compiler unrolls the plain code too. "
        f"{PRODUCT_BY_FUNCTION}"
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """The figure at each level, then for each key; gains as bars and as a table."""
    gains = {code: shares_saved(_gains(rows, code)) for code in SAVED}
    return [
        *_times(rows),
        _saved_drawn(gains),
        _saved(rows, gains),
        table("Cycles of every picture at -O2", [row for row in rows if row["flags"] == "-O2"],
              [("platform", "platform"), ("code", "code"), ("key", "key_bits"),
               *((f"{edge} x {edge}", f"picture_{edge}") for edge in EDGES)]),
        Words("Time is a line over the bytes of the picture, whatever they hold."),
    ]  # fmt: skip


def _times(rows: Sequence[Row]) -> list[Figure]:
    """Time over size on one processor, by level and by key size; all panels share their scales."""
    cell = found(rows, "platform", "flags", "code", "key_bits")

    def drawn(level: str, bits: int) -> list[Drawn]:
        return [
            Drawn(code, [(kib, figure(cell("arm7tdmi", level, code, bits)[f"picture_{edge}"]) / 1e6)
                         for edge, kib in EDGES.items()])
            for code in CORES.values()
        ]  # fmt: skip

    across = Scale("KB of pixels", limits=(0, 500))
    top = max(one for each in drawn("-O0", 256) for _, one in each.points) * 1.06
    up = Scale("million cycles", limits=(0, top))
    by_level = panels([ChartPanel(level, drawn(level, 128)) for level in LEVELS], across, up)
    by_key = panels(
        [ChartPanel(f"{b} bits", drawn("-O0", b)) for b in _KEYS], across, up, columns=3
    )
    alt = "Four lines over the size of the picture, from plain code at the top to OptF."
    return [
        Figure("By level of the compiler, keys of 128 bits, arm7tdmi", by_level, ".svg", alt),
        Figure("By key size, -O0, arm7tdmi", by_key, ".svg", alt),
    ]


def _saved_drawn(gains: Gains) -> Figure:
    """Gains on one processor, and those published, as bars."""
    series = [
        Bars(level, [100 * gains[code][at(platform="arm7tdmi", flags=level)] for code in SAVED])
        for level in LEVELS
    ]
    series.append(Bars("published", [100 * share for share in SAVED.values()]))
    image = bars(tuple(SAVED), series, Scale("cycles saved, %"), write=whole_percent)
    title = "What each optimisation saves, 128 bits, arm7tdmi"
    return Figure(title, image, ".svg", "Bars of the gains at four levels and as published.")


def _saved(rows: Sequence[Row], gains: Gains) -> ResultTable:
    """Gains on every processor."""
    wide = [
        {**row, **{code: gains[code][place_of(row)] for code in SAVED}}
        for row in rows
        if (row["code"], row["key_bits"]) == (CORES[PLAIN], 128)
    ]
    wide.append({"platform": "published", "flags": "", **SAVED})
    shown = [("platform", "platform"), ("flags", "flags"), *((one, one) for one in SAVED)]
    return table("Time saved beside plain code, 128 bits", wide, shown, write=share_or_word)
