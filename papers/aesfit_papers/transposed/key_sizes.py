# SPDX-License-Identifier: MIT
"""Section 4: longer keys scale a block's cycles by the rounds alone; the gain of a round stays.

Ours: the transposed form and columns, with unrolled keys and on the fly, at 128, 192 and 256 bits
on six 32-bit processors, once with every operation as the paper prints or counts it, once as the
library has them.  Claims are judged on the code as printed, at -Os, -O2 and -O3; tables and charts
show each platform's own flags.

What differs: nothing with unrolled keys.  On the fly the schedules of longer keys move in a window
of six or eight words, so that not every round computes the same; the paper tells nothing apart.
"""

from collections.abc import Callable, Sequence
from itertools import product

from aesfit.jobs.job import Progress
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import ChartLine, ChartPanel, Scale, panels
from aesfit_papers.judging.codes import both_codes, with_difference
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    ResultTable,
    Row,
)
from aesfit_papers.judging.levels import at_levels, by_place, with_own_flags
from aesfit_papers.judging.place import ClaimPlace, at
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import number
from aesfit_papers.judging.transposed import (
    ARMS,
    BY_CODE,
    BY_COLUMNS,
    LEVELS,
    ON_THE_FLY,
    OPS,
    PLATFORMS,
    PRINTED,
    SHORTER,
    STAND_INS,
    TRANSPOSED,
    run_sizes,
)

NUMBER = "Section 4, key sizes"
TITLE = "Longer keys scale with the rounds"
_BITS = (128, 192, 256)
_NAME = "transposed_key_sizes"
_BOTH = (TRANSPOSED, BY_COLUMNS)
_OURS = {"transposed": _BOTH, "on the fly": tuple(ON_THE_FLY[form] for form in _BOTH)}
"""By way of round keys: the transposed form, then columns."""
_FORMS = {
    (way, code): tuple(PRINTED[core] for core in cores) if not code else cores
    for way, cores in _OURS.items() for code in BY_CODE
}  # fmt: skip
"""The same by code, too."""
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("core"),
    Column("key_bits", "bits"),
    Column("rounds"),
    *(Column(name, "cycles") for name in OPS),
)
FAST = False
_BLOCK = ("encrypt", "decrypt")


