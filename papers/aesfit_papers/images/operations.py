# SPDX-License-Identifier: MIT
"""Section 2 gives the operations of AES as a formula of ANDs, ORs and shifts for a block.

It also says that MixColumns and InvMixColumns are what costs, and that decryption adds
96 Nb ANDs and 72 Nb ORs, and saves 32 Nb shifts, in all rounds but one.

Ours: executed instructions of one block by class, XORs converted to the formula's two ANDs and one
OR, shifts within other instructions included, on six 32-bit processors at -O0 and -O2.  `bytewise`
reads products from tables as the paper's program did; `compact` multiplies by shifting, as the
formula supposes.  The formula stands as printed and as repaired: SubBytes, which the sum leaves
out, is put in, and ShiftRows takes the 3 Nb shifts of the text in every round, not 96 in all but
the last.

What differs: the formula counts byte operations without addresses, loops, loads and stores, so that
agreement is not to be expected; the claim is held all the same.  The repaired formula is ours: it
is shown and not judged.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.instruction_counts.block_run import BlockQuestion, run, standard_rounds
from aesfit_papers.instruction_counts.operation_answer import DIRECTIONS, OperationAnswer
from aesfit_papers.instruction_counts.operation_model import ClassCosts
from aesfit_papers.instruction_counts.operations import count
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
from aesfit_papers.judging.images import PLAIN, PLATFORMS, blocks_run, places, times
from aesfit_papers.judging.place import ClaimPlace, at
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import number, table

NUMBER = "Section 2"
TITLE = "The operation formula: published, repaired, counted"
_KINDS = ("and", "or", "shift")
_SOURCES = ("published", "repaired", "counted")
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("core"),
    Column("key_bits"),
    Column("direction"),
    *(Column(f"{source}_{kind}") for source in _SOURCES for kind in _KINDS),
    Column("instructions"),
)
FAST = False
_LEVELS = ("-O0", "-O2")
_CORES = (PLAIN, "compact")
_KEYS = (128, 192, 256)


def rows(progress: Progress) -> Measured:
    """Every block counted."""
    made: list[Row] = []
    every = list(product(places(_LEVELS), _CORES, _KEYS))
    for done, ((name, level), core, bits) in enumerate(every):
        progress(done, len(every))
        asked = BlockQuestion(platform_named(name), core, bits, standard_rounds(bits), (level,))
        ran = {one: run(asked, one) for one in DIRECTIONS}
        counted = {one: count(each.block, each.instructions) for one, each in ran.items()}
        answer = OperationAnswer(asked, counted, ClassCosts(), None)
        for direction in DIRECTIONS:
            told = {
                "published": answer.published(direction),
                "repaired": answer.repaired(direction),
                "counted": answer.operations(direction).expanded(),
            }
            made.append(
                {
                    "platform": name,
                    "flags": level,
                    "core": core,
                    "key_bits": bits,
                    "direction": direction,
                    **{
                        f"{source}_{kind}": value
                        for source, one in told.items()
                        for kind, value in zip(_KINDS, (one.and_, one.or_, one.shift), strict=True)
                    },
                    "instructions": counted[direction].instructions,
                }
            )
    taken = blocks_run(_CORES, _LEVELS, lambda done, total: None)
    return Measured(made, lines(list(taken.values())))


def _sum(row: Row, source: str) -> float:
    return sum(figure(row[f"{source}_{kind}"]) for kind in _KINDS)


def _place(name: str, level: str, core: str, *directions: str) -> ClaimPlace:
    return at(platform=name, flags=level).of(core=core, key_bits=128, direction=directions)


def _counted_over(
    rows: Sequence[Row], source: str, core: str, direction: str
) -> dict[ClaimPlace, Pair]:
    """Counted operations over those of the formula, by place."""
    cell = found(rows, "platform", "flags", "core", "key_bits", "direction")
    return {
        _place(name, level, core, direction): Pair(
            *(_sum(cell(name, level, core, 128, direction), one) for one in ("counted", source))
        )
        for name, level in places(_LEVELS)
    }


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Counted over published; what decryption adds."""
    cell = found(rows, "platform", "flags", "core", "key_bits", "direction")
    made = []
    for core, direction in product(_CORES, DIRECTIONS):
        share = _counted_over(rows, "published", core, direction)
        made.append(
            Claim(f"The formula as published gives the operations of {core}, {direction} "
                  "(counted over it).", "part", share, 1.0, cause="our code differs",
                  why=_why(core, [pair.ratio for pair in share.values()]))
        )  # fmt: skip
    for core in _CORES:
        added = {}
        for name, level in places(_LEVELS):
            forth, back = (cell(name, level, core, 128, one) for one in DIRECTIONS)
            theirs = _sum(back, "published") - _sum(forth, "published")
            ours = _sum(back, "counted") - _sum(forth, "counted")
            added[_place(name, level, core, *DIRECTIONS)] = Pair(ours, theirs)
        why = (
            "Products from tables take no AND, OR or shift in either direction, and the XORs that "
            "join them are as many: decryption adds loads, which the formula does not price."
            if core == PLAIN
            else "The core doubles 32 times in InvMixColumns and 16 times in MixColumns; the "
            "formula supposes longer sums and does not share them."
        )
        made.append(
            Claim(f"Decryption adds what the formula says, {core} (counted over it).", "part",
                  added, 1.0, cause="our code differs", why=why)
        )  # fmt: skip
    return made


