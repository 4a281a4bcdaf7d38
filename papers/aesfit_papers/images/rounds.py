# SPDX-License-Identifier: MIT
"""Section 4: two more rounds add 14 to 19 % to encryption of a block, 15 to 30 % to decryption.

Ours: the plain core with 2, 4, 6, 8 and 10 rounds, and as AES with 12 and 14 (keys of 192 and 256
bits), on six 32-bit processors, one block with the keys expanded before.  Claims are judged at -Os,
-O2 and -O3; tables and lines show -O2.

What differs: the text counts its steps from 2 rounds on ("2, 4, 6, 8..."), and no constant share
can be right for all of them, because two rounds double two and are a fourteenth part of 28.  So the
range is held against the cost of two rounds where AES stands: what two rounds cost between 2 and
10, added to AES with 10 and with 12 rounds.  The steps up to 10 are shown beside and not judged.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise, product

from aesfit.jobs.job import Progress
from aesfit.pictures.panels import ROUNDS
from aesfit.platforms.find import platform_named
from aesfit_papers.instruction_counts.block_run import BlockQuestion, run
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import ChartLine, Scale, lines
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
from aesfit_papers.judging.images import PLAIN, PLATFORMS, blocks_run, span
from aesfit_papers.judging.levels import by_place, place_of
from aesfit_papers.judging.place import ClaimPlace, told
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.provenance import lines as provenance
from aesfit_papers.judging.tables import number, percent

NUMBER = "Section 4, rounds"
TITLE = "What two more rounds add"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("rounds"),
    Column("encrypt", "cycles"),
    Column("decrypt", "cycles"),
    Column("key_expansion", "cycles"),
)
FAST = False
_SHOWN = "-O2"
_PUBLISHED = {"encrypt": (0.14, 0.19), "decrypt": (0.15, 0.30)}
_STEPS = tuple(pairwise(ROUNDS))
_STANDARD = {12: 192, 14: 256}
"""Key bits by number of rounds, beside the ROUNDS that keys of 128 bits have."""
_ENDS = ROUNDS[0], ROUNDS[-1]
_FROM = (10, 12)
"""Rounds of AES that two more are added to."""


def rows(progress: Progress) -> Measured:
    """Both directions with each number of rounds; the key expansion is that of 128 bits."""
    keys = blocks_run((PLAIN,), RELEASE, lambda done, total: None, "key-setup-encrypt")
    every = dict.fromkeys(ROUNDS, 128) | _STANDARD
    made: list[Row] = []
    asked = list(product(PLATFORMS, RELEASE, every.items()))
    for done, (name, level, (rounds, bits)) in enumerate(asked):
        progress(done, len(asked))
        question = BlockQuestion(platform_named(name), PLAIN, bits, rounds, (level,))
        forth, back = run(question, "encrypt"), run(question, "decrypt")
        made.append(
            {
                "platform": name,
                "flags": level,
                "rounds": rounds,
                "encrypt": forth.cycles(forth.block.profile),
                "decrypt": back.cycles(back.block.profile),
                "key_expansion": keys[name, level, PLAIN].cycles,
            }
        )
    return Measured(made, provenance(list(keys.values())))


def _two_rounds(cell: Callable[..., Row], place: ClaimPlace, direction: str) -> float:
    """Cycles of two rounds, by the line from the fewest to the ten of AES."""
    fewest, most = _ENDS
    both = [figure(cell(place, rounds)[direction]) for rounds in (fewest, most)]
    return 2 * (both[1] - both[0]) / (most - fewest)


def _added(rows: Sequence[Row], direction: str) -> dict[ClaimPlace, Pair]:
    """AES with two rounds more, against AES."""
    cell = by_place(rows, "rounds")
    return {
        told("after # rounds", number=rounds) + place.of(rounds=(rounds, *_ENDS)): Pair(
            now + _two_rounds(cell, place, direction), now
        )
        for rounds in _FROM
        for place in dict.fromkeys(map(place_of, rows))
        for now in [figure(cell(place, rounds)[direction])]
    }


def _step(
    cell: Callable[..., Row], direction: str, place: ClaimPlace | str, low: int, high: int
) -> float:
    """What a step of the text adds, as a share of the time before."""
    return figure(cell(place, high)[direction]) / figure(cell(place, low)[direction]) - 1


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Both ranges, by the cost of a round."""
    made = []
    cell, places = by_place(rows, "rounds"), list(dict.fromkeys(map(place_of, rows)))
    for direction, (low, high) in _PUBLISHED.items():
        literal = [_step(cell, direction, place, *step) for step in _STEPS for place in places]
        found_here = _added(rows, direction)
        why = (
            "Time of a block rises as a line through nearly nothing, so two more rounds add about "
            "2 in 10 and 2 in 12: "
            f"{span([pair.ratio - 1 for pair in found_here.values()])}. Taken from 2 rounds on, as "
            f"the text has it, they add {span(literal)}: two rounds double two and are a quarter "
            "of eight, and no constant share is right for every step."
        )
        name = {"encrypt": "encryption", "decrypt": "decryption"}[direction]
        sentence = f"Two more rounds add {100 * low:.0f} to {100 * high:.0f} % to {name} of AES."
        made.append(Claim(sentence, "range", found_here, (low, high), "added",
                          cause="the claim itself", why=why))  # fmt: skip
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """Lines of cycles by rounds, growth in a table."""
    cell = found([row for row in rows if row["flags"] == _SHOWN], "platform", "rounds")
    parts: list[Part] = []
    for direction in _PUBLISHED:
        drawn = [
            ChartLine(name, [(n, figure(cell(name, n)[direction])) for n in (*ROUNDS, *_STANDARD)])
            for name in PLATFORMS
        ]
        image = lines(drawn, Scale("rounds"), Scale(f"cycles of {direction}()"))
        title = f"Cycles of {direction}() by rounds"
        parts.append(Figure(title, image, ".svg", f"{title}: straight lines for each processor."))
    head = ("step", *(f"{name}, {direction}" for name in PLATFORMS for direction in ("e", "d")))
    cells = tuple(
        (
            f"{low} to {high}",
            *(
                percent(_step(cell, direction, name, low, high))
                for name in PLATFORMS
                for direction in _PUBLISHED
            ),
        )
        for low, high in (*_STEPS, *pairwise((ROUNDS[-1], *_STANDARD)))
    )
    parts.append(ResultTable("Growth of encryption (e) and decryption (d)", head, cells))
    shown = [number(cell(name, 10)["key_expansion"]) for name in PLATFORMS]
    told = ", ".join(f"{cycles} ({name})" for name, cycles in zip(PLATFORMS, shown, strict=True))
    parts.append(Words(f"Key expansion, which is not in these times, takes in cycles: {told}."))
    return parts