def rows(progress: Progress) -> Measured:
    """Both forms, both ways of keys, three sizes."""
    cores = tuple(core for pair in _FORMS.values() for core in pair)
    taken = run_sizes(PLATFORMS, cores, _BITS, tuple(OPS.values()), progress)
    made: list[Row] = [
        {
            "platform": platform,
            "flags": level,
            "core": core,
            "key_bits": bits,
            "rounds": bits // 32 + 6,
            **{name: taken[platform, level, core, bits, op].cycles for name, op in OPS.items()},
        }
        for platform, level, core, bits in product(PLATFORMS, LEVELS, cores, _BITS)
    ]
    return Measured(made, lines(list(taken.values())))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Cycles against rounds, and the gain of the transposed form by key size."""
    rows = at_levels(rows)
    cell, made = by_place(rows, "core", "key_bits"), []
    for way in _OURS:
        for bits in _BITS[1:]:
            made += [_with_the_rounds(rows, way, bits), _gain_of_a_round(cell, way, bits)]
    return [with_difference(claim, _NAME, SHORTER) for claim in made]


_PLACES = tuple(at(platform=name, flags=level) for name, level in product(PLATFORMS, RELEASE))
_TOLD = {"transposed": "unrolled keys", "on the fly": "keys on the fly"}
_WINDOW = (
    "On the fly the longer keys' columns pass through a window of six or eight words, a call "
    "for each round key, where the four words of 128-bit keys stay in registers."
)


def _with_the_rounds(rows: Sequence[Row], way: str, bits: int) -> Claim:
    times = (bits // 32 + 6) / 10
    grown = {
        op + place + code: pair
        for code, op in product(BY_CODE, _BLOCK)
        for core in _FORMS[way, code][:1]
        for place, pair in pairs(rows, op, core=core, key_bits=(bits, 128)).items()
    }
    sentence = (
        f"With {_TOLD[way]} the transposed form takes {times} times as many cycles at {bits} bits "
        "as at 128."
    )
    why = "" if way == "transposed" else _WINDOW
    return Claim(sentence, "effect", grown, times, cause="our code differs" if why else "", why=why)


def _gain_of_a_round(cell: Callable[..., Row], way: str, bits: int) -> Claim:
    same = {
        (op + place + code).of(core=_FORMS[way, code], key_bits=(bits, 128)): Pair(
            _saved(cell, place, _FORMS[way, code], bits, op),
            _saved(cell, place, _FORMS[way, code], 128, op),
        )
        for code in BY_CODE for op in _BLOCK for place in _PLACES
    }  # fmt: skip
    sentence = (
        f"With {_TOLD[way]} a round gains as much over columns at {bits} bits as at 128 (ratio of "
        "the cycles saved a round)."
    )
    if way == "transposed":
        return Claim(sentence, "equal", same, cause="the claim itself", why=_once(cell))
    return Claim(sentence, "equal", same, cause="our code differs", why=_WINDOW)


def _saved(
    cell: Callable[..., Row], place: ClaimPlace, forms: Sequence[str], bits: int, op: str
) -> float:
    """Cycles a round that the transposed form saves."""
    rows_, columns = (cell(place, core, bits) for core in forms)
    return (figure(columns[op]) - figure(rows_[op])) / figure(rows_["rounds"])


def _once(cell: Callable[..., Row]) -> str:
    """What a block pays once in encryption, and what a round gains without it, at -O2."""
    told = []
    for name in (*ARMS, *STAND_INS):
        place, forms = at(platform=name, flags="-O2"), _FORMS["transposed", ""]
        at_128, at_256 = (_saved(cell, place, forms, bits, "encrypt") * rounds
                          for bits, rounds in ((128, 10), (256, 14)))  # fmt: skip
        each = (at_256 - at_128) / 4
        told.append(f"{name} {each * 10 - at_128:.0f} and {each:.0f}")
    return (
        "In encryption the two forms are close together, and what a block pays once, the paper's "
        "two transpositions among it, is spread over more rounds with longer keys. Cycles paid "
        f"once beyond columns, and gained by each further round, at -O2: {', '.join(told)}."
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """All figures, and cycles by rounds."""
    judged, rows = claims(rows), with_own_flags(rows)
    parts: list[Part] = []
    cores = [core for pair in _FORMS.values() for core in pair]
    cell = found(rows, "platform", "core", "key_bits")
    for op in _BLOCK:
        every = [
            ChartPanel(name, [_line(cell, name, core, op) for core in cores]) for name in PLATFORMS
        ]
        image = panels(every, Scale("rounds"), Scale("times 128-bit keys"))
        alt = f"Lines: {op}ion over 10, 12 and 14 rounds, by 128-bit keys', on each processor."
        note = "Diamonds: in proportion to the rounds."
        parts.append(Figure(f"{op.capitalize()}ion by rounds", image, ".svg", alt, note))
    head = ("platform", "core", *(f"{op} {bits}" for op in _BLOCK for bits in _BITS))
    cells = tuple(
        (name, core, *(number(cell(name, core, bits)[op]) for op in _BLOCK for bits in _BITS))
        for name in PLATFORMS
        for core in cores
    )
    shown = ResultTable("Cycles by key size", head, cells)
    return [shown, both_codes(judged, _NAME), *parts]


def _line(cell: Callable[..., Row], name: str, core: str, op: str) -> ChartLine:
    """Cycles by those of 128-bit keys; published is what the rounds alone make."""
    first = figure(cell(name, core, 128)[op])
    points = [(bits // 32 + 6, figure(cell(name, core, bits)[op]) / first) for bits in _BITS]
    return ChartLine(core, points, [(rounds, rounds / 10) for rounds, _ in points])