def _why(core: str, share: Sequence[float]) -> str:
    multiplied = (
        "reads products from tables where the formula multiplies by shifting"
        if core == PLAIN
        else "multiplies by shifting, with as few shifts as it can"
    )
    return (
        f"Counted are {times(share)} of it. The core {multiplied}; addresses, which the formula "
        "leaves out, take shifts and ANDs of their own, the more the less the compiler optimises."
    )


def _repaired_told(rows: Sequence[Row]) -> str:
    return "; ".join(
        f"{core}, {direction} "
        f"{times([one.ratio for one in _counted_over(rows, 'repaired', core, direction).values()])}"
        for core, direction in product(_CORES, DIRECTIONS)
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """The formula by key size, then counts beside it."""
    cell = found(rows, "platform", "flags", "core", "key_bits", "direction")
    head = ("key", "direction", *(f"{s}: {k}" for s in _SOURCES[:2] for k in (*_KINDS, "all")))
    cells = []
    for bits, direction in product(_KEYS, DIRECTIONS):
        row = cell("arm7tdmi", "-O2", PLAIN, bits, direction)
        told = [
            number(value)
            for source in _SOURCES[:2]
            for value in (*(row[f"{source}_{kind}"] for kind in _KINDS), _sum(row, source))
        ]
        cells.append((str(bits), direction, *told))
    parts: list[Part] = [ResultTable("The formula: operations of one block", head, tuple(cells))]
    for core in _CORES:
        series = [
            Bars(kind, [*(figure(cell(name, "-O2", core, 128, "encrypt")[f"counted_{kind}"])
                          for name in PLATFORMS),
                        *(figure(cell("arm7tdmi", "-O2", core, 128, "encrypt")[f"{s}_{kind}"])
                          for s in _SOURCES[:2])])
            for kind in _KINDS
        ]  # fmt: skip
        image = bars((*PLATFORMS, *_SOURCES[:2]), series, Scale("operations of one block"))
        title = f"Operations of {core} at -O2, encryption, beside the formula"
        parts.append(Figure(title, image, ".svg", f"Bars: {title}."))
    shown = [(name.replace("_", " "), name) for name in ("platform", "flags", "core", "direction")]
    shown += [(kind, f"counted_{kind}") for kind in _KINDS]
    shown.append(("all instructions", "instructions"))
    here = [row for row in rows if row["key_bits"] == 128]
    parts.append(table("Counted, XORs converted, keys of 128 bits", here, shown))
    parts.append(
        Words(
            "The printed sum leaves SubBytes out and counts ShiftRows eight times as dear in all "
            "rounds but the last as in that one; the repair changes this and nothing else. Counted "
            f"over repaired: {_repaired_told(rows)}."
        )
    )
    return parts
