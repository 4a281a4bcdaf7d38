# SPDX-License-Identifier: MIT
"""Section 4: longer keys scale a block's cycles by the rounds alone; the gain of a round stays.

Ours: the transposed form and columns, with unrolled keys and on the fly, at 128, 192 and 256 bits
on six 32-bit processors.

What differs: nothing with unrolled keys.  On the fly the schedules of longer keys move in a window
of six or eight words, so that not every round computes the same; the paper tells nothing apart.
"""

from collections.abc import Callable, Sequence

from aesfit.experiment.cells import figure, found
from aesfit.experiment.charts import Line, Panel, Scale, panels
from aesfit.experiment.contract import Claim, Column, Figure, Measured, Part, Row, Table
from aesfit.experiment.provenance import lines
from aesfit.experiment.tables import number
from aesfit.experiment.transposed import OPS, PLATFORMS, run
from aesfit.rigs.rig import Progress

PAPER = "transposed"
NUMBER = "Section 4, key sizes"
TITLE = "Longer keys scale with the rounds"
_BITS = (128, 192, 256)
_FORMS = {
    "transposed": ("transposed", "sbox_columns"),
    "on the fly": ("transposed_otf", "sbox_columns_otf"),
}
COLUMNS = (
    Column("platform"),
    Column("core"),
    Column("key_bits", "bits"),
    Column("rounds"),
    *(Column(name, "cycles") for name in OPS),
)
FAST = True
_BLOCK = ("encrypt", "decrypt")


def rows(progress: Progress) -> Measured:
    """Both forms, both ways of keys, three sizes."""
    cores = tuple(core for pair in _FORMS.values() for core in pair)
    taken = run(PLATFORMS, cores, tuple(OPS.values()), progress, sizes=_BITS)
    made: list[Row] = [
        {
            "platform": platform,
            "core": core,
            "key_bits": bits,
            "rounds": bits // 32 + 6,
            **{name: taken[platform, core, bits, op].cycles for name, op in OPS.items()},
        }
        for platform in PLATFORMS
        for core in cores
        for bits in _BITS
    ]
    return Measured(made, lines(list(taken.values())))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Cycles against rounds, and the gain of the transposed form by key size."""
    cell = found(rows, "platform", "core", "key_bits")

    def grown(core: str, bits: int, op: str) -> dict[str, float]:
        return {
            name: figure(cell(name, core, bits)[op]) / figure(cell(name, core, 128)[op])
            for name in PLATFORMS
        }

    def gain(name: str, pair: tuple[str, str], bits: int, op: str) -> float:
        """Cycles a round that the transposed form saves."""
        rows_, columns = (cell(name, core, bits) for core in pair)
        return (figure(columns[op]) - figure(rows_[op])) / figure(rows_["rounds"])

    def saved(bits: int) -> float:
        """Cycles of a block that the transposed form saves in encryption on Cortex-M3."""
        rows_, columns = (cell("cortex-m3", core, bits) for core in _FORMS["transposed"])
        return figure(columns["encrypt"]) - figure(rows_["encrypt"])

    each = (saved(256) - saved(128)) / 4
    once = (
        f"On Cortex-M3 a block pays {each * 10 - saved(128):.0f} cycles more than by columns to "
        "come into transposed form and to leave it (section 4, transposition): more rounds spread "
        f"this over more. Without it a round gains the same {each:.0f} cycles at every key size."
    )
    window = (
        "On the fly the longer keys' columns pass through a window of six or eight words, a call "
        "for each round key, where the four words of 128-bit keys stay in registers."
    )
    made = []
    for way, pair in _FORMS.items():
        unrolled = way == "transposed"
        told = "unrolled keys" if unrolled else "keys on the fly"
        for bits in _BITS[1:]:
            rounds = bits // 32 + 6
            found_ = {
                f"{name}, {op}": value
                for op in _BLOCK
                for name, value in grown(pair[0], bits, op).items()
            }
            sentence = (
                f"With {told} the transposed form takes {rounds / 10} times as many cycles at "
                f"{bits} bits as at 128."
            )
            made.append(Claim(sentence, "ratio", found_, rounds / 10, "" if unrolled else window))
            same = {
                f"{name}, {op}": gain(name, pair, bits, op) / gain(name, pair, 128, op)
                for op in _BLOCK
                for name in PLATFORMS
            }
            sentence = (
                f"With {told} a round gains as much over columns at {bits} bits as at 128 (ratio "
                "of the cycles saved a round)."
            )
            made.append(Claim(sentence, "ratio", same, 1, once if unrolled else window))
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """All figures, and cycles by rounds."""
    parts: list[Part] = []
    cores = [core for pair in _FORMS.values() for core in pair]
    cell = found(rows, "platform", "core", "key_bits")
    for op in _BLOCK:
        every = [Panel(name, [_line(cell, name, core, op) for core in cores]) for name in PLATFORMS]
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
    return [Table("Cycles by key size", head, cells), *parts]


def _line(cell: Callable[..., Row], name: str, core: str, op: str) -> Line:
    """Cycles by those of 128-bit keys; published is what the rounds alone make."""
    first = figure(cell(name, core, 128)[op])
    points = [(bits // 32 + 6, figure(cell(name, core, bits)[op]) / first) for bits in _BITS]
    return Line(core, points, [(rounds, rounds / 10) for rounds, _ in points])
